// Models that make objects of a class of their own, as torchvision's detection models make an ImageList.
#pragma once

#include "make_examples/script_text.h"

#include <string>

namespace pipescope::testing {

/// forward(x: Tensor) -> RESULT with these lines, of four blanks more; `Pair` has the tensors a and b and total(),
/// `Outer` has a pair.
inline torch::jit::Module withClassObjects(const std::string &lines, const std::string &result = "Tensor")
{
    return examples::ScriptText(R"script(
class Pair:
  a : Tensor
  b : Tensor
  def __init__(self: __torch__.Pair, a: Tensor, b: Tensor) -> NoneType:
    self.a = a
    self.b = b
    return None
  def total(self: __torch__.Pair) -> Tensor:
    return torch.add(self.a, self.b)
class Outer:
  pair : __torch__.Pair
  def __init__(self: __torch__.Outer, pair: __torch__.Pair) -> NoneType:
    self.pair = pair
    return None
class Model(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Model, x: Tensor) -> )script" +
                                result + ":\n" + lines)
        .make("Model");
}

/// A line that makes the pair `name` of two expressions.
inline std::string makesPair(const std::string &name, const std::string &a, const std::string &b)
{
    return "    " + name + " = __torch__.Pair.__new__(__torch__.Pair)\n    _" + name + " = (" + name + ").__init__(" +
           a + ", " + b + ")\n";
}

/// A line that makes the outer object `name` of a pair.
inline std::string makesOuter(const std::string &name, const std::string &pair)
{
    return "    " + name + " = __torch__.Outer.__new__(__torch__.Outer)\n    _" + name + " = (" + name + ").__init__(" +
           pair + ")\n";
}

} // namespace pipescope::testing

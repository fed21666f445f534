// Models that make objects of a class of their own, as torchvision's detection models make an ImageList.
#pragma once

#include "make_examples/script_text.h"

#include <ATen/ATen.h>
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

/// A model that holds a class object `coder`, and its forward(x: Tensor) -> Tensor with these lines, of four blanks
/// more. `Coder` has a List[float] weights [0.5, 2], a Tensor bias and a Tensor scale of [2, 3], an int width of 3, a
/// Pair of its own, and decode(x).
inline torch::jit::Module withHeldObject(const std::string &lines)
{
    const examples::ScriptText text(R"script(
class Pair:
  a : Tensor
  b : Tensor
  def __init__(self: __torch__.Pair, a: Tensor, b: Tensor) -> NoneType:
    self.a = a
    self.b = b
    return None
class Coder:
  weights : List[float]
  bias : Tensor
  scale : Tensor
  width : int
  pair : __torch__.Pair
  def __init__(self: __torch__.Coder, bias: Tensor) -> NoneType:
    self.weights = [0.5, 2.]
    self.bias = bias
    self.scale = torch.cos(bias)
    self.width = 3
    pair = __torch__.Pair.__new__(__torch__.Pair)
    _0 = (pair).__init__(torch.sin(bias), torch.neg(bias))
    self.pair = pair
    return None
  def decode(self: __torch__.Coder, x: Tensor) -> Tensor:
    weights = self.weights
    return torch.add(torch.mul(x, weights[1]), self.bias)
class Maker(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Maker, bias: Tensor) -> __torch__.Coder:
    coder = __torch__.Coder.__new__(__torch__.Coder)
    _0 = (coder).__init__(bias)
    return coder
class Model(Module):
  __parameters__ = []
  __buffers__ = ["offset", ]
  offset : Tensor
  training : bool
  coder : __torch__.Coder
  def forward(self: __torch__.Model, x: Tensor) -> Tensor:
)script" + lines);
    const at::Tensor bias = at::arange(6, at::kFloat).reshape({2, 3});
    torch::jit::Module maker = text.make("Maker");
    return text.make("Model", {{"offset", at::ones({2, 3})}, {"coder", maker.forward({bias})}});
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

// A small residual network: a stem, four blocks of two convolutions with batch norm and a skip around them, and a
// classifier on the mean over the picture.
#include "make_examples/examples.h"
#include "make_examples/layers.h"

namespace pipescope::examples {

namespace {

constexpr std::string_view ResnetSource = R"script(
class Residual(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  conv1 : __torch__.Conv2d
  bn1 : __torch__.BatchNorm2d
  conv2 : __torch__.Conv2d
  bn2 : __torch__.BatchNorm2d
  def forward(self: __torch__.Residual, x: Tensor) -> Tensor:
    h = torch.relu_((self.bn1).forward((self.conv1).forward(x)))
    y = (self.bn2).forward((self.conv2).forward(h))
    return torch.relu(torch.add(y, x))
class Blocks(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  __annotations__["0"] = __torch__.Residual
  __annotations__["1"] = __torch__.Residual
  __annotations__["2"] = __torch__.Residual
  __annotations__["3"] = __torch__.Residual
  def forward(self: __torch__.Blocks, x0: Tensor) -> Tensor:
    x1 = (getattr(self, "0")).forward(x0)
    x2 = (getattr(self, "1")).forward(x1)
    x3 = (getattr(self, "2")).forward(x2)
    return (getattr(self, "3")).forward(x3)
class ResnetLike(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  stem : __torch__.Conv2d
  bn : __torch__.BatchNorm2d
  blocks : __torch__.Blocks
  fc : __torch__.Linear
  def forward(self: __torch__.ResnetLike, x: Tensor) -> Tensor:
    h = torch.relu((self.bn).forward((self.stem).forward(x)))
    pooled = torch.mean((self.blocks).forward(h), [2, 3])
    return (self.fc).forward(pooled)
)script";

torch::jit::Module residual(const ScriptText &text, Weights &weights, std::int64_t channels)
{
    return text.make("Residual", {{"conv1", conv2d(text, weights, channels, channels)._ivalue()},
                                  {"bn1", batchNorm2d(text, weights, channels)._ivalue()},
                                  {"conv2", conv2d(text, weights, channels, channels)._ivalue()},
                                  {"bn2", batchNorm2d(text, weights, channels)._ivalue()}});
}

} // namespace

torch::jit::Module resnetLike(Size size)
{
    const std::int64_t channels = size == Size::Full ? 32 : 8;
    const ScriptText text(layersSource() + std::string(ResnetSource));
    Weights weights(5);
    const auto stem = conv2d(text, weights, 3, channels);
    const auto bn = batchNorm2d(text, weights, channels);
    std::vector<torch::jit::Module> blocks;
    for (int i = 0; i < 4; ++i)
        blocks.push_back(residual(text, weights, channels));
    auto model = text.make("ResnetLike", {{"stem", stem._ivalue()},
                                          {"bn", bn._ivalue()},
                                          {"blocks", text.make("Blocks", numbered(blocks))._ivalue()},
                                          {"fc", linear(text, weights, channels, 10)._ivalue()}});
    model.eval();
    return model;
}

} // namespace pipescope::examples

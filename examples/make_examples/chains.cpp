// Two chains of equal layers: one without markers, and one whose first layer's result skips to the last.
#include "make_examples/examples.h"
#include "make_examples/layers.h"

namespace pipescope::examples {

namespace {

constexpr int Layers = 8;

constexpr std::string_view ChainSource = R"script(
class Layers(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  __annotations__["0"] = __torch__.Mlp
  __annotations__["1"] = __torch__.Mlp
  __annotations__["2"] = __torch__.Mlp
  __annotations__["3"] = __torch__.Mlp
  __annotations__["4"] = __torch__.Mlp
  __annotations__["5"] = __torch__.Mlp
  __annotations__["6"] = __torch__.Mlp
  __annotations__["7"] = __torch__.Mlp
  def forward(self: __torch__.Layers, x0: Tensor) -> Tensor:
    x1 = (getattr(self, "0")).forward(x0)
    x2 = (getattr(self, "1")).forward(x1)
    x3 = (getattr(self, "2")).forward(x2)
    x4 = (getattr(self, "3")).forward(x3)
    x5 = (getattr(self, "4")).forward(x4)
    x6 = (getattr(self, "5")).forward(x5)
    x7 = (getattr(self, "6")).forward(x6)
    return (getattr(self, "7")).forward(x7)
class MlpChain(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  layers : __torch__.Layers
  def forward(self: __torch__.MlpChain, x: Tensor) -> Tensor:
    return (self.layers).forward(x)
class LongSkip(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Mlp
  second : __torch__.Mlp
  third : __torch__.Mlp
  last : __torch__.Mlp
  def forward(self: __torch__.LongSkip, x: Tensor) -> Tensor:
    skipped = torch.relu((self.first).forward(x))
    ops.pippy._pipe_split()
    y = torch.relu((self.second).forward(skipped))
    ops.pippy._pipe_split()
    z = torch.relu((self.third).forward(y))
    ops.pippy._pipe_split()
    return (self.last).forward(torch.add(z, skipped))
)script";

std::int64_t width(Size size)
{
    return size == Size::Full ? 512 : 32;
}

} // namespace

torch::jit::Module mlpChain(Size size)
{
    const ScriptText text(layersSource() + std::string(ChainSource));
    Weights weights(2);
    std::vector<torch::jit::Module> layers;
    for (int i = 0; i < Layers; ++i)
        layers.push_back(mlp(text, weights, width(size)));
    auto model = text.make("MlpChain", {{"layers", text.make("Layers", numbered(layers))._ivalue()}});
    model.eval();
    return model;
}

torch::jit::Module longSkip(Size size)
{
    const ScriptText text(layersSource() + std::string(ChainSource));
    Weights weights(3);
    Attributes layers;
    for (const char *name : {"first", "second", "third", "last"})
        layers.emplace_back(name, mlp(text, weights, width(size))._ivalue());
    auto model = text.make("LongSkip", layers);
    model.eval();
    return model;
}

} // namespace pipescope::examples

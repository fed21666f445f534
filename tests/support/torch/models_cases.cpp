#include "support/torch/model_text.h"
#include "support/torch/models.h"

namespace pipescope::testing {

namespace {

constexpr std::string_view C1 = R"script(
class C1(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.C1, x: Tensor) -> Tensor:
    h = torch.mul(x, 2)
    ops.pippy._pipe_split()
    y = torch.add(h, 1)
    ops.pippy._pipe_split()
    return torch.add(y, h)
)script";

constexpr std::string_view C2 = R"script(
class C2(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  third : __torch__.Linear
  fourth : __torch__.Linear
  def forward(self: __torch__.C2, x: Tensor, positions: Tensor) -> Tensor:
    cos = torch.cos(positions)
    sin = torch.sin(positions)
    h0 = (self.first).forward(x)
    ops.pippy._pipe_split()
    h1 = (self.second).forward(torch.add(torch.mul(h0, cos), sin))
    ops.pippy._pipe_split()
    h2 = (self.third).forward(torch.add(torch.mul(h1, cos), sin))
    ops.pippy._pipe_split()
    return (self.fourth).forward(torch.add(torch.mul(h2, cos), sin))
)script";

constexpr std::string_view C3 = R"script(
class Layer(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  fc : __torch__.Linear
  def forward(self: __torch__.Layer, x: Tensor) -> Tensor:
    return (self.fc).forward(torch.to(x, 6))
class Layers(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  __annotations__["0"] = __torch__.Layer
  __annotations__["1"] = __torch__.Layer
class C3(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  emb : __torch__.Embedding
  layers : __torch__.Layers
  def forward(self: __torch__.C3, ids: Tensor) -> Tensor:
    x = (self.emb).forward(ids)
    layers = self.layers
    y = (getattr(layers, "0")).forward(x)
    unused = torch.zeros_like(y)
    return (getattr(layers, "1")).forward(y)
)script";

constexpr std::string_view C15 = R"script(
class Layers(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  __annotations__["0"] = __torch__.Linear
  __annotations__["1"] = __torch__.Linear
  __annotations__["2"] = __torch__.Linear
  __annotations__["3"] = __torch__.Linear
class C15(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  layers : __torch__.Layers
  def forward(self: __torch__.C15, x: Tensor) -> Tensor:
    layers = self.layers
    a = (getattr(layers, "0")).forward(x)
    b = (getattr(layers, "1")).forward(a)
    c = (getattr(layers, "2")).forward(b)
    return (getattr(layers, "3")).forward(c)
)script";

} // namespace

torch::jit::Module c1Skip()
{
    return modelText(C1).make("C1");
}

torch::jit::Module c2Rope(std::int64_t width)
{
    return withLinears(modelText(C2), "C2", {"first", "second", "third", "fourth"}, width);
}

torch::jit::Module c3Embedding()
{
    const auto text = modelText(C3);
    auto weights = modelWeights();
    const auto emb = embedding(text, weights, 32, 16);
    std::vector<torch::jit::Module> layers;
    for (int i = 0; i < 2; ++i)
        layers.push_back(text.make("Layer", {{"fc", linear(text, weights, 16, 16)._ivalue()}}));
    return text.make("C3",
                     {{"emb", emb._ivalue()}, {"layers", text.make("Layers", examples::numbered(layers))._ivalue()}});
}

torch::jit::Module c15FourLinears(std::int64_t width)
{
    const auto text = modelText(C15);
    return text.make("C15", {{"layers", fourLinears(text, width)._ivalue()}});
}

} // namespace pipescope::testing

#include "support/torch/model_text.h"
#include "support/torch/models.h"

namespace pipescope::testing {

namespace {

constexpr std::string_view ControlFlow = R"script(
class ControlFlow(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  head : __torch__.Linear
  positive : __torch__.Linear
  negative : __torch__.Linear
  shared : __torch__.Linear
  tail : __torch__.Linear
  def forward(self: __torch__.ControlFlow, x: Tensor, steps: int=2) -> Tensor:
    h = (self.head).forward(x)
    if bool(torch.gt(torch.sum(x), 0)):
      chosen = torch.relu((self.positive).forward(h))
    else:
      chosen = torch.tanh((self.negative).forward(h))
    looped = chosen
    for i in range(steps):
      looped = torch.tanh((self.shared).forward(looped))
    return (self.tail).forward(looped)
)script";

constexpr std::string_view MarkerInsideIf = R"script(
class MarkerInsideIf(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.MarkerInsideIf, x: Tensor) -> Tensor:
    h = (self.first).forward(x)
    if bool(torch.gt(torch.sum(x), 0)):
      a = torch.relu(h)
      ops.pippy._pipe_split()
      chosen = (self.second).forward(a)
    else:
      chosen = h
    return chosen
)script";

constexpr std::string_view Interface = R"script(
class BlockInterface(ModuleInterface):
  def forward(self: __torch__.BlockInterface, x: Tensor) -> Tensor:
    pass
class InterfaceModel(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  block : __torch__.BlockInterface
  tail : __torch__.Linear
  def forward(self: __torch__.InterfaceModel, x: Tensor) -> Tensor:
    h = (self.block).forward(x)
    return (self.tail).forward(torch.relu(h))
)script";

constexpr std::string_view ModuleList = R"script(
class Layers(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  __annotations__["0"] = __torch__.Linear
  __annotations__["1"] = __torch__.Linear
  __annotations__["2"] = __torch__.Linear
  __annotations__["3"] = __torch__.Linear
class ModuleListLoop(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  layers : __torch__.Layers
  def forward(self: __torch__.ModuleListLoop, x: Tensor) -> Tensor:
    layers = self.layers
    a = torch.relu((getattr(layers, "0")).forward(x))
    b = torch.relu((getattr(layers, "1")).forward(a))
    c = torch.relu((getattr(layers, "1")).forward(b))
    d = torch.relu((getattr(layers, "2")).forward(c))
    return (getattr(layers, "3")).forward(d)
)script";

constexpr std::string_view ListDict = R"script(
class ListDictModel(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  third : __torch__.Linear
  def pack(self: __torch__.ListDictModel, a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:
    return (a, b)
  def forward(self: __torch__.ListDictModel, x: Tensor) -> Tuple[Tensor, str]:
    a = (self.first).forward(x)
    b = (self.second).forward(x)
    rows = torch.size(x, 0)
    label = torch.format("{} rows", rows)
    items = annotate(List[Tensor], [a, b])
    table = annotate(Dict[str, Tensor], {"a": a, "b": b})
    if torch.gt(rows, 1):
      pair = (a, torch.relu(b))
      extra = annotate(Optional[Tensor], torch.tanh(a))
    else:
      pair = (b, a)
      extra = annotate(Optional[Tensor], None)
    ops.pippy._pipe_split()
    left, right, = pair
    summed = torch.add(torch.add(left, right), torch.add(items[0], table["b"]))
    if torch.__isnot__(extra, None):
      total = torch.add(summed, unchecked_cast(Tensor, extra))
    else:
      total = summed
    scaled = torch.div(total, rows)
    return ((self.third).forward(scaled), label)
)script";

constexpr std::string_view OwnMarkers = R"script(
class Marked(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Marked, x: Tensor) -> Tensor:
    a = torch.mul(x, 2)
    ops.pipescope.split("encoder")
    b = torch.add(a, 1)
    ops.pipescope.split()
    c = ops.pipescope.boundary(b, "head")
    return torch.mul(c, 3)
)script";

} // namespace

torch::jit::Module controlFlow(std::int64_t width)
{
    return withLinears(modelText(ControlFlow), "ControlFlow", {"head", "positive", "negative", "shared", "tail"},
                       width);
}

torch::jit::Module markerInsideIf(std::int64_t width)
{
    return withLinears(modelText(MarkerInsideIf), "MarkerInsideIf", {"first", "second"}, width);
}

torch::jit::Module interfaceModel(std::int64_t width)
{
    const auto text = modelText(Interface);
    examples::Weights weights(8);
    return withLinears(text, "InterfaceModel", {"tail"}, width, {{"block", mlp(text, weights, width)._ivalue()}});
}

torch::jit::Module ownMarkers()
{
    return modelText(OwnMarkers).make("Marked");
}

torch::jit::Module moduleListLoop(std::int64_t width)
{
    const auto text = modelText(ModuleList);
    return text.make("ModuleListLoop", {{"layers", fourLinears(text, width)._ivalue()}});
}

torch::jit::Module listDictModel(std::int64_t width)
{
    return withLinears(modelText(ListDict), "ListDictModel", {"first", "second", "third"}, width);
}

} // namespace pipescope::testing

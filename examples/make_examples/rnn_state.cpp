// A recurrent cell that keeps its hidden state in the module: row i of a batch is step i of one sequence, and the next
// call goes on where this one ended.
#include "make_examples/examples.h"
#include "make_examples/layers.h"

namespace pipescope::examples {

namespace {

constexpr std::string_view RnnSource = R"script(
class RnnState(Module):
  __parameters__ = []
  __buffers__ = ["hidden", ]
  hidden : Tensor
  training : bool
  steps : int
  inner : __torch__.Linear
  outer : __torch__.Linear
  head : __torch__.Linear
  def forward(self: __torch__.RnnState, x: Tensor) -> Tensor:
    driven = (self.outer).forward(x)
    states = annotate(List[Tensor], [])
    hidden = self.hidden
    for i in range(torch.size(x, 0)):
      hidden = torch.tanh(torch.add(torch.select(driven, 0, i), (self.inner).forward(hidden)))
      kept = torch.append(states, hidden)
    self.hidden = hidden
    self.steps = torch.add(self.steps, torch.size(x, 0))
    return (self.head).forward(torch.stack(states))
  def reset_states(self: __torch__.RnnState) -> NoneType:
    self.hidden = torch.zeros_like(self.hidden)
    self.steps = 0
    return None
)script";

} // namespace

torch::jit::Module rnnState(Size size)
{
    const std::int64_t width = size == Size::Full ? 64 : 16;
    const ScriptText text(layersSource() + std::string(RnnSource));
    Weights weights(4);
    const auto inner = linear(text, weights, width, width);
    const auto outer = linear(text, weights, width, width);
    const auto head = linear(text, weights, width, 4);
    auto model = text.make("RnnState", {{"hidden", at::zeros({width})},
                                        {"steps", 0},
                                        {"inner", inner._ivalue()},
                                        {"outer", outer._ivalue()},
                                        {"head", head._ivalue()}});
    model.eval();
    return model;
}

} // namespace pipescope::examples

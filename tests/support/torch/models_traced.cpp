#include "make_examples/examples.h"
#include "support/torch/model_text.h"
#include "support/torch/models.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/frontend/tracer.h>

namespace pipescope::testing {

namespace {

constexpr std::string_view Holder = R"script(
class Traced(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
)script";

constexpr std::string_view BakedInDevices = R"script(
class BakedInDevices(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.BakedInDevices, x: Tensor) -> Tensor:
    offset = torch.zeros([2, 3], dtype=6, layout=None, device=torch.device("cuda:0"))
    if bool(torch.gt(torch.sum(x), 0)):
      moved = torch.to(x, torch.device("cuda:0"), 6)
      y = torch.add(moved, torch.ones([2, 3], dtype=6, layout=None, device=torch.device("cuda:0")))
    else:
      y = x
    z = torch.cuda(torch.add(y, offset))
    return torch.mul(z, 2)
)script";

at::Tensor linearOf(const torch::jit::Module &model, const char *name, const at::Tensor &x)
{
    const torch::jit::Module layer = model.attr(name).toModule();
    return at::linear(x, layer.attr("weight").toTensor(), layer.attr("bias").toTensor());
}

} // namespace

torch::jit::Module tracedModel(std::int64_t width)
{
    auto model = withLinears(modelText(Holder), "Traced", {"first", "second"}, width);
    const auto marker = c10::Dispatcher::singleton().findSchemaOrThrow("pippy::_pipe_split", "").typed<void()>();
    const auto forward = [&](torch::jit::Stack inputs) -> torch::jit::Stack {
        const at::Tensor x = inputs.at(0).toTensor();
        const at::Tensor h = at::relu(linearOf(model, "first", x));
        marker.call();
        const at::Tensor offset = at::full({x.size(0), x.size(1)}, 0.5, at::TensorOptions(at::kFloat).device(at::kCPU));
        const at::Tensor moved = at::add(h, offset).to(at::TensorOptions(at::kDouble).device(at::kCPU));
        return {linearOf(model, "second", moved.to(at::kFloat))};
    };
    const auto noName = [](const at::Tensor &) { return std::string(); };
    const at::Tensor example = at::ones({4, width});
    const auto traced = torch::jit::tracer::trace({example}, forward, noName, true, false, &model);
    const c10::QualifiedName name(*model.type()->name(), "forward");
    model.type()->addMethod(model._ivalue()->compilation_unit()->create_function(name, traced.first->graph));
    return model;
}

torch::jit::Module bakedInDevices()
{
    return modelText(BakedInDevices).make("BakedInDevices");
}

torch::jit::Module tinyDecoder()
{
    return examples::decoder(examples::Size::Small);
}

} // namespace pipescope::testing

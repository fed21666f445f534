#include "support/torch/model_text.h"
#include "support/torch/models.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/passes/freeze_module.h>

namespace pipescope::testing {

namespace {

constexpr std::string_view Buffer = R"script(
class BufferModel(Module):
  __parameters__ = []
  __buffers__ = ["offset", ]
  offset : Tensor
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.BufferModel, x: Tensor) -> Tensor:
    kept = torch.clone(self.offset)
    h = (self.first).forward(x)
    ops.pippy._pipe_split()
    return torch.add((self.second).forward(h), kept)
)script";

constexpr std::string_view TwoMethods = R"script(
class TwoMethods(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.TwoMethods, x: Tensor) -> Tensor:
    h = torch.relu((self.first).forward(x))
    ops.pippy._pipe_split()
    return (self.second).forward(h)
  def encode(self: __torch__.TwoMethods, x: Tensor, scale: float=2.) -> Tensor:
    h = (self.first).forward(x)
    ops.pippy._pipe_split()
    return torch.mul(torch.tanh(h), scale)
)script";

constexpr std::string_view Counter = R"script(
class StatefulCounter(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  n : int
  hidden : Tensor
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.StatefulCounter, x: Tensor) -> Tensor:
    h = (self.first).forward(x)
    self.n = torch.add(self.n, 1)
    mixed = torch.tanh(torch.add(h, self.hidden))
    self.hidden = torch.select(mixed, 0, -1)
    return (self.second).forward(mixed)
  def reset_states(self: __torch__.StatefulCounter) -> NoneType:
    self.n = 0
    self.hidden = torch.zeros_like(self.hidden)
    return None
)script";

constexpr std::string_view Inplace = R"script(
class InplaceChain(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.InplaceChain, x: Tensor) -> Tensor:
    h = (self.first).forward(x)
    ops.pippy._pipe_split()
    a = torch.relu_(h)
    b = torch.mul_(a, 2.)
    return (self.second).forward(b)
)script";

constexpr std::string_view Dropout = R"script(
class DropoutModel(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.DropoutModel, x: Tensor) -> Tensor:
    h = torch.dropout((self.first).forward(x), 0.5, self.training)
    return (self.second).forward(h)
)script";

constexpr std::string_view BatchNorm = R"script(
class BatchNormModel(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  bn : __torch__.BatchNorm2d
  second : __torch__.Linear
  def forward(self: __torch__.BatchNormModel, x: Tensor) -> Tensor:
    h = (self.bn).forward((self.first).forward(x))
    return (self.second).forward(torch.relu(h))
)script";

constexpr std::string_view Frozen = R"script(
class Frozen(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  first : __torch__.Linear
  second : __torch__.Linear
  def forward(self: __torch__.Frozen, x: Tensor) -> Tensor:
    h = torch.relu((self.first).forward(x))
    return (self.second).forward(h)
)script";

constexpr std::string_view Quantized = R"script(
class DynamicallyQuantized(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  packed : __torch__.torch.classes.quantized.LinearPackedParamsBase
  def forward(self: __torch__.DynamicallyQuantized, x: Tensor) -> Tensor:
    return ops.quantized.linear_dynamic(x, self.packed, True)
)script";

void setMode(torch::jit::Module &module, Mode mode)
{
    module.train(mode == Mode::Train);
}

} // namespace

torch::jit::Module bufferModel(std::int64_t width)
{
    return withLinears(modelText(Buffer), "BufferModel", {"first", "second"}, width,
                       {{"offset", at::arange(width, at::kFloat)}});
}

torch::jit::Module twoMethods(std::int64_t width)
{
    return withLinears(modelText(TwoMethods), "TwoMethods", {"first", "second"}, width);
}

torch::jit::Module statefulCounter(std::int64_t width)
{
    return withLinears(modelText(Counter), "StatefulCounter", {"first", "second"}, width,
                       {{"n", 0}, {"hidden", at::zeros({width})}});
}

torch::jit::Module inplaceChain(std::int64_t width)
{
    return withLinears(modelText(Inplace), "InplaceChain", {"first", "second"}, width);
}

torch::jit::Module dropoutModel(Mode mode, std::int64_t width)
{
    auto model = withLinears(modelText(Dropout), "DropoutModel", {"first", "second"}, width);
    setMode(model, mode);
    return model;
}

torch::jit::Module batchNormModel(Mode mode, std::int64_t width)
{
    const auto text = modelText(BatchNorm);
    examples::Weights weights(8);
    const auto bn = batchNorm2d(text, weights, width); // torch.batch_norm takes [rows, channels] as well
    auto model = withLinears(text, "BatchNormModel", {"first", "second"}, width, {{"bn", bn._ivalue()}});
    setMode(model, mode);
    return model;
}

torch::jit::Module frozenModel(std::int64_t width)
{
    auto model = withLinears(modelText(Frozen), "Frozen", {"first", "second"}, width);
    model.eval();
    return torch::jit::freeze_module(model);
}

torch::jit::Module dynamicallyQuantized(std::int64_t width)
{
    const at::Tensor weight =
        at::quantize_per_tensor(modelWeights().uniform({width, width}, 1), 1.0 / 127, 0, at::kQInt8);
    torch::jit::Stack stack{weight, at::zeros({width})};
    c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
    return modelText(Quantized).make("DynamicallyQuantized", {{"packed", stack.at(0)}});
}

} // namespace pipescope::testing

#include "make_examples/layers.h"

#include <ATen/CPUGeneratorImpl.h>
#include <cmath>

namespace pipescope::examples {

std::string layersSource()
{
    return R"script(
class Linear(Module):
  __parameters__ = ["weight", "bias", ]
  __buffers__ = []
  weight : Tensor
  bias : Tensor
  training : bool
  def forward(self: __torch__.Linear, input: Tensor) -> Tensor:
    return torch.linear(input, self.weight, self.bias)
class LinearNoBias(Module):
  __parameters__ = ["weight", ]
  __buffers__ = []
  weight : Tensor
  training : bool
  def forward(self: __torch__.LinearNoBias, input: Tensor) -> Tensor:
    return torch.linear(input, self.weight, None)
class LayerNorm(Module):
  __parameters__ = ["weight", "bias", ]
  __buffers__ = []
  weight : Tensor
  bias : Tensor
  training : bool
  def forward(self: __torch__.LayerNorm, input: Tensor) -> Tensor:
    return torch.layer_norm(input, torch.size(self.weight), self.weight, self.bias)
class Embedding(Module):
  __parameters__ = ["weight", ]
  __buffers__ = []
  weight : Tensor
  training : bool
  def forward(self: __torch__.Embedding, input: Tensor) -> Tensor:
    return torch.embedding(self.weight, input)
class Conv2d(Module):
  __parameters__ = ["weight", "bias", ]
  __buffers__ = []
  weight : Tensor
  bias : Tensor
  training : bool
  def forward(self: __torch__.Conv2d, input: Tensor) -> Tensor:
    return torch.conv2d(input, self.weight, self.bias, [1, 1], [1, 1])
class BatchNorm2d(Module):
  __parameters__ = ["weight", "bias", ]
  __buffers__ = ["running_mean", "running_var", "num_batches_tracked", ]
  weight : Tensor
  bias : Tensor
  running_mean : Tensor
  running_var : Tensor
  num_batches_tracked : Tensor
  training : bool
  def forward(self: __torch__.BatchNorm2d, input: Tensor) -> Tensor:
    if self.training:
      counted = torch.add_(self.num_batches_tracked, 1)
    else:
      pass
    return torch.batch_norm(input, self.weight, self.bias, self.running_mean, self.running_var, self.training, 0.1, 1e-05, True)
class Mlp(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  net1 : __torch__.Linear
  net2 : __torch__.Linear
  def forward(self: __torch__.Mlp, x: Tensor) -> Tensor:
    h = torch.relu((self.net1).forward(x))
    return (self.net2).forward(h)
)script";
}

Weights::Weights(std::uint64_t seed)
    : m_generator(at::detail::createCPUGenerator(seed))
{
}

at::Tensor Weights::uniform(at::IntArrayRef sizes, double bound)
{
    return at::empty(sizes, at::kFloat).uniform_(-bound, bound, m_generator);
}

torch::jit::Module linear(const ScriptText &text, Weights &weights, std::int64_t inputs, std::int64_t outputs)
{
    const double bound = 1 / std::sqrt(static_cast<double>(inputs));
    return text.make(
        "Linear", {{"weight", weights.uniform({outputs, inputs}, bound)}, {"bias", weights.uniform({outputs}, bound)}});
}

torch::jit::Module layerNorm(const ScriptText &text, std::int64_t width)
{
    return text.make("LayerNorm", {{"weight", at::ones({width})}, {"bias", at::zeros({width})}});
}

torch::jit::Module embedding(const ScriptText &text, Weights &weights, std::int64_t rows, std::int64_t width)
{
    return text.make("Embedding", {{"weight", weights.uniform({rows, width}, 0.04)}});
}

torch::jit::Module conv2d(const ScriptText &text, Weights &weights, std::int64_t inputs, std::int64_t outputs)
{
    const double bound = 1 / std::sqrt(static_cast<double>(inputs * 9));
    return text.make("Conv2d", {{"weight", weights.uniform({outputs, inputs, 3, 3}, bound)},
                                {"bias", weights.uniform({outputs}, bound)}});
}

torch::jit::Module batchNorm2d(const ScriptText &text, Weights &weights, std::int64_t channels)
{
    return text.make("BatchNorm2d", {{"weight", weights.uniform({channels}, 0.5).add_(1)},
                                     {"bias", weights.uniform({channels}, 0.5)},
                                     {"running_mean", weights.uniform({channels}, 0.5)},
                                     {"running_var", weights.uniform({channels}, 0.5).add_(1)},
                                     {"num_batches_tracked", at::ones({}, at::kLong)}});
}

torch::jit::Module mlp(const ScriptText &text, Weights &weights, std::int64_t width)
{
    const torch::jit::Module net1 = linear(text, weights, width, width);
    const torch::jit::Module net2 = linear(text, weights, width, width);
    return text.make("Mlp", {{"net1", net1._ivalue()}, {"net2", net2._ivalue()}});
}

} // namespace pipescope::examples

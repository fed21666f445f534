// The layers the example models share: their TorchScript classes, and objects of them with weights that depend on a
// seed only, whatever the machine and its number of threads.
#pragma once

#include "make_examples/script_text.h"

#include <cstdint>
#include <string>

namespace pipescope::examples {

/// Classes Linear, LinearNoBias, LayerNorm, Embedding, Conv2d (3x3, padding 1), BatchNorm2d, Mlp (Linear, ReLU, Linear:
/// net1, net2), to be put before a model's own classes.
[[nodiscard]] std::string layersSource();

/// Draws weights one after the other.
class Weights
{
public:
    explicit Weights(std::uint64_t seed);
    /// Uniform in [-bound, bound), float32.
    at::Tensor uniform(at::IntArrayRef sizes, double bound);

private:
    at::Generator m_generator;
};

/// Linear layers start as nn.Linear's do: uniform within 1 / sqrt(inputs).
[[nodiscard]] torch::jit::Module linear(const ScriptText &text, Weights &weights, std::int64_t inputs,
                                        std::int64_t outputs);
[[nodiscard]] torch::jit::Module layerNorm(const ScriptText &text, std::int64_t width);
[[nodiscard]] torch::jit::Module embedding(const ScriptText &text, Weights &weights, std::int64_t rows,
                                           std::int64_t width);
[[nodiscard]] torch::jit::Module conv2d(const ScriptText &text, Weights &weights, std::int64_t inputs,
                                        std::int64_t outputs);
/// With running statistics that look as if it had been trained.
[[nodiscard]] torch::jit::Module batchNorm2d(const ScriptText &text, Weights &weights, std::int64_t channels);
[[nodiscard]] torch::jit::Module mlp(const ScriptText &text, Weights &weights, std::int64_t width);

} // namespace pipescope::examples

// The example models, each in its own file and one row of the table. To add one: write its builder, declare it here,
// add a row in examples.cpp and in examples/README.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <torch/csrc/jit/api/module.h>

namespace pipescope::examples {

enum class Size { Full, Small };

struct Example
{
    std::string_view name;  ///< file name without .pt
    std::string_view about; ///< what is special about it, in one line
    std::string_view input; ///< for `--input`
    std::string_view smallInput;
    std::string_view options; ///< further options of the command line that shows it best
    torch::jit::Module (*build)(Size);
};

struct DecoderShape
{
    std::int64_t blocks;
    std::int64_t width;
    std::int64_t heads;
    std::int64_t vocabulary;
    std::int64_t context;
};

[[nodiscard]] std::span<const Example> allExamples();

/// All in eval mode, with weights that depend on nothing but the model.
[[nodiscard]] torch::jit::Module decoder(Size size);
[[nodiscard]] torch::jit::Module decoderOf(const DecoderShape &shape);
[[nodiscard]] torch::jit::Module mlpChain(Size size);
[[nodiscard]] torch::jit::Module longSkip(Size size);
[[nodiscard]] torch::jit::Module rnnState(Size size);
[[nodiscard]] torch::jit::Module resnetLike(Size size);

} // namespace pipescope::examples

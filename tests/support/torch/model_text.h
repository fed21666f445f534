// What the model files of this folder share.
#pragma once

#include "make_examples/layers.h"

#include <cstdint>
#include <string_view>

namespace pipescope::testing {

/// The shared layers' classes and then the model's own.
[[nodiscard]] examples::ScriptText modelText(std::string_view classes);

/// The same text for every model, so that two models of one kind have equal weights.
[[nodiscard]] examples::Weights modelWeights();

/// Class `className` with a square Linear for each name, in order.
[[nodiscard]] torch::jit::Module withLinears(const examples::ScriptText &text, const char *className,
                                             const std::vector<const char *> &names, std::int64_t width,
                                             examples::Attributes others = {});

/// Four square Linears as the class `Layers` of the text.
[[nodiscard]] torch::jit::Module fourLinears(const examples::ScriptText &text, std::int64_t width);

} // namespace pipescope::testing

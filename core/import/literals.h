// Which values of a graph are known without running it. Private to import/.
#pragma once

#include "graph/model_graph.h"

#include <ATen/core/ivalue.h>
#include <optional>

namespace pipescope::import {

inline constexpr std::size_t MaxLiteralItems = 4096; ///< of a list, those of the lists inside it counted too
inline constexpr std::size_t MaxLiteralText = 4096;  ///< bytes

/// Nothing for a tensor, an object, a complex number, or what is longer than the limits.
[[nodiscard]] std::optional<graph::Literal> literalOf(const c10::IValue &value);

/// Gives lists and tuples that are put together of constants alone their literal, as long as no node may change them.
/// The graph is complete but for these.
void fillLiteralLists(graph::ModelGraph &graph);

} // namespace pipescope::import

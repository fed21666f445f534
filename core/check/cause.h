// Why rows depend on the rest of the batch at a node: its name for a report, and in words.
#pragma once

#include "check/batch_walk.h"
#include "report/comparison.h"

namespace pipescope::check {

/// Names the cause of a dependence from the node's operator, its state and its operands. `argumentWasCut` by position.
[[nodiscard]] report::Cause classify(const import::ImportedModel &model, const BatchDependence &dependence,
                                     const std::vector<bool> &argumentWasCut);

/// Name of the state a node reads: an attribute the model assigns, or something it holds and writes in place, given to
/// the node as it is, as an alias (a view, an item of a list), or as something computed from nothing else
/// (bookkeeping.h).
/// "" where it reads none.
[[nodiscard]] std::string stateReadBy(const import::ImportedModel &model, const graph::Node &node);

/// Whether any node takes a quantization range over the rows it is given. Such a model's outputs jump by a whole step
/// where an input moves by one ulp across a tie, which says nothing about rounding.
[[nodiscard]] bool quantizesDynamically(const graph::ModelGraph &graph);

/// Whether the model seeds the random numbers itself at this position or before.
[[nodiscard]] bool seedsBefore(const graph::ModelGraph &graph, int position);

/// What a node does, to be put after its name: "normalises with statistics of the rows it is given: ...".
[[nodiscard]] std::string_view causeText(report::Cause cause);

} // namespace pipescope::check

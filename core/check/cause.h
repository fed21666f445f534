// Why rows depend on the rest of the batch at a node: its name for a report, and in words.
#pragma once

#include "check/batch_walk.h"
#include "report/comparison.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::check {

/// Names the cause of a dependence from the node's operator, its state and its operands. `argumentWasCut` by position.
/// InputNotRows is a guess: whether the input may be given whole is for who runs the model to find out.
[[nodiscard]] report::Cause classify(const import::ImportedModel &model, const BatchDependence &dependence,
                                     const std::vector<bool> &argumentWasCut);

/// State that a node depends on, and the node that reads it, itself or one that a number comes from.
struct StateRead
{
    std::string name;
    NodeId reader;
};

/// An attribute the model assigns, or something it holds and writes in place, given to the node as it is, as an alias
/// (a view, an item of a list), or as something computed from nothing else (bookkeeping.h), a number too. nullopt where
/// it reads none.
[[nodiscard]] std::optional<StateRead> stateReadBy(const import::ImportedModel &model, const graph::Node &node);

/// The number among the node's operands that is the whole batch's number of rows, or else a multiple of it, where the
/// node gives its result that shape; nullopt where there is none.
[[nodiscard]] std::optional<std::int64_t> batchConstant(const graph::ModelGraph &graph,
                                                        const BatchDependence &dependence, std::int64_t rows);

/// Whether any node takes a quantization range over the rows it is given. Such a model's outputs jump by a whole step
/// where an input moves by one ulp across a tie, which says nothing about rounding.
[[nodiscard]] bool quantizesDynamically(const graph::ModelGraph &graph);

/// Whether the model seeds the random numbers itself at this position or before.
[[nodiscard]] bool seedsBefore(const graph::ModelGraph &graph, int position);

/// What a node does, to be put after its name: "normalises with statistics of the rows it is given: ...".
[[nodiscard]] std::string_view causeText(report::Cause cause);

} // namespace pipescope::check

// The tensors that stage programs feed for the values that a model holds. A map of its own lets a program compute with
// other tensors than the model's: copies on another device, leaves of their own, shards.
#pragma once

#include "import/imported_model.h"

#include <map>
#include <vector>

namespace pipescope::exec {

/// By Parameter, Buffer, Attribute or Constant value of the graph.
using HeldValues = std::map<ValueId, c10::IValue>;

/// The model's own: everything a program can ask for, and its constants that are or contain tensors. Shares memory with
/// the model.
[[nodiscard]] HeldValues heldBy(const import::ImportedModel &model);

/// The constants of `held` that the top-level nodes order[begin, end) use, also those that a node or a block inside of
/// them uses or returns, and those among `outputs`; ascending.
[[nodiscard]] std::vector<ValueId> constantsUsed(const import::ImportedModel &model, const HeldValues &held, int begin,
                                                 int end, const std::vector<ValueId> &outputs);

} // namespace pipescope::exec

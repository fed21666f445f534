// The lists and dicts that a stage changes and has not alone.
#pragma once

#include "partition/partition.h"

#include <vector>

namespace pipescope::partition {

/// Those of the stage's inputs that are lists or dicts which the stage changes in place, while others may have them:
/// the stage that they come from, stages beside it, who gets the method's results. The stage has to change copies,
/// which hold the same items. An argument that no other stage uses stays the caller's own, and is changed as the method
/// changes it. Ascending. For stages of makePartition, and of the whole method, which copies nothing.
[[nodiscard]] std::vector<ValueId> inputsToCopy(const graph::ModelGraph &graph, const Stage &stage);

} // namespace pipescope::partition

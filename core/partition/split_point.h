// What users write to say where to split, turned into cuts. The words are torch.distributed.pipelining's: a submodule's
// FQN means SplitPoint.BEGINNING, "FQN:end" means SplitPoint.END.
#pragma once

#include "base/result.h"
#include "partition/cut.h"

#include <string>
#include <string_view>
#include <vector>

namespace pipescope::partition {

/// One place offered to users: a stable id that resolves to the position, in this file's syntax.
struct SplitPoint {
    std::string id;  ///< "layers.4", "layers.4:end" or a node's name
    std::string fqn; ///< module whose code begins (or ends) here
    Cut cut;

    friend bool operator==(const SplitPoint &, const SplitPoint &) = default;
};

/// Module boundaries first where a position has one (the outermost module that begins there), else the node's name.
/// One entry per position, in order.
[[nodiscard]] std::vector<SplitPoint> splitPoints(const graph::ModelGraph &graph);

/// Turns `--split` words into cut positions, ascending and without duplicates.
/// - `layers.4`: before every call of that module (as upstream's SplitPoint.BEGINNING); `layers.4:end`: after every call;
/// - a node's name (`layers.0.fc1/aten::linear`): before that node;
/// - `markers`: at the author's markers;
/// Empty partitions (a split before the first or after the last node, two splits at one place) are dropped, and reported in
/// `dropped` by their words. Whole numbers ("4" stages) are the balancer's and refused here.
/// Errors: NotFound with the nearest names; IllegalCut with the cut's reason; Unsupported for a module that is only called
/// inside an if or a loop, or never.
Result<std::vector<int>> resolveSplits(const graph::ModelGraph &graph, const std::vector<std::string> &words,
                                       std::vector<std::string> *dropped = nullptr);

} // namespace pipescope::partition

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
struct SplitPoint
{
    std::string id;  ///< "layers.4", "layers.4:end" or a node's name
    std::string fqn; ///< module whose code begins (or ends) here
    Cut cut;

    friend bool operator==(const SplitPoint &, const SplitPoint &) = default;
};

/// One entry per position, in order. Where calls of submodules begin, the id is the FQN of the outermost that is called
/// only once; else, where calls end, "FQN:end" likewise; else the name of the node there. So every id means one
/// position only, and resolveSplits() gives that position for it. FQNs that are another word of --split ("4",
/// "markers") are not offered.
[[nodiscard]] std::vector<SplitPoint> splitPoints(const graph::ModelGraph &graph);

/// Turns `--split` words into cut positions, ascending and without duplicates.
/// - `layers.4`: before every top-level call of that module (upstream's SplitPoint.BEGINNING); `layers.4:end`: after
/// them;
/// - a node's name (`layers.0.fc1/aten::linear`): before that node;
/// - `markers`: at the author's markers;
/// Empty partitions (a split before the first or after the last node, two splits at one place) are dropped, so that
/// stages are numbered without holes; `dropped` then holds the word, once for each place. Errors: InvalidArgument for
/// an empty word and for a whole number (that is the balancer's); NotFound with the nearest names; IllegalCut with the
/// cut's reason; Unsupported for a module that is never called or only inside an if or a loop, and for nodes and
/// markers inside one.
Result<std::vector<int>> resolveSplits(const graph::ModelGraph &graph, const std::vector<std::string> &words,
                                       std::vector<std::string> *dropped = nullptr);

} // namespace pipescope::partition

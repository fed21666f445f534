#include "pipeline.h"

#include <fmt/format.h>

namespace pipescope::bench {

Result<std::vector<Row>> makespanOverBound(const Peer &peer)
{
    constexpr int Microbatches = 32;
    // Ten products of [256, 512] by [512, 512] a stage: 5 to 10 ms on one core of present machines.
    const Chain chain{20, 512, 512};
    const auto ours = runChain(chain, Microbatches, 7);
    if (!ours)
        return ours.error();
    const double ratio = ours->makespanSeconds / ours->boundSeconds;
    const double stage = ours->stages[0].medianSeconds * 1e3;
    std::vector<Row> rows{
        {"makespan over bound, 2 equal stages", ratio, "ratio", "at most 1.02", ratio <= 1.02,
         fmt::format("stage {:.1f} ms, {} microbatches; bound from the run's own durations", stage, Microbatches)}};
    const auto alone = runChain(chain, 1, 15);
    if (!alone)
        return alone.error();
    const double aloneBound = (Microbatches + 1) * alone->stages[0].medianSeconds;
    rows.push_back({"the same over the bound from stages timed alone", ours->makespanSeconds / aloneBound, "ratio", "",
                    true,
                    fmt::format("stage alone {:.1f} ms: what the second core costs the first is in here",
                                alone->stages[0].medianSeconds * 1e3)});
    if (peer.python.empty())
        return rows;
    const auto theirs = runPeer(peer, chain, Microbatches, 5);
    if (!theirs)
        return theirs.error();
    const double theirBound = (Microbatches + 1) * theirs->stageSeconds;
    rows.push_back(
        {"torch.distributed.pipelining, over its stages timed alone", theirs->makespanSeconds / theirBound, "ratio", "",
         true, fmt::format("stage alone {:.1f} ms; GPipe forward, 2 processes, gloo", theirs->stageSeconds * 1e3)});
    rows.push_back(
        {"our makespan over theirs", ours->makespanSeconds / theirs->makespanSeconds, "ratio", "", true, ""});
    return rows;
}

} // namespace pipescope::bench

#include "pipeline.h"

#include <fmt/format.h>

namespace pipescope::bench {

namespace {

constexpr double ShortestStage = 5e-3;

struct TimedChain
{
    Chain chain;
    double stageSeconds = 0; ///< of one microbatch, with nothing beside it
};

/// Ten products of [rows, 512] by [512, 512] a stage, with so many rows that it takes 5 ms or more on this machine.
Result<TimedChain> chainOfLongStages()
{
    TimedChain timed{{20, 512, 32}, 0};
    for (;; timed.chain.rows *= 2) {
        const auto alone = runChain(timed.chain, 1, 15);
        if (!alone)
            return alone.error();
        timed.stageSeconds = trace::medianSeconds(alone->stages[0].kinds, schedule::ActionKind::Forward);
        if (timed.stageSeconds >= ShortestStage)
            return timed;
    }
}

} // namespace

Result<std::vector<Row>> makespanOverBound(const Peer &peer)
{
    constexpr int Microbatches = 32;
    const auto timed = chainOfLongStages();
    if (!timed)
        return timed.error();
    const Chain &chain = timed->chain;
    const auto ours = runChain(chain, Microbatches, 7);
    if (!ours)
        return ours.error();
    const double ratio = ours->makespanSeconds / ours->boundSeconds;
    const double stage = trace::medianSeconds(ours->stages[0].kinds, schedule::ActionKind::Forward) * 1e3;
    std::vector<Row> rows{{"makespan over bound, 2 equal stages", ratio, "ratio", "at most 1.02", ratio <= 1.02,
                           fmt::format("stage {:.1f} ms, {} rows, {} microbatches; bound from the run's own durations",
                                       stage, chain.rows, Microbatches)}};
    const double aloneBound = (Microbatches + 1) * timed->stageSeconds;
    rows.push_back({"the same over the bound from stages timed alone", ours->makespanSeconds / aloneBound, "ratio", "",
                    true,
                    fmt::format("stage alone {:.1f} ms: what the second core costs the first is in here",
                                timed->stageSeconds * 1e3)});
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

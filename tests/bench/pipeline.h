// A two-stage pipeline on two ranks, and upstream's measurement of the same.
#pragma once

#include "bench.h"
#include "import/imported_model.h"
#include "trace/trace_stats.h"

namespace pipescope::bench {

/// A chain of `layers` products of a [width, width] weight, split in the middle; rows of `width`.
struct Chain
{
    int layers = 2;
    int width = 8;
    int rows = 1;
};

[[nodiscard]] torch::jit::Module makeChain(const Chain &chain);

/// Statistics of the run with the median makespan of `repeats`, after one warm-up: two stages on two ranks of one
/// thread.
Result<trace::Stats> runChain(const Chain &chain, int microbatches, int repeats);

struct PeerFigures
{
    double makespanSeconds = 0;
    double stageSeconds = 0; ///< of one microbatch, alone in its process
};

/// Upstream's GPipe on two gloo processes with the same chain. Error where the script fails.
Result<PeerFigures> runPeer(const Peer &peer, const Chain &chain, int microbatches, int repeats);

} // namespace pipescope::bench

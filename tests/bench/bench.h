// A benchmark is one function that gives rows; main.cpp runs them all and prints the table. To add one: write its file,
// declare it here, add it to the list in main.cpp.
#pragma once

#include "table.h"

#include <string>
#include <vector>

namespace pipescope::bench {

struct Peer
{
    std::string python; ///< with torch.distributed; "" when there is none
    std::string script; ///< tests/bench/torch_peer.py
};

/// Cost of an action with stages that do next to nothing, ours beside upstream's.
Result<std::vector<Row>> actionCost(const Peer &peer);
/// Makespan over its bound with two equal stages of some milliseconds, ours beside upstream's.
Result<std::vector<Row>> makespanOverBound(const Peer &peer);
/// Importing a model of 10 000 operators.
Result<std::vector<Row>> importTime();
/// What a run leaves resident: it must not follow the number of microbatches.
Result<std::vector<Row>> heldMemory();
/// The most memory that loading, running in 4 stages and checking take: a decoder of more than 1 GiB.
Result<std::vector<Row>> peakOfCheckedRun();
/// The example decoder as a pipeline beside the unsplit model with all threads.
Result<std::vector<Row>> throughput();
/// All-reduce and all-gather of 64 MiB on two ranks over the memcpy of the bytes that must move.
Result<std::vector<Row>> collectives();
/// The cheapest plan on a mesh of three dimensions, and who holds what on 4 096 ranks.
Result<std::vector<Row>> layoutQuestions();

} // namespace pipescope::bench

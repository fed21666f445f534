#include "pipeline.h"

namespace pipescope::bench {

// Two ranks work at once, so a run of M microbatches of nothing takes about M times what one action costs.
Result<std::vector<Row>> actionCost(const Peer &peer)
{
    constexpr int Microbatches = 256;
    const Chain chain{2, 8, 1};
    const auto ours = runChain(chain, Microbatches, 21);
    if (!ours)
        return ours.error();
    const double cost = ours->makespanSeconds / Microbatches * 1e6;
    std::vector<Row> rows{
        {"cost per action, empty stages", cost, "µs", "at most 20 µs", cost <= 20, "2 ranks, 256 microbatches"}};
    if (peer.python.empty())
        return rows;
    const auto theirs = runPeer(peer, chain, Microbatches, 5);
    if (!theirs)
        return theirs.error();
    const double theirCost = theirs->makespanSeconds / Microbatches * 1e6;
    rows.push_back(
        {"the same, torch.distributed.pipelining", theirCost, "µs", "", true, "GPipe forward, 2 processes, gloo"});
    rows.push_back({"ours over theirs", cost / theirCost, "ratio", "at most 0.05", cost / theirCost <= 0.05, ""});
    return rows;
}

} // namespace pipescope::bench

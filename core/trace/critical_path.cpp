#include "trace/critical_path.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace pipescope::trace {

namespace {

using Feeders = std::map<StageId, std::set<StageId>>;

// Which stages feed which, as the transfers show.
Feeders feedersOf(const Trace &trace)
{
    Feeders feeders;
    for (const Event &event : trace.events) {
        if (!event.stage.valid() || !event.peer.valid())
            continue;
        const bool comesIn =
            event.kind == EventKind::Receive || (event.kind == EventKind::Wait && event.cause == WaitCause::Input);
        if (comesIn)
            feeders[event.stage].insert(event.peer);
        if (event.kind == EventKind::Send)
            feeders[event.peer].insert(event.stage);
    }
    return feeders;
}

std::vector<const Event *> computesInOrder(const Trace &trace)
{
    std::vector<const Event *> computes;
    for (const Event &event : trace.events)
        if (event.kind == EventKind::Compute)
            computes.push_back(&event);
    // What feeds a compute ends before it begins; the stage decides where a coarse clock shows both at one moment.
    std::stable_sort(computes.begin(), computes.end(), [](const Event *a, const Event *b) {
        return std::tuple(a->beginNs, a->endNs, a->stage) < std::tuple(b->beginNs, b->endNs, b->stage);
    });
    return computes;
}

std::uint64_t key(StageId stage, MicrobatchId microbatch)
{
    return (std::uint64_t{static_cast<std::uint32_t>(stage.value)} << 32) |
           static_cast<std::uint32_t>(microbatch.value);
}

} // namespace

double criticalPathSeconds(const Trace &trace)
{
    const Feeders feeders = feedersOf(trace);
    std::unordered_map<RankId, double> rankFree;
    std::unordered_map<std::uint64_t, double> done; // by stage and microbatch
    double longest = 0;
    for (const Event *event : computesInOrder(trace)) {
        double start = rankFree[event->rank];
        const auto follow = [&](StageId feeder) {
            if (const auto found = done.find(key(feeder, event->microbatch)); found != done.end())
                start = std::max(start, found->second);
        };
        if (const auto known = feeders.find(event->stage); known != feeders.end())
            std::for_each(known->second.begin(), known->second.end(), follow);
        else if (feeders.empty())
            follow(StageId{event->stage.value - 1});
        const double end = start + secondsOf(*event);
        rankFree[event->rank] = end;
        done[key(event->stage, event->microbatch)] = end;
        longest = std::max(longest, end);
    }
    return longest;
}

} // namespace pipescope::trace

#include "trace/critical_path.h"

#include "schedule/needs.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace pipescope::trace {

namespace {

std::vector<const Event *> computesInOrder(const Trace &trace)
{
    std::vector<const Event *> computes;
    for (const Event &event : trace.events)
        if (event.kind == EventKind::Compute && hasRank(trace, event.rank))
            computes.push_back(&event);
    // What feeds a compute ends before it begins; the stage decides where a coarse clock shows both at one moment.
    std::stable_sort(computes.begin(), computes.end(), [](const Event *a, const Event *b) {
        return std::tuple(a->beginNs, a->endNs, a->stage) < std::tuple(b->beginNs, b->endNs, b->stage);
    });
    return computes;
}

} // namespace

double criticalPathSeconds(const Trace &trace, const schedule::Feeds &feeds)
{
    std::unordered_map<RankId, double> rankFree;
    std::unordered_map<schedule::ActionKey, double> done; // by result
    double longest = 0;
    for (const Event *event : computesInOrder(trace)) {
        double start = rankFree[event->rank];
        for (const schedule::ActionKey &need : schedule::needs(keyOf(*event), feeds))
            if (const auto found = done.find(need); found != done.end())
                start = std::max(start, found->second);
        const double end = start + secondsOf(*event);
        rankFree[event->rank] = end;
        done[schedule::resultOf(keyOf(*event))] = end;
        longest = std::max(longest, end);
    }
    return longest;
}

} // namespace pipescope::trace

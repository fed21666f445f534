#include "trace/trace_feeds.h"

#include <algorithm>
#include <set>

namespace pipescope::trace {

bool hasTransfers(const Trace &trace)
{
    return std::any_of(trace.events.begin(), trace.events.end(), [&](const Event &event) {
        return event.rank.valid() && event.rank.value < trace.ranks &&
               (event.kind == EventKind::Send || event.kind == EventKind::Receive);
    });
}

schedule::Feeds feedsOf(const Trace &trace)
{
    const int stages = std::max(0, trace.stages);
    if (!hasTransfers(trace))
        return schedule::Feeds::chain(stages);
    std::set<schedule::Feeds::Edge> edges; // few, however long the run
    for (const Event &event : trace.events) {
        const bool goesBetween = event.kind == EventKind::Send || event.kind == EventKind::Receive ||
                                 (event.kind == EventKind::Wait && event.cause == WaitCause::Input);
        const auto [from, to] = std::minmax(event.stage, event.peer);
        if (goesBetween && from.valid() && from != to && to.value < stages)
            edges.insert({from, to});
    }
    return {stages, {edges.begin(), edges.end()}};
}

} // namespace pipescope::trace

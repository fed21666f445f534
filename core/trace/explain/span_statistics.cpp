#include "trace/explain/span_statistics.h"

#include <algorithm>
#include <limits>

namespace pipescope::trace {

double SpanStatistics::shareOf(Use use) const
{
    const double all = span.spanNs() * ranks;
    return all > 0 ? totals.nsOf(use) / all : 0;
}

double SpanStatistics::bubbleShare() const
{
    if (span.spanNs() <= 0 || ranks == 0)
        return 0;
    double share = 1;
    for (const schedule::ActionKind kind : ComputeKinds)
        share -= shareOf(useOf(kind));
    return share;
}

SpanStatistics spanStatistics(const Explanation &explained, TimeRange span, RankId rank)
{
    SpanStatistics statistics;
    const TimeRange run = explained.run();
    statistics.span.beginNs = std::clamp(span.beginNs, run.beginNs, run.endNs);
    statistics.span.endNs = std::clamp(span.endNs, statistics.span.beginNs, run.endNs);
    // An action that lasts no time at the very end of the run would belong to no stretch.
    TimeRange asked = statistics.span;
    if (asked.endNs == run.endNs && asked.spanNs() > 0 && run.endNs < std::numeric_limits<std::int64_t>::max())
        ++asked.endNs;
    for (const Lane &lane : explained.lanes()) {
        if (rank.valid() && lane.rank != rank)
            continue;
        ++statistics.ranks;
        statistics.totals.add(lane.totals.in(asked, lane.slices, lane.bubbles, explained.trace()));
    }
    return statistics;
}

} // namespace pipescope::trace

// Where the time went: what the ranks did in a stretch of a run, in sums and shares.
#pragma once

#include "trace/explain/explanation.h"

namespace pipescope::trace {

struct SpanStatistics
{
    TimeRange span; ///< the part of the run that was asked for
    int ranks = 0;
    Totals totals; ///< of all those ranks

    /// Of the time of all those ranks, 0 to 1.
    [[nodiscard]] double shareOf(Use use) const;
    /// All but computing.
    [[nodiscard]] double bubbleShare() const;
};

/// Of one rank or, where it is invalid, of all. What of `span` lies outside the run is left out.
[[nodiscard]] SpanStatistics spanStatistics(const Explanation &explained, TimeRange span, RankId rank = {});

} // namespace pipescope::trace

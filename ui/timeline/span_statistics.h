// Where the time went: what the ranks did in a stretch of a run, in sums and shares.
#pragma once

#include "timeline/lane_model.h"

#include <QString>
#include <vector>

namespace pipescope::timeline {

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
[[nodiscard]] SpanStatistics spanStatistics(const LaneModel &model, TimeRange span, RankId rank = {});

/// "forward", "fill", "wait for input", ...
[[nodiscard]] QString useName(Use use);

} // namespace pipescope::timeline

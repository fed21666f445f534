// Two runs in words.
#pragma once

#include "trace/trace_stats.h"

#include <QString>

namespace pipescope::timeline {

struct NamedStats
{
    QString name; ///< "Run 3"
    trace::Stats stats;
};

/// "bubble 36.5 % · makespan 134 ms · bound 133 ms".
[[nodiscard]] QString figuresText(const trace::Stats &stats);

/// How the first differs from the second: "Run 3 takes 12.3 ms (8.4 %) less than Run 2. Its bubbles are 36.5 % of the
/// time, 4.2 points fewer than 40.7 %."
[[nodiscard]] QString comparisonText(const NamedStats &first, const NamedStats &second);

} // namespace pipescope::timeline

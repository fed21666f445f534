// What there is to say of what is selected: where the time went, and facts. Plain values; selection_summary.h shows
// them.
#pragma once

#include "session/selection.h"
#include "timeline/shown_runs.h"
#include "trace/explain/span_statistics.h"

#include <QString>
#include <optional>
#include <vector>

namespace pipescope::timeline {

struct Summary
{
    struct Share
    {
        trace::Use use;
        double share = 0;            ///< of the time of the ranks that are meant
        std::optional<double> other; ///< of the run that is compared with
    };
    struct Fact
    {
        QString name;
        QString value;
        QString other; ///< of the run that is compared with; may be empty
    };

    QString title;
    QString subtitle;
    QString run;               ///< that it is of, or those, as the list of runs has them
    std::vector<Share> shares; ///< without those that are nothing in all runs
    std::vector<Fact> facts;
    QStringList runs; ///< names of the two columns, empty where there is one
};

/// Of what is outlined or selected, else of the whole run. Empty where there is no run.
[[nodiscard]] Summary summaryOf(const ShownRuns &runs, const session::Selected &selected,
                                const std::optional<Spot> &current);

} // namespace pipescope::timeline

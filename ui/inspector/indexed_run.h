// A run with where its events are and since when its ranks could have begun what they began late: found when first
// asked for, and kept with the run. A trace may hold a million events, and the inspector asks at each thing that is
// selected.
#pragma once

#include "report/run_report.h"
#include "trace/late_starts.h"
#include "trace/trace_index.h"

#include <memory>
#include <optional>

namespace pipescope::inspector {

class IndexedRun
{
public:
    /// `run` may be null: then there is nothing to find.
    explicit IndexedRun(std::shared_ptr<const report::RunReport> run = nullptr);

    [[nodiscard]] const std::shared_ptr<const report::RunReport> &run() const { return m_run; }
    [[nodiscard]] const trace::TraceIndex &index() const;
    [[nodiscard]] const trace::LateStarts &lateStarts() const;

private:
    std::shared_ptr<const report::RunReport> m_run;
    mutable std::optional<trace::TraceIndex> m_index;
    mutable std::optional<trace::LateStarts> m_late;
};

} // namespace pipescope::inspector

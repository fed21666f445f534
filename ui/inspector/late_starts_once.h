// Since when a run's ranks could have begun what they began late: found when it is first asked for, and kept with the
// run. A trace may hold a million events, and the inspector asks at each thing that is selected.
#pragma once

#include "report/run_report.h"
#include "trace/late_starts.h"

#include <memory>
#include <optional>

namespace pipescope::inspector {

class LateStartsOnce
{
public:
    /// `run` may be null.
    explicit LateStartsOnce(std::shared_ptr<const report::RunReport> run = nullptr);

    [[nodiscard]] const std::shared_ptr<const report::RunReport> &run() const { return m_run; }
    /// Nothing without a run.
    [[nodiscard]] const trace::LateStarts &found() const;

private:
    std::shared_ptr<const report::RunReport> m_run;
    mutable std::optional<trace::LateStarts> m_found;
};

} // namespace pipescope::inspector

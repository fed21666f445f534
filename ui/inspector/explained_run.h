// A run with what explains it: found when first asked for, and kept with the run. A trace may hold a million events,
// and the inspector asks at each thing that is selected.
#pragma once

#include "report/traced_run.h"
#include "trace/explain/explanation.h"

#include <memory>
#include <optional>

namespace pipescope::inspector {

class ExplainedRun
{
public:
    /// `run` may be null: then there is nothing to find.
    explicit ExplainedRun(std::shared_ptr<const report::TracedRun> run = nullptr);

    [[nodiscard]] const std::shared_ptr<const report::TracedRun> &run() const { return m_run; }
    [[nodiscard]] const trace::Explanation &explained() const;

private:
    std::shared_ptr<const report::TracedRun> m_run;
    mutable std::optional<trace::Explanation> m_explained;
};

} // namespace pipescope::inspector

#include "inspector/explained_run.h"

namespace pipescope::inspector {

ExplainedRun::ExplainedRun(std::shared_ptr<const report::TracedRun> run)
    : m_run(std::move(run))
{
}

const trace::Explanation &ExplainedRun::explained() const
{
    static const trace::Trace nothing;
    if (!m_explained)
        m_explained.emplace(m_run ? m_run->trace : nothing);
    return *m_explained;
}

} // namespace pipescope::inspector

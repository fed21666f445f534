#include "inspector/late_starts_once.h"

namespace pipescope::inspector {

LateStartsOnce::LateStartsOnce(std::shared_ptr<const report::RunReport> run)
    : m_run(std::move(run))
{
}

const trace::LateStarts &LateStartsOnce::found() const
{
    if (!m_found)
        m_found = m_run ? trace::lateStarts(m_run->trace) : trace::LateStarts();
    return *m_found;
}

} // namespace pipescope::inspector

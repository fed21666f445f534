#include "inspector/indexed_run.h"

namespace pipescope::inspector {

IndexedRun::IndexedRun(std::shared_ptr<const report::RunReport> run)
    : m_run(std::move(run))
{
}

const trace::TraceIndex &IndexedRun::index() const
{
    if (!m_index)
        m_index = m_run ? trace::TraceIndex(m_run->trace) : trace::TraceIndex();
    return *m_index;
}

const trace::LateStarts &IndexedRun::lateStarts() const
{
    if (!m_late)
        m_late = m_run ? trace::lateStarts(m_run->trace) : trace::LateStarts();
    return *m_late;
}

} // namespace pipescope::inspector

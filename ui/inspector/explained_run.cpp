#include "inspector/explained_run.h"

#include <utility>

namespace pipescope::inspector {

namespace {

/// Keeps the run, which the explanation refers to.
std::shared_ptr<const trace::Explanation> explain(std::shared_ptr<const report::TracedRun> run)
{
    struct Both
    {
        std::shared_ptr<const report::TracedRun> run;
        trace::Explanation explanation{run->trace};
    };
    const auto both = std::make_shared<const Both>(Both{std::move(run)});
    return {both, &both->explanation};
}

} // namespace

void ExplainedRun::setRun(std::shared_ptr<const report::TracedRun> run)
{
    if (run == m_run)
        return;
    m_thread.cancel();
    m_explanation.reset();
    m_run = std::move(run);
}

const trace::Explanation *ExplainedRun::explanation()
{
    if (m_explanation || !m_run)
        return m_explanation.get();
    m_explanation = m_lend ? m_lend(m_run->trace) : nullptr;
    if (!m_explanation && m_run->trace.events.size() <= MostAtOnce)
        m_explanation = explain(m_run);
    if (m_explanation)
        m_thread.cancel();
    else if (!m_thread.isBusy())
        m_thread.start([run = m_run](const std::stop_token &) { return explain(run); },
                       [this](std::shared_ptr<const trace::Explanation> made) {
                           m_explanation = std::move(made);
                           Q_EMIT explained();
                       });
    return m_explanation.get();
}

} // namespace pipescope::inspector

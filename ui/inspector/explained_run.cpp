#include "inspector/explained_run.h"

#include <utility>

namespace pipescope::inspector {

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

ExplainedRun::ExplainedRun(Explain explainRun, QObject *parent)
    : QObject(parent)
    , m_explain(explainRun)
{
}

void ExplainedRun::setRun(std::shared_ptr<const report::TracedRun> run)
{
    if (run == m_run)
        return;
    m_thread.cancel();
    m_explanation.reset();
    m_failure.reset();
    m_run = std::move(run);
}

const trace::Explanation *ExplainedRun::explanation()
{
    if (m_explanation || !m_run)
        return m_explanation.get();
    Lent lent = m_lend ? m_lend(m_run->trace) : Lent();
    m_explanation = std::move(lent.explanation);
    if (!m_explanation && m_run->trace.events.size() <= MostAtOnce)
        m_explanation = m_explain(m_run);
    if (m_explanation) {
        m_thread.cancel();
        m_failure.reset();
    } else if (!lent.isUnderWay && !m_failure && !m_thread.isBusy()) {
        const auto work = [run = m_run, explainRun = m_explain](const std::stop_token &stop) -> Made {
            if (stop.stop_requested())
                return Error{ErrorCode::Cancelled, "stopped before the run was explained", {}, {}};
            return explainRun(run);
        };
        m_thread.start(work, [this](Made made) { finish(std::move(made)); });
    }
    return m_explanation.get();
}

void ExplainedRun::finish(Made made)
{
    if (made)
        m_explanation = *std::move(made);
    else
        m_failure = made.error();
    Q_EMIT explained();
}

} // namespace pipescope::inspector

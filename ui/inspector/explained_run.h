// A run with the explanation of its trace, for all that the inspector tells of the run's actions and times. A view that
// shows the trace lends its explanation; else one is made, beside the window where the trace is long.
#pragma once

#include "base/result.h"
#include "report/traced_run.h"
#include "session/side_thread.h"
#include "trace/explain/explanation.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace pipescope::inspector {

/// The run's trace explained. The explanation keeps the run alive. Throws std::bad_alloc.
[[nodiscard]] std::shared_ptr<const trace::Explanation> explain(std::shared_ptr<const report::TracedRun> run);

class ExplainedRun : public QObject
{
    Q_OBJECT

public:
    /// A trace of more events is explained beside the window.
    static constexpr std::size_t MostAtOnce = 20'000;

    /// An explanation of a view that shows the trace.
    struct Lent
    {
        std::shared_ptr<const trace::Explanation> explanation = {}; ///< keeps the trace alive; null where there is none
        bool isUnderWay = false; ///< the view is making one: none is made here, and the view tells when it is ready
    };
    using Lend = std::function<Lent(const trace::Trace &)>;
    /// As explain(). Called on another thread where the trace is long.
    using Explain = decltype(&explain);

    explicit ExplainedRun(Explain explainRun = &explain, QObject *parent = nullptr);

    void setLend(Lend lend) { m_lend = std::move(lend); }
    /// May be null: then there is nothing to explain.
    void setRun(std::shared_ptr<const report::TracedRun> run);
    /// Null for no run, for a failure(), while the explanation is made, when explained() follows, and while the view
    /// that lends it makes it.
    [[nodiscard]] const trace::Explanation *explanation();
    /// Why the run could not be explained beside the window; nullopt where it was, and before that. The message is a
    /// clause. It stands until another run is set.
    [[nodiscard]] const std::optional<Error> &failure() const { return m_failure; }

Q_SIGNALS:
    /// There is an explanation(), or a failure().
    void explained();

private:
    using Made = Result<std::shared_ptr<const trace::Explanation>>;

    void finish(Made made);

    const Explain m_explain;
    std::shared_ptr<const report::TracedRun> m_run;
    std::shared_ptr<const trace::Explanation> m_explanation;
    std::optional<Error> m_failure;
    Lend m_lend;
    session::SideThread m_thread{session::SideThread::Older::Stopped};
};

} // namespace pipescope::inspector

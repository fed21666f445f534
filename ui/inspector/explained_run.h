// A run with the explanation of its trace, for all that the inspector tells of the run's actions and times. A view that
// shows the trace lends its explanation; else one is made, beside the window where the trace is long.
#pragma once

#include "report/traced_run.h"
#include "session/side_thread.h"
#include "trace/explain/explanation.h"

#include <QObject>
#include <functional>
#include <memory>

namespace pipescope::inspector {

class ExplainedRun : public QObject
{
    Q_OBJECT

public:
    /// A trace of more events is explained beside the window.
    static constexpr std::size_t MostAtOnce = 20'000;

    /// Null where nobody has explained the trace. Else it keeps the trace alive.
    using Lend = std::function<std::shared_ptr<const trace::Explanation>(const trace::Trace &)>;

    using QObject::QObject;

    void setLend(Lend lend) { m_lend = std::move(lend); }
    /// May be null: then there is nothing to explain.
    void setRun(std::shared_ptr<const report::TracedRun> run);
    /// Null for no run, and while the explanation is made: explained() follows.
    [[nodiscard]] const trace::Explanation *explanation();

Q_SIGNALS:
    void explained();

private:
    std::shared_ptr<const report::TracedRun> m_run;
    std::shared_ptr<const trace::Explanation> m_explanation;
    Lend m_lend;
    session::SideThread m_thread{session::SideThread::Older::Stopped};
};

} // namespace pipescope::inspector

#include "mainwindow/engine_watch.h"

#include <chrono>

namespace pipescope::mainwindow {

namespace {

using namespace std::chrono_literals;
using State = session::EngineClient::State;

constexpr auto SilentEngine = "silentEngine";

QString timeText(std::chrono::milliseconds time)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return seconds < 2min ? EngineWatch::tr("%1 s").arg(seconds.count())
                          : EngineWatch::tr("%1 min").arg(std::chrono::floor<std::chrono::minutes>(seconds).count());
}

} // namespace

EngineWatch::EngineWatch(Workspace &workspace, Reports &reports, NoticeArea &notices)
    : m_workspace(workspace)
    , m_reports(reports)
    , m_notices(notices)
{
    m_second.setInterval(1s);
    connect(&m_second, &QTimer::timeout, this, [this] { m_notices.reword(SilentEngine, text()); });
    connect(&m_workspace.engine, &session::EngineClient::stateChanged, this, &EngineWatch::follow);
}

void EngineWatch::follow()
{
    const session::EngineClient &engine = m_workspace.engine;
    if (engine.isUnresponsive()) {
        if (!m_second.isActive())
            tell();
        return;
    }
    m_second.stop();
    if (engine.state() != State::Off) // else another one is offered
        m_notices.remove(SilentEngine);
}

void EngineWatch::tell()
{
    m_second.start();
    m_reports.log(text());
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    notice.text = text();
    notice.links = {{tr("Stop the engine"), [this] { stopEngine(); }},
                    {tr("Show log"), [this] { Q_EMIT m_reports.logAsked(); }}};
    m_notices.post(SilentEngine, notice);
}

QString EngineWatch::text() const
{
    return tr("The engine does not answer: %1 was cancelled %2 ago and has not ended. It may end yet; to stop the "
              "engine ends it at once, and the plan and all runs stay.")
        .arg(shortened(m_workspace.engine.doing(), LongestStep), timeText(m_workspace.engine.cancelledFor()));
}

void EngineWatch::stopEngine()
{
    Notice notice;
    notice.kind = Notice::Kind::Information;
    notice.text = tr("The engine was stopped while %1. The plan and all runs are as they were.")
                      .arg(shortened(m_workspace.engine.doing(), LongestStep));
    notice.links = {{tr("Restart engine"), [this] { m_reports.restartEngine(); }, true},
                    {tr("Show log"), [this] { Q_EMIT m_reports.logAsked(); }}};
    m_workspace.engine.stop();
    m_notices.post(SilentEngine, notice);
}

} // namespace pipescope::mainwindow

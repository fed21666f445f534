#include "session/run_controller.h"

#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

namespace pipescope::session {

namespace {

using namespace std::chrono_literals;

constexpr auto LiveInterval = 33ms;
constexpr int LiveShare = 8; ///< snapshots take at most one such part of the time

QString modelName(const plan::Plan &plan)
{
    return QFileInfo(QString::fromStdString(plan.model)).fileName();
}

} // namespace

RunController::RunController(Document &document, EngineClient &engine, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_engine(engine)
{
    m_liveTimer.setSingleShot(true);
    connect(&m_liveTimer, &QTimer::timeout, this, &RunController::liveChanged);
    connect(&m_engine, &EngineClient::traced, this, &RunController::note);
    connect(&m_document, &Document::pathChanged, this, [this] {
        // Saving under a name is no other document: its model stays.
        if (m_document.model())
            return;
        cancel();
        if (!std::exchange(m_runs, {}).empty())
            Q_EMIT runsChanged();
    });
}

void RunController::look(Look look)
{
    if (m_looking)
        m_engine.cancel(*m_looking);
    const plan::Plan &plan = m_document.plan();
    report::InspectRequest request;
    request.model = plan.model;
    request.method = plan.method;
    request.opLibraries = plan.opLibraries;
    request.seed = plan.seed;
    request.threads = plan.threadsPerRank;
    request.grad = plan.grad;
    request.structureOnly = look == Look::Reading;
    if (look == Look::Profiling)
        request.inputs = plan.inputs;
    const auto id = std::make_shared<std::int64_t>();
    const auto done = [self = QPointer(this), id](const Result<report::Inspection> &answer) {
        if (self)
            self->looked(*id, answer);
    };
    *id = look == Look::Profiling
              ? m_engine.ask<protocol::ProfileCall>(tr("profiling %1").arg(modelName(plan)), request, done)
              : m_engine.ask<protocol::LoadCall>(tr("loading %1").arg(modelName(plan)), request, done);
    m_looking = *id;
    Q_EMIT stateChanged();
}

void RunController::run()
{
    report::RunRequest request;
    request.plan = m_document.plan();
    request.warmUps = m_settings.warmUps;
    request.repeat = m_settings.repeat;
    request.check = m_settings.check;
    askRun<protocol::RunCall>(tr("running %1").arg(modelName(request.plan)), request);
}

void RunController::check()
{
    report::RunRequest request;
    request.plan = m_document.plan();
    request.warmUps = 0;
    askRun<protocol::CheckCall>(tr("checking %1").arg(modelName(request.plan)), request);
}

template <class Call>
void RunController::askRun(const QString &title, const report::RunRequest &request)
{
    if (m_running)
        return;
    m_isCheck = std::is_same_v<Call, protocol::CheckCall>;
    m_running = m_engine.ask<Call>(title, request, [self = QPointer(this)](const auto &answer) {
        if (self)
            self->ran(answer);
    });
    Q_EMIT stateChanged();
}

void RunController::setSettings(const RunSettings &settings)
{
    if (std::exchange(m_settings, settings) != settings)
        Q_EMIT settingsChanged();
}

void RunController::cancel()
{
    for (const std::optional<std::int64_t> &request : {m_looking, m_running})
        if (request)
            m_engine.cancel(*request);
}

void RunController::looked(std::int64_t request, const Result<report::Inspection> &answer)
{
    if (m_looking != request) // a later look has taken its place
        return;
    m_looking.reset();
    if (!answer)
        return fail(answer.error());
    m_lastError.reset();
    m_document.setModel(std::make_shared<const report::Inspection>(*answer));
    Q_EMIT stateChanged();
}

void RunController::ran(const Result<report::RunReport> &answer)
{
    m_running.reset();
    if (!answer) {
        endLive();
        return fail(answer.error());
    }
    m_lastError.reset();
    m_runs.push_back(std::make_shared<const report::RunReport>(*answer));
    m_wasCheck = m_isCheck;
    m_live.clear();
    Q_EMIT runsChanged(); // before the live trace goes, so that who shows it has something to go over to
    endLive();
    Q_EMIT stateChanged();
    Q_EMIT finished();
}

void RunController::fail(const Error &error)
{
    m_lastError = error;
    Q_EMIT stateChanged();
    Q_EMIT failed();
}

void RunController::note(std::int64_t request, const protocol::TraceNote &note)
{
    if (request != m_running)
        return;
    m_live.add(note);
    m_isLive = true;
    if (!m_liveTimer.isActive())
        m_liveTimer.start(std::max<std::chrono::milliseconds>(
            LiveInterval, std::chrono::duration_cast<std::chrono::milliseconds>(LiveShare * m_live.cost())));
}

void RunController::endLive()
{
    m_live.clear();
    m_liveTimer.stop();
    if (std::exchange(m_isLive, false))
        Q_EMIT liveChanged();
}

} // namespace pipescope::session

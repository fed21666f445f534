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

/// All that the answer depends on, so that one for another plan can be told.
report::InspectRequest requestFor(const plan::Plan &plan, RunController::Look look)
{
    report::InspectRequest request;
    request.model = plan.model;
    request.structureOnly = look == RunController::Look::Reading;
    if (request.structureOnly) // which lists all methods and loads nothing
        return request;
    request.method = plan.method;
    request.opLibraries = plan.opLibraries;
    if (look != RunController::Look::Profiling)
        return request;
    request.inputs = plan.inputs;
    request.seed = plan.seed;
    request.threads = plan.threadsPerRank;
    request.grad = plan.grad;
    return request;
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
    connect(&m_document, &Document::modelChanged, this, [this] { m_stamp = modelStamp(); });
    connect(&m_document, &Document::planChanged, this, &RunController::followPlan);
    connect(&m_document, &Document::planChanged, this, &RunController::compareWithPlan);
    connect(&m_document, &Document::pathChanged, this, [this] {
        // Saving under a name is no other document: its model stays.
        if (m_document.model())
            return;
        forget();
        m_runs.clear();
        compareWithPlan();
        Q_EMIT runsChanged(); // even without runs: one that did not end may still be shown
    });
}

void RunController::look(Look look)
{
    if (m_looking)
        m_engine.cancel(*m_looking);
    m_afterReading = {};
    const plan::Plan &plan = m_document.plan();
    const report::InspectRequest request = requestFor(plan, look);
    report::InspectRequest sent = request;
    if (look != Look::Reading)
        sent.expectedSha256 = knownSha256();
    m_isSecondLook = false;
    const auto id = std::make_shared<std::int64_t>();
    const auto done = [self = QPointer(this), id, look, request](const Result<report::Inspection> &answer) {
        if (self)
            self->looked(*id, look, request, answer);
    };
    *id = look == Look::Profiling
              ? m_engine.ask<protocol::ProfileCall>(tr("profiling %1").arg(modelName(plan)), sent, done)
              : m_engine.ask<protocol::LoadCall>(tr("loading %1").arg(modelName(plan)), sent, done);
    m_looking = *id;
    m_lookedFor = requestFor(plan, Look::Loading);
    Q_EMIT stateChanged();
}

/// Only the file that was looked at may run: that one is trusted, and its graph is what the plan is about.
std::string RunController::knownSha256() const
{
    const auto model = m_document.model();
    return model && model->path == m_document.plan().model ? model->sha256 : std::string();
}

/// What failed for its file may have failed because that is another by now. Then what is known is of another, and
/// whether to trust it is to be asked.
void RunController::lookAgainAfter(const Error &error)
{
    if (!m_document.model() || error.code != ErrorCode::InvalidFile || error.where != m_document.plan().model)
        return;
    look(Look::Reading);
    m_isSecondLook = true;
}

/// A model that is loaded is one method of it: another method, by an edit or its undoing, is another graph.
void RunController::followPlan()
{
    const auto model = m_document.model();
    if (!model || (model->structureOnly && !model->loadRefused) || m_looking || !m_lookedFor)
        return;
    const report::InspectRequest request = requestFor(m_document.plan(), Look::Loading);
    if (request.model == m_lookedFor->model && request.method != m_lookedFor->method)
        look(Look::Loading);
}

RunController::FileStamp RunController::modelStamp() const
{
    const QFileInfo file(QString::fromStdString(m_document.plan().model));
    return {file.lastModified(), file.size()};
}

/// Whose code may run was answered for the file as it was read.
bool RunController::readsFirst(const std::function<void()> &then)
{
    if (m_running || !m_document.model() || modelStamp() == m_stamp)
        return false;
    look(Look::Reading);
    m_afterReading = then;
    return true;
}

/// What waited for it goes on where the file is the same, only written again.
bool RunController::readAgain(const report::Inspection &found)
{
    const auto then = std::exchange(m_afterReading, {});
    if (!then)
        return false;
    const auto known = m_document.model();
    if (!known || known->sha256 != found.sha256) {
        Q_EMIT modelReplaced();
        return false;
    }
    m_stamp = modelStamp();
    then();
    return true;
}

void RunController::profile()
{
    if (!readsFirst([this] { profile(); }))
        look(Look::Profiling);
}

void RunController::run()
{
    if (readsFirst([this] { run(); }))
        return;
    report::RunRequest request;
    request.plan = m_document.plan();
    request.warmUps = m_settings.warmUps;
    request.repeat = m_settings.repeat;
    request.check = m_settings.check;
    askRun<protocol::RunCall>(tr("running %1").arg(modelName(request.plan)), request);
}

void RunController::check()
{
    if (readsFirst([this] { check(); }))
        return;
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
    report::RunRequest sent = request;
    sent.expectedSha256 = knownSha256();
    m_isCheck = std::is_same_v<Call, protocol::CheckCall>;
    const auto id = std::make_shared<std::int64_t>();
    *id = m_engine.ask<Call>(title, sent, [self = QPointer(this), id](const auto &answer) {
        if (self)
            self->ran(*id, answer);
    });
    m_running = *id;
    m_planBegun = request.plan;
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

/// What was asked for a document that is gone is nobody's, even where the engine answers it before it hears of that.
void RunController::forget()
{
    cancel();
    const bool wasBusy = m_looking || m_running;
    m_looking.reset();
    m_running.reset();
    m_lookedFor.reset();
    m_afterReading = {};
    endLive();
    if (wasBusy)
        Q_EMIT stateChanged();
}

void RunController::looked(std::int64_t id, Look asked, const report::InspectRequest &request,
                           const Result<report::Inspection> &answer)
{
    if (m_looking != id) // a later look has taken its place
        return;
    m_looking.reset();
    if (!answer) {
        m_afterReading = {};
        fail(answer.error());
        if (asked != Look::Reading)
            lookAgainAfter(answer.error());
        return;
    }
    const plan::Plan &plan = m_document.plan();
    if (requestFor(plan, asked) != request) // the plan was edited meanwhile: this is none of it
        return look(plan.inputs.empty() ? std::min(asked, Look::Loading) : asked);
    if (const auto model = m_document.model(); m_isSecondLook && model && model->sha256 == answer->sha256) {
        Q_EMIT stateChanged();
        return;
    }
    if (!m_isSecondLook)
        m_lastError.reset();
    else if (m_document.model())
        Q_EMIT modelReplaced(); // its hash is another, or this had ended above
    if (!readAgain(*answer))
        m_document.setModel(std::make_shared<const report::Inspection>(*answer));
    Q_EMIT stateChanged();
}

void RunController::ran(std::int64_t id, const Result<report::RunReport> &answer)
{
    if (m_running != id) // of a document that is gone
        return;
    m_running.reset();
    if (!answer) {
        endLive();
        fail(answer.error());
        lookAgainAfter(answer.error());
        return;
    }
    m_lastError.reset();
    m_runs.push_back(std::make_shared<const report::RunReport>(*answer));
    m_wasCheck = m_isCheck;
    m_planRun = m_planBegun;
    m_live.clear();
    compareWithPlan();
    Q_EMIT runsChanged(); // before the live trace goes, so that who shows it has something to go over to
    endLive();
    Q_EMIT stateChanged();
    Q_EMIT finished();
    // The file was replaced since: what is known of its model is of another, and whether to trust it is to be asked.
    const auto model = m_document.model();
    const std::string hash = m_runs.empty() ? std::string() : m_runs.back()->plan.modelSha256;
    if (model && !model->sha256.empty() && !hash.empty() && hash != model->sha256) {
        Q_EMIT modelReplaced();
        look(Look::Reading);
    }
}

void RunController::compareWithPlan()
{
    const bool isStale = !m_runs.empty() && m_planRun != m_document.plan();
    if (std::exchange(m_isStale, isStale) != isStale)
        Q_EMIT staleChanged();
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

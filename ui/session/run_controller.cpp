#include "session/run_controller.h"

#include "session/file_kind.h"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

namespace pipescope::session {

namespace {

using namespace std::chrono_literals;

constexpr auto LiveInterval = 33ms;
constexpr int LiveShare = 8; ///< snapshots take at most one such part of the time

} // namespace

RunController::RunController(Document &document, EngineClient &engine, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_engine(engine)
    , m_looks(document, engine)
    , m_specialiser(document, m_looks)
{
    m_liveTimer.setSingleShot(true);
    connect(&m_liveTimer, &QTimer::timeout, this, &RunController::liveChanged);
    connect(&m_engine, &EngineClient::traced, this, &RunController::note);
    connect(&m_engine, &EngineClient::machineChanged, this, &RunController::machineChanged);
    connect(&m_engine, &EngineClient::progressed, this, [this](std::int64_t, const QString &step) {
        if (isRunning() || isLooking())
            setStep(step);
    });
    connect(this, &RunController::stateChanged, this, [this] {
        if (!isRunning() && !isLooking())
            setStep({});
    });
    connect(&m_looks, &ModelLooks::stateChanged, this, &RunController::stateChanged);
    connect(&m_looks, &ModelLooks::failed, this, &RunController::fail);
    connect(&m_looks, &ModelLooks::wentWell, this, [this] { m_lastError.reset(); });
    connect(&m_looks, &ModelLooks::modelReplaced, this, &RunController::modelReplaced);
    connect(&m_looks, &ModelLooks::splitsLeftOut, this, &RunController::splitsLeftOut);
    connect(&m_document, &Document::planChanged, this, &RunController::compareWithPlan);
    connect(&m_document, &Document::replaced, this, [this] {
        forget();
        m_runs.clear();
        m_begunRuns.clear();
        compareWithPlan();
        Q_EMIT runsChanged(); // even without runs: one that did not end may still be shown
    });
}

void RunController::look(Look look)
{
    m_looks.look(look);
}

void RunController::profile()
{
    if (m_heldBecause.isEmpty() && !readsFirst([this] { profile(); }))
        look(Look::Profiling);
}

void RunController::specialise()
{
    if (!m_heldBecause.isEmpty() || readsFirst([this] { specialise(); }))
        return;
    const auto model = m_document.model();
    const bool isMeasured = model && model->profiled && !isProfileStale();
    m_looks.look(isMeasured ? Look::Profiling : Look::Loading, ModelLooks::GraphOf::Inputs);
}

/// Whose code may run was answered for the file as it was read.
bool RunController::readsFirst(const std::function<void()> &then)
{
    return !m_running && m_looks.readsFirst(then);
}

void RunController::run()
{
    if (!m_heldBecause.isEmpty() || readsFirst([this] { run(); }))
        return;
    report::RunRequest request;
    request.plan = m_document.plan();
    request.warmUps = m_settings.warmUps;
    request.repeat = m_settings.repeat;
    request.check = m_settings.check;
    askRun<protocol::RunCall>(tr("running %1").arg(fileName(request.plan.model)), request);
}

void RunController::check()
{
    if (!m_heldBecause.isEmpty() || readsFirst([this] { check(); }))
        return;
    report::RunRequest request;
    request.plan = m_document.plan();
    request.warmUps = 0;
    askRun<protocol::CheckCall>(tr("checking %1").arg(fileName(request.plan.model)), request);
}

template <class Call>
void RunController::askRun(const QString &title, const report::RunRequest &request)
{
    if (m_running)
        return;
    report::RunRequest sent = request;
    sent.expectedSha256 = m_looks.knownSha256();
    m_isCheck = std::is_same_v<Call, protocol::CheckCall>;
    m_running =
        m_engine.askFor<Call>(*this, title, sent, [this](std::int64_t number, Result<report::TracedRun> answer) {
            ran(number, std::move(answer));
        });
    m_begun = {newId(), request.plan, sent.expectedSha256};
    Q_EMIT stateChanged();
}

void RunController::setSettings(const RunSettings &settings)
{
    if (std::exchange(m_settings, settings) != settings)
        Q_EMIT settingsChanged();
}

void RunController::cancel()
{
    m_looks.cancel();
    if (m_running)
        m_engine.cancel(*m_running);
}

void RunController::hold(const QString &why)
{
    if (std::exchange(m_heldBecause, why) != why)
        Q_EMIT stateChanged();
}

/// What was asked for a document that is gone is nobody's, even where the engine answers it before it hears of that.
void RunController::forget()
{
    cancel();
    const bool wasLooking = m_looks.forget();
    const bool wasRunning = std::exchange(m_running, std::nullopt).has_value();
    endLive();
    if (wasLooking || wasRunning)
        Q_EMIT stateChanged();
}

void RunController::ran(std::int64_t id, Result<report::TracedRun> answer)
{
    if (m_running != id) // of a document that is gone
        return;
    m_running.reset();
    if (!answer) {
        if (m_liveTimer.isActive())
            Q_EMIT liveChanged(); // nothing else will show the last events before the failure
        endLive();
        fail(answer.error());
        m_looks.lookAgainAfter(answer.error());
        return;
    }
    const std::string known = m_begun.sha256; // finished() may begin another
    m_lastError.reset();
    const auto run = std::make_shared<const report::TracedRun>(*std::move(answer));
    m_runs.push_back(run);
    m_begunRuns.push_back(m_begun);
    m_wasCheck = m_isCheck;
    m_live.clear();
    compareWithPlan();
    Q_EMIT runsChanged(); // before the live trace goes, so that who shows it has something to go over to
    endLive();
    Q_EMIT stateChanged();
    Q_EMIT finished();
    m_looks.foundThere(run->plan.modelSha256, known);
}

RunId RunController::idOf(const report::TracedRun *run) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), [run](const Run &one) { return one.get() == run; });
    return found == m_runs.end() ? RunId() : m_begunRuns[static_cast<std::size_t>(found - m_runs.begin())].id;
}

Run RunController::runOf(RunId id) const
{
    const auto found =
        std::find_if(m_begunRuns.begin(), m_begunRuns.end(), [id](const BegunRun &begun) { return begun.id == id; });
    return found == m_begunRuns.end() ? nullptr : m_runs[static_cast<std::size_t>(found - m_begunRuns.begin())];
}

void RunController::setStep(const QString &step)
{
    if (std::exchange(m_step, step) != step)
        Q_EMIT stepChanged();
}

void RunController::compareWithPlan()
{
    const bool isStale = !m_runs.empty() && m_begunRuns.back().plan != m_document.plan();
    if (std::exchange(m_isStale, isStale) != isStale)
        Q_EMIT staleChanged();
}

void RunController::fail(const Error &error)
{
    m_lastError = error;
    Q_EMIT stateChanged();
    Q_EMIT failed();
}

void RunController::note(std::int64_t request, const trace::TracePart &part)
{
    if (request != m_running)
        return;
    m_live.add(part);
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

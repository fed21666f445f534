#include "session/run_controller.h"

#include <QFileInfo>
#include <QPointer>
#include <utility>

namespace pipescope::session {

namespace {

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
    const QString title =
        look == Look::Profiling ? tr("profiling %1").arg(modelName(plan)) : tr("loading %1").arg(modelName(plan));
    const auto id = std::make_shared<std::int64_t>();
    *id = m_engine.ask<protocol::LoadCall>(title, request, [self = QPointer(this), id](const auto &answer) {
        if (self)
            self->looked(*id, answer);
    });
    m_looking = *id;
    Q_EMIT stateChanged();
}

void RunController::run()
{
    if (m_running)
        return;
    report::RunRequest request;
    request.plan = m_document.plan();
    m_running = m_engine.ask<protocol::RunCall>(tr("running %1").arg(modelName(request.plan)), request,
                                                [self = QPointer(this)](const auto &answer) {
                                                    if (self)
                                                        self->ran(answer);
                                                });
    Q_EMIT stateChanged();
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
    if (!answer)
        return fail(answer.error());
    m_lastError.reset();
    m_runs.push_back(std::make_shared<const report::RunReport>(*answer));
    Q_EMIT runsChanged();
    Q_EMIT stateChanged();
    Q_EMIT finished();
}

void RunController::fail(const Error &error)
{
    m_lastError = error;
    Q_EMIT stateChanged();
    Q_EMIT failed();
}

} // namespace pipescope::session

#include "session/opening.h"

#include "base/file.h"
#include "plan/plan_file.h"
#include "session/file_kind.h"

#include <QFileInfo>
#include <cstdint>
#include <memory>
#include <utility>

namespace pipescope::session {

Opening::Opening(Document &document, EngineClient &engine, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_engine(engine)
{
}

Status Opening::open(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    plan::Plan plan;
    QString planPath;
    switch (fileKind(path)) {
    case FileKind::Missing:
        if (const Status readable = checkReadable(path.toStdString()); !readable) // which says why: a folder, a pipe
            return readable.error();
        return Error{ErrorCode::NotFound,
                     tr("There is no file '%1' that can be read.").arg(path).toStdString(),
                     path.toStdString(),
                     {}};
    case FileKind::Plan:
        if (Result<plan::Plan> read = plan::loadPlan(path.toStdString()); read) {
            plan = *std::move(read);
            planPath = absolute;
        } else {
            return read.error();
        }
        break;
    case FileKind::Trace:
    case FileKind::Model:
        plan.model = absolute.toStdString();
    }
    begin(std::move(plan), absolute, planPath);
    return Success{};
}

Status Opening::openThere(const QString &path)
{
    if (!path.startsWith('/'))
        return Error{ErrorCode::InvalidArgument,
                     tr("'%1' is not an absolute path: give the model's path on the engine's machine from '/' on.")
                         .arg(path)
                         .toStdString(),
                     {},
                     {}};
    plan::Plan plan;
    plan.model = path.toStdString();
    begin(std::move(plan), path, {});
    return Success{};
}

void Opening::begin(plan::Plan plan, const QString &path, const QString &planPath)
{
    cancel();
    m_path = path;
    m_planPath = planPath;
    m_recovered.reset();
    ask(std::move(plan));
}

void Opening::recover(const plan::Plan &plan, const QString &planPath)
{
    cancel();
    plan::Plan saved;
    saved.model = plan.model;
    if (!planPath.isEmpty())
        if (const Result<plan::Plan> read = plan::loadPlan(planPath.toStdString()); read)
            saved = *read;
    m_path = planPath.isEmpty() ? QString::fromStdString(plan.model) : planPath;
    m_planPath = planPath;
    m_recovered = plan;
    ask(std::move(saved));
}

void Opening::cancel()
{
    if (m_asked)
        m_engine.cancel(*m_asked);
}

void Opening::ask(plan::Plan plan)
{
    m_plan = std::move(plan);
    ++m_begun;
    const plan::Plan &wanted = m_recovered ? *m_recovered : m_plan;
    report::InspectRequest request;
    request.model = wanted.model;
    request.structureOnly = true; // of all methods; and nothing is loaded, so no libraries
    request.hashLater = true;     // of a large file: what is in it is shown first
    m_asked = m_engine.askFor<protocol::LoadCall>(
        *this, tr("opening %1").arg(QFileInfo(QString::fromStdString(wanted.model)).fileName()), request,
        [this](std::int64_t number, auto answer) { answered(number, std::move(answer)); });
    Q_EMIT stateChanged();
}

void Opening::answered(std::int64_t request, Result<report::Inspection> answer)
{
    if (m_asked != request) // a later one has taken its place
        return;
    m_asked.reset();
    // Those who hear of it may ask the user, and another opening begin meanwhile: what is kept here is then that one's.
    const int begun = m_begun;
    const plan::Plan plan = m_plan;
    const std::optional<plan::Plan> recovered = m_recovered;
    const QString path = m_path;
    const QString planPath = m_planPath;
    Q_EMIT stateChanged();
    if (!answer) {
        Q_EMIT failed(answer.error());
        return;
    }
    bool go = true;
    Q_EMIT replacing(go);
    if (!go || m_begun != begun)
        return;
    m_document.replace(plan, planPath);
    if (recovered)
        m_document.edit(tr("Restore what was recovered"), [&](plan::Plan &edited) { edited = *recovered; });
    m_document.setModel(std::make_shared<const report::Inspection>(*std::move(answer)));
    Q_EMIT opened(path);
}

} // namespace pipescope::session

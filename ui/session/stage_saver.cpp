#include "session/stage_saver.h"

#include "protocol/calls.h"
#include "session/file_kind.h"

#include <QDir>
#include <QFileInfo>

namespace pipescope::session {

namespace {

void addFiles(const plan::InputValue &value, QStringList &files)
{
    if (const auto *file = std::get_if<plan::FileSpec>(&value.node))
        files << QString::fromStdString(file->path);
    const auto addItems = [&](const std::vector<plan::InputValue> &items) {
        for (const plan::InputValue &item : items)
            addFiles(item, files);
    };
    if (const auto *list = std::get_if<plan::InputValue::List>(&value.node))
        addItems(list->items);
    if (const auto *tuple = std::get_if<plan::InputValue::Tuple>(&value.node))
        addItems(tuple->items);
    if (const auto *dict = std::get_if<plan::InputValue::Dict>(&value.node))
        for (const auto &[name, item] : dict->entries)
            addFiles(item, files);
}

QStringList sourcesOf(const Document &document)
{
    const plan::Plan &plan = document.plan();
    QStringList files{QString::fromStdString(plan.model)};
    if (!document.path().isEmpty())
        files << document.path();
    if (plan.schedule.starts_with('@'))
        files << QString::fromStdString(plan.schedule.substr(1));
    for (const std::string &library : plan.opLibraries)
        files << QString::fromStdString(library);
    for (const plan::InputSpec &input : plan.inputs)
        addFiles(input.value, files);
    return files;
}

} // namespace

StageSaver::StageSaver(Document &document, EngineClient &engine, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_engine(engine)
{
    connect(&m_document, &Document::pathChanged, this, [this] {
        if (!m_document.model()) // another document, not this one under another name
            forget();
    });
}

void StageSaver::save(const QString &folder, report::Unused unused)
{
    if (isSaving())
        return;
    m_folder = folder;
    protocol::SplitRequest request;
    request.run.plan = m_document.plan();
    request.folder = folder.toStdString();
    request.keepUnused = unused == report::Unused::Kept;
    const auto model = m_document.model();
    if (model && model->path == request.run.plan.model)
        request.run.expectedSha256 = model->sha256;
    m_asked = m_engine.askFor<protocol::SplitCall>(
        *this, tr("saving the stages of %1").arg(fileName(request.run.plan.model)), request,
        [this](std::int64_t number, const auto &answer) { answered(number, answer); });
    Q_EMIT stateChanged();
}

void StageSaver::cancel()
{
    if (m_asked)
        m_engine.cancel(*m_asked);
}

void StageSaver::forget()
{
    if (!m_asked)
        return;
    cancel();
    m_asked.reset();
    Q_EMIT stateChanged();
}

void StageSaver::answered(std::int64_t request, const Result<report::SplitReport> &answer)
{
    if (m_asked != request)
        return;
    m_asked.reset();
    Q_EMIT stateChanged();
    if (answer)
        Q_EMIT saved(*answer);
    else
        Q_EMIT failed(answer.error());
}

// As engine/split_job.h has them.
QStringList stageFiles(int stages)
{
    QStringList names;
    for (int i = 0; i < stages; ++i)
        names << QStringLiteral("stage%1.pt").arg(i);
    return names << QStringLiteral("stages.json") << QStringLiteral("plan.json");
}

QStringList writtenOver(const QString &folder, int stages)
{
    QStringList found = stageFiles(stages);
    const QDir dir(folder);
    found.removeIf([&dir](const QString &name) {
        const QFileInfo file(dir.filePath(name));
        return !file.exists() && !file.isSymLink();
    });
    return found;
}

QString sourceWrittenOver(const Document &document, const QString &folder, int stages)
{
    const QStringList sources = sourcesOf(document);
    for (const QString &name : writtenOver(folder, stages)) {
        const QString target = QFileInfo(QDir(folder).filePath(name)).canonicalFilePath();
        for (const QString &source : sources)
            if (!target.isEmpty() && QFileInfo(source).canonicalFilePath() == target)
                return source;
    }
    return {};
}

QString sourceWrittenOverThere(const Document &document, const QString &folder, int stages)
{
    const QStringList sources = sourcesOf(document);
    for (const QString &name : stageFiles(stages)) {
        const QString target = QDir::cleanPath(folder + '/' + name);
        for (const QString &source : sources)
            if (QDir::cleanPath(source) == target)
                return source;
    }
    return {};
}

} // namespace pipescope::session

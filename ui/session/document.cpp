#include "session/document.h"

#include "plan/plan_file.h"
#include "session/staging.h"

#include <QFileInfo>
#include <QHash>
#include <utility>

namespace pipescope::session {

/// Holds the whole plan before and after: plans are small, and what is shared is shared.
class Document::Edit : public QUndoCommand
{
public:
    Edit(Document &document, const QString &title, plan::Plan after, QString merge)
        : QUndoCommand(title)
        , m_document(document)
        , m_before(document.plan())
        , m_after(std::move(after))
        , m_merge(std::move(merge))
    {
    }

    void undo() override { m_document.setPlan(m_before); }
    void redo() override { m_document.setPlan(m_after); }
    [[nodiscard]] int id() const override { return m_merge.isEmpty() ? -1 : static_cast<int>(qHash(m_merge) >> 1); }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto &next = static_cast<const Edit &>(*other); // of the same id, so one of ours
        if (next.m_merge != m_merge)
            return false;
        m_after = next.m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Document &m_document;
    plan::Plan m_before;
    plan::Plan m_after;
    QString m_merge;
};

Document::Document(QObject *parent)
    : QObject(parent)
{
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::modifiedChanged);
}

Document::~Document()
{
    m_undo.disconnect(this); // its end clears it, which is no change to tell of
}

void Document::newFor(const QString &modelPath)
{
    plan::Plan plan;
    plan.model = modelPath.toStdString();
    replace(std::move(plan), {});
}

Status Document::open(const QString &path)
{
    Result<plan::Plan> plan = plan::loadPlan(path.toStdString());
    if (!plan)
        return plan.error();
    replace(*std::move(plan), path);
    return Success{};
}

Status Document::saveAs(const QString &path)
{
    plan::Plan stored = m_plan;
    if (m_model && !m_model->sha256.empty()) // of the file that these splits are places in
        stored.modelSha256 = m_model->sha256;
    if (Status saved = plan::savePlan(stored, path.toStdString()); !saved)
        return saved;
    // As it reads: paths in a file are relative to it, and absolute once read.
    const Result<plan::Plan> written = plan::loadPlan(path.toStdString());
    m_inFile = written ? *written : stored;
    m_undo.setClean();
    if (std::exchange(m_path, path) != path)
        Q_EMIT pathChanged();
    return Success{};
}

Document::FileState Document::fileState() const
{
    if (m_path.isEmpty())
        return FileState::None;
    if (!QFileInfo::exists(m_path))
        return FileState::Gone;
    const Result<plan::Plan> now = plan::loadPlan(m_path.toStdString());
    return now && *now == m_inFile ? FileState::Same : FileState::Changed;
}

void Document::edit(const QString &title, const std::function<void(plan::Plan &)> &change, const QString &merge)
{
    plan::Plan after = m_plan;
    change(after);
    if (after != m_plan)
        m_undo.push(new Edit(*this, title, std::move(after), merge)); // the stack's now
}

std::shared_ptr<const Staging> Document::staging() const
{
    if (!m_staging)
        m_staging = std::make_shared<const Staging>(m_model ? stagingOf(m_plan, *m_model) : Staging{});
    return m_staging;
}

std::optional<int> Document::stages() const
{
    if (!m_model || m_model->structureOnly || staging()->problem)
        return std::nullopt;
    return static_cast<int>(staging()->stages.size());
}

void Document::setModel(std::shared_ptr<const report::Inspection> model)
{
    m_model = std::move(model);
    m_staging.reset();
    Q_EMIT modelChanged();
}

void Document::replace(plan::Plan plan, const QString &path)
{
    m_undo.clear();
    m_path = path;
    m_inFile = plan;
    m_model.reset();
    m_staging.reset();
    setPlan(plan);
    Q_EMIT pathChanged();
    Q_EMIT replaced();
    Q_EMIT modelChanged();
}

void Document::setPlan(const plan::Plan &plan)
{
    if (m_plan.splits != plan.splits)
        m_staging.reset();
    m_plan = plan;
    Q_EMIT planChanged();
}

} // namespace pipescope::session

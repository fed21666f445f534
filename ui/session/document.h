// What the user is working on: the plan, with undo and redo for every edit, and the model it is for, as far as the
// engine has told of it.
#pragma once

#include "plan/plan.h"
#include "report/inspection.h"

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>

namespace pipescope::session {

struct Staging;

class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(QObject *parent = nullptr);
    ~Document() override;

    [[nodiscard]] const plan::Plan &plan() const { return m_plan; }
    /// nullptr until the engine has loaded the model.
    [[nodiscard]] std::shared_ptr<const report::Inspection> model() const { return m_model; }
    /// The stages that the plan's splits make of the model (session/staging.h); none while no model is loaded. Worked
    /// out once for these splits and this model, however many ask. Not null.
    [[nodiscard]] std::shared_ptr<const Staging> staging() const;
    /// How many stages that are; nullopt where that is not known: the model is not loaded, or they cannot be made.
    [[nodiscard]] std::optional<int> stages() const;
    /// Of the plan's file; "" for one that was never saved.
    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isModified() const { return !m_undo.isClean(); }
    [[nodiscard]] QUndoStack &undoStack() { return m_undo; }

    /// Another plan, of a file or (with "") of none yet. What was there is gone, its undo steps and its model too.
    void replace(plan::Plan plan, const QString &path);
    /// A new plan for a model file, likewise.
    void newFor(const QString &modelPath);
    /// What has become of the plan's file since it was read or written here, by what is in it: another window or
    /// program may have saved it. None: there is no file yet. Reads the file.
    enum class FileState { None, Same, Changed, Gone };
    Q_ENUM(FileState)
    [[nodiscard]] FileState fileState() const;

    /// Opens a plan file. Error: as plan/plan_file.h; the document is then as it was.
    Status open(const QString &path);
    /// With the hash of the model's file, where that is known. Error: WriteFailed; the document then stays modified.
    Status saveAs(const QString &path);

    /// Makes the plan another one, as one step called `title`. Edits that follow one another and have the same `merge`
    /// key, other than "", become one step, as when a spin box is turned. Nothing happens where nothing changes.
    void edit(const QString &title, const std::function<void(plan::Plan &)> &change, const QString &merge = {});

    /// The engine's picture of the model; of nothing with nullptr. No edit.
    void setModel(std::shared_ptr<const report::Inspection> model);

Q_SIGNALS:
    void planChanged();
    void modelChanged();
    void pathChanged();
    /// Another document is here: what was made of the one before is of no use any more.
    void replaced();
    void modifiedChanged();

private:
    class Edit;

    void setPlan(const plan::Plan &plan);

    plan::Plan m_plan;
    std::shared_ptr<const report::Inspection> m_model;
    mutable std::shared_ptr<const Staging> m_staging; // null: not asked for yet
    QString m_path;
    plan::Plan m_inFile; ///< where there is a path: as it was read or written
    QUndoStack m_undo;
};

} // namespace pipescope::session

// Saving the stages as files, with all the questions and answers around it.
#pragma once

#include "mainwindow/reports.h"
#include "session/stage_hashes.h"

#include <QObject>
#include <optional>

class QWidget;

namespace pipescope::mainwindow {

class StageCommands : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this; dialogs stand over `window`.
    StageCommands(Workspace &workspace, Reports &reports, QWidget &window);

    /// "" where they can be saved: the plan has more than one stage, and none are being saved.
    [[nodiscard]] QString whyNot() const;
    /// Asks for a folder and what becomes of unused weights, and again where the folder has files of these names; a
    /// notice tells how it ended. What the engine wrote on this machine, and is found there, is trusted as long as the
    /// model is that it is made of. Where the engine may be on another machine, the folder is one there, and it is
    /// always asked again.
    void saveStages();

private:
    struct Target
    {
        QString folder;
        report::Unused unused;
    };
    [[nodiscard]] std::optional<Target> askWhere();
    [[nodiscard]] bool mayWriteOver(const QString &folder, int stages) const;
    void refuse(const QString &why);
    void trustWritten(const report::SplitReport &report);
    void tellSaved(const report::SplitReport &report);
    void tellFailed(const Error &error);

    Workspace &m_workspace;
    Reports &m_reports;
    QWidget &m_window;
    session::StageHashes m_hashes;
    report::Unused m_unused = report::Unused::LeftOut; ///< as it was answered last for this document
};

} // namespace pipescope::mainwindow

// Looks beside the window at the stage files that were saved beside the plan: a check is of the model, and says nothing
// of them.
#pragma once

#include "plan/stage_files.h"
#include "session/run_controller.h"
#include "session/side_thread.h"

#include <QObject>
#include <optional>

namespace pipescope::session {

class StageFilesLook : public QObject
{
    Q_OBJECT

public:
    /// Must outlive this.
    explicit StageFilesLook(const RunController &controller, QObject *parent = nullptr);

    /// Of the last of the controller's runs, where that was a check of a plan that has a file: nullopt for all others,
    /// where there are no stage files, and until they have been looked at.
    [[nodiscard]] const std::optional<plan::StageFiles> &found() const { return m_found; }
    /// Whether the files are being looked at now.
    [[nodiscard]] bool isLooking() const { return m_thread.isBusy(); }

Q_SIGNALS:
    /// found().
    void changed();

private:
    void look();

    const RunController &m_controller;
    std::optional<plan::StageFiles> m_found;
    SideThread m_thread{SideThread::Older::Stopped};
};

} // namespace pipescope::session

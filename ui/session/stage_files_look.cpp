#include "session/stage_files_look.h"

#include <utility>

namespace pipescope::session {

StageFilesLook::StageFilesLook(const RunController &controller, QObject *parent)
    : QObject(parent)
    , m_controller(controller)
{
    connect(&m_controller, &RunController::runsChanged, this, &StageFilesLook::look);
}

void StageFilesLook::look()
{
    m_thread.cancel();
    if (std::exchange(m_found, std::nullopt))
        Q_EMIT changed();
    const std::string path = m_controller.document().path().toStdString();
    if (m_controller.runs().empty() || !m_controller.wasCheck() || path.empty())
        return;
    m_thread.start([path, plan = m_controller.runs().back()->plan](
                       const std::stop_token &stop) { return plan::checkStageFiles(path, plan, stop); },
                   [this](const Result<std::optional<plan::StageFiles>> &answer) {
                       m_found = answer ? *answer : std::nullopt;
                       if (m_found)
                           Q_EMIT changed();
                   });
}

} // namespace pipescope::session

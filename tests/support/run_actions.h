// The actions that a window hands to the dock of the run, for tests of the dock without a window.
#pragma once

#include "runview/run_view.h"

#include <QAction>

namespace pipescope::tests {

struct PlayedActions
{
    explicit PlayedActions(session::RunController &controller)
    {
        QObject::connect(&run, &QAction::triggered, &controller, &session::RunController::run);
        QObject::connect(&profile, &QAction::triggered, &controller, &session::RunController::profile);
        QObject::connect(&check, &QAction::triggered, &controller, &session::RunController::check);
        QObject::connect(&cancel, &QAction::triggered, &controller, &session::RunController::cancel);
    }
    [[nodiscard]] runview::RunActions all() { return {run, profile, check, cancel}; }

    QAction run{QStringLiteral("Run")};
    QAction profile{QStringLiteral("Profile")};
    QAction check{QStringLiteral("Check")};
    QAction cancel{QStringLiteral("Cancel")};
};

} // namespace pipescope::tests

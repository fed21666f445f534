// How a plan is run besides what the plan says, where the controller can be told: settings, and a run for the check
// alone.
#pragma once

#include "session/run_controller.h"

namespace pipescope::runview {

/// Nothing where the controller has no settings.
template <class Controller, class Change>
void changeSettings(Controller &controller, const Change &change)
{
    if constexpr (requires { controller.settings(); }) {
        auto settings = controller.settings();
        change(settings);
        controller.setSettings(settings);
    }
}

template <class Controller>
constexpr bool hasSettings(const Controller &)
{
    return requires(const Controller &controller)
    {
        controller.settings();
    };
}

/// Runs for the comparison with the unsplit model; as an ordinary run, which compares as well, where there is no other.
template <class Controller>
void runCheck(Controller &controller)
{
    if constexpr (requires { controller.check(); })
        controller.check();
    else
        controller.run();
}

} // namespace pipescope::runview

// `pipescope-cli check`: the comparison alone, of a saved plan.
#pragma once

#include "session.h"

namespace pipescope::app {

void addCheckCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

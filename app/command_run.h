// `pipescope-cli run`: run a split model, show where the time went, and compare it with the unsplit one.
#pragma once

#include "session.h"

namespace pipescope::app {

void addRunCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

// `pipescope-cli serve`: the engine that the window, here or on another machine, talks to.
#pragma once

#include "session.h"

namespace pipescope::app {

void addServeCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

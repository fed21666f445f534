// `pipescope-cli explain`: where the time of a trace file went, and why its ranks stood still.
#pragma once

#include "session.h"

namespace pipescope::app {

void addExplainCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

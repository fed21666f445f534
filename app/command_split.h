// `pipescope-cli split`: save each stage as a file of its own.
#pragma once

#include "session.h"

namespace pipescope::app {

void addSplitCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

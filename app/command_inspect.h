// `pipescope-cli inspect`: what is in a model file.
#pragma once

#include "session.h"

namespace pipescope::app {

void addInspectCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

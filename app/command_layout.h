// `pipescope-cli layout`: who holds what of a tensor over a mesh, and how it gets to another layout. Needs no model.
#pragma once

#include "session.h"

namespace pipescope::app {

void addLayoutCommand(CLI::App &app, Session &session);

} // namespace pipescope::app

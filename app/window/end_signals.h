// SIGTERM, SIGINT and SIGHUP, as when a session ends: the program ends by way of its event loop.
#pragma once

#include <functional>

namespace pipescope::app {

/// From now on, while an application exists, these signals call `beforeEnd` from the event loop and end it, with 128
/// and the signal's number as the program's exit code; SIGTERM or SIGINT as the second one ends the process at once,
/// SIGHUP does nothing then. Those that were ignored stay ignored. Call once.
void endOnSignals(std::function<void()> beforeEnd);

} // namespace pipescope::app

// Ctrl-C, kill and a terminal that is closed: the first asks the work to stop, a second Ctrl-C or kill ends the process
// at once.
#pragma once

#include <stop_token>

namespace pipescope::app {

/// Call once, first thing in main and before any other thread is started. SIGINT, SIGTERM and SIGHUP from then on ask
/// the returned token to stop; a second SIGINT or SIGTERM has its usual effect, a second SIGHUP none. A signal that was
/// ignored stays ignored.
[[nodiscard]] std::stop_token stopOnInterrupt();

} // namespace pipescope::app

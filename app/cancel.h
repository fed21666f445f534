// Ctrl-C: the first asks the work to stop, the second ends the process at once.
#pragma once

#include <stop_token>

namespace pipescope::app {

/// Call once, first thing in main and before any other thread is started. SIGINT and SIGTERM from then on ask the
/// returned token to stop; a second one has its usual effect. A signal that was ignored stays ignored.
[[nodiscard]] std::stop_token stopOnInterrupt();

} // namespace pipescope::app

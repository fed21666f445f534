// What the program says on standard error. Names in it may hold anything, and a terminal shows it.
#pragma once

#include <string_view>

namespace pipescope::app {

/// "pipescope: error: <problem>", in one line.
void tellError(std::string_view problem);
/// "pipescope: warning: <problem>", in one line.
void tellWarning(std::string_view problem);

} // namespace pipescope::app

// Making something the selection that was kept as a value: what links do.
#pragma once

#include "session/selection.h"

namespace pipescope::session {

/// Makes `selected` the selection, whatever kind of thing it is; nothing happens for nothing.
void follow(Selection &selection, const Selected &selected);

} // namespace pipescope::session

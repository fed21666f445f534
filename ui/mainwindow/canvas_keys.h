// The keys and gestures of the canvases, which no menu has: for the sheet of shortcuts and docs/guide/keys.md.
#pragma once

#include "actions/action_table.h"

#include <vector>

namespace pipescope::mainwindow {

/// In the order the guide lists them: graph, program order, timeline, shards.
[[nodiscard]] std::vector<actions::KeyRow> canvasKeys();

} // namespace pipescope::mainwindow

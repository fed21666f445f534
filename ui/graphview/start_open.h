// What is open when a model is shown for the first time.
#pragma once

#include "graphview/box_tree.h"

namespace pipescope::graphview {

/// Modules from the outermost inwards, all of a class at a time, until the picture has at least a dozen boxes and no
/// more than about thirty (more only where there would be next to nothing else): a transformer shows its blocks, a
/// small model its operators. Linear in the module calls.
[[nodiscard]] OpenBoxes startOpen(const graph::ModelGraph &graph);

} // namespace pipescope::graphview

// What the next run needs of the engine's machine, as the run dock says it.
#pragma once

#include "report/run_needs.h"

#include <QString>

namespace pipescope::runview {

/// One sentence: what it needs and what there is; the warning in its place where the memory does not do.
[[nodiscard]] QString needsLabel(const report::RunNeeds &needs);
/// Plain text of a few lines: how the numbers come about, each stage's weights, and that it lacks cores where it does.
[[nodiscard]] QString needsToolTip(const report::RunNeeds &needs);

} // namespace pipescope::runview

// What the engine warned of in a run, as every view says it that shows what came out of the run.
#pragma once

#include "report/run_report.h"

#include <QString>

namespace pipescope::session {

/// "Warning: 16 microbatches were asked for and 8 made: ...", a line each; "" for none. Of many, or of long ones, the
/// beginning: the log has all.
[[nodiscard]] QString warningsText(const report::RunReport &run);

} // namespace pipescope::session

// The options that a message of the library speaks of: it is written for the window too, and says the thing alone.
#pragma once

#include "base/error.h"
#include "report/run_report.h"

#include <string>

namespace pipescope::app {

/// With the options that do what it says to do: "..., or look at the structure only with --structure-only".
[[nodiscard]] std::string withOptions(std::string text);
/// The place too: "input chunks" is --chunk.
[[nodiscard]] Error withOptions(Error error);
[[nodiscard]] report::RunReport withOptions(report::RunReport report);

} // namespace pipescope::app

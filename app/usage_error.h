// Mistakes on the command line as errors: what is wrong, and what was probably meant.
#pragma once

#include "base/error.h"

#include <CLI/CLI.hpp>

namespace pipescope::app {

/// `thrown` came out of app.parse().
[[nodiscard]] Error usageError(const CLI::App &app, const CLI::ParseError &thrown);

} // namespace pipescope::app

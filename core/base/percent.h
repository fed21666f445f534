// How a share of a whole is written.
#pragma once

#include <string>

namespace pipescope {

/// "11.2 %" of 0.112.
[[nodiscard]] std::string formatPercent(double share);

} // namespace pipescope

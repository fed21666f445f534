// The middle of some numbers. Private to trace/.
#pragma once

#include <vector>

namespace pipescope::trace {

/// The mean of the two middle ones where their count is even; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

} // namespace pipescope::trace

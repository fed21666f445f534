// What time it is, for code that measures and is tested with a time of the test's own.
#pragma once

#include <chrono>
#include <functional>

namespace pipescope {

/// Never goes back. `std::chrono::steady_clock::now` is one.
using Clock = std::function<std::chrono::steady_clock::time_point()>;

} // namespace pipescope

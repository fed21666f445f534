// How long work reports how far it is. Called from the thread that does the work; must not throw.
#pragma once

#include <functional>
#include <string_view>

namespace pipescope {

/// `step` names what is being done ("profiling", "running"); `fraction` is 0 to 1, or negative when unknown.
using Progress = std::function<void(std::string_view step, double fraction)>;

} // namespace pipescope

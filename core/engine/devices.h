// Device lists as users write them.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace pipescope::engine {

/// "cpu:0", "cpu:1", ... `count` of them.
[[nodiscard]] std::vector<std::string> cpuDevices(int count);

/// "cpu:4" is four devices, cpu:0 to cpu:3; "cpu:0,cpu:2" is a list, a device for each rank; "cpu" leaves the number
/// open and gives an empty list. At most 1024. Error: InvalidArgument; Unsupported for devices of another kind.
Result<std::vector<std::string>> parseDevices(std::string_view text);

} // namespace pipescope::engine

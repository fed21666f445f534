// Device lists as users write them: on the command line, and in the window's fields.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace pipescope::plan {

/// "cpu:0", "cpu:1", ... `count` of them, which is at least 0.
[[nodiscard]] std::vector<std::string> cpuDevices(int count);

/// "cpu:4" is four devices, cpu:0 to cpu:3; "cpu:0,cpu:2" is a list, a device for each rank, as is "[cpu:2]", which
/// names the one device cpu:2; "cpu" leaves the number open and gives an empty list. At most 1024, each another one.
/// Errors: InvalidArgument, also for a device that is given twice; Unsupported for devices of another kind.
Result<std::vector<std::string>> parseDevices(std::string_view text);

/// The text form, the shortest, which parses back to the same; of what is no device (a plan file may say anything) its
/// words.
[[nodiscard]] std::string devicesText(const std::vector<std::string> &devices);

} // namespace pipescope::plan

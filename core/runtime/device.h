// Which devices ranks may have. Every "cpu:N" is a device of its own by name, and one memory with all others.
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace pipescope::runtime {

/// Checks one device per rank. Errors (InvalidArgument): none at all, a device given twice, a text that is no device.
/// Unsupported: a device this build cannot run on ("cuda:0: the GPU plug-in is not in this build").
Status checkDevices(const std::vector<std::string> &devices);

} // namespace pipescope::runtime

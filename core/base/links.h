// Where symbolic links lead, also those to what is not there yet.
#pragma once

#include <filesystem>

namespace pipescope {

/// Where a chain of links leads, whether something is there or not; `path` as it is where it is no link.
[[nodiscard]] std::filesystem::path followLinks(std::filesystem::path path);

} // namespace pipescope

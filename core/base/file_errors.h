// How it is said that a file cannot be used.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string_view>

namespace pipescope {

/// InvalidFile: "cannot read '<path>': <reason>".
[[nodiscard]] Error cannotRead(const std::filesystem::path &path, std::string_view reason);

/// WriteFailed: "cannot write '<path>': <reason>".
[[nodiscard]] Error cannotWrite(const std::filesystem::path &path, std::string_view reason);

} // namespace pipescope

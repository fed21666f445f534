// Reasons for which a file is not loaded that have nothing to do with its wholeness: what its own code does, for which
// device it was made, and how old it is. Private to import/.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace pipescope::import {

/// ModelFailed where `text`, which is all that LibTorch said, tells of code of the file that ran while it was loaded,
/// and failed: what that code said, which is `message`, and the place in the archive ("" for none).
[[nodiscard]] std::optional<Error> failureOfItsCode(std::string_view text, std::string_view message,
                                                    const std::string &place, const std::filesystem::path &path);

/// What to do about a file with names of ops/mobile.h, as the end of a sentence.
[[nodiscard]] std::string_view mobileAdvice();

/// Whether the archive is of a PyTorch before 2.1, and so older than any LibTorch used here. What it has that LibTorch
/// does not know was dropped since. False where the archive cannot be read.
[[nodiscard]] bool isOfOldPyTorch(const std::filesystem::path &path);

} // namespace pipescope::import

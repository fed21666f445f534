// Numbers on the command line. CLI11 by itself reads "" as 0 and 010 as 8, takes -1 for the largest number there is,
// and says of "x" no more than that it cannot be converted.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace pipescope::app {

/// For Option::transform. Refuses, in the words of plan::validatePlan: "expected a whole number from 1 to 4096, found
/// 'x'". Decimal digits, with a sign in front where it is negative.
[[nodiscard]] CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);

/// "expected a whole number from 0 to 2^64 - 1, found 'x'".
[[nodiscard]] CLI::Validator seedNumber();

/// "expected a finite number that is not negative, found 'x'".
[[nodiscard]] CLI::Validator tolerance();

} // namespace pipescope::app

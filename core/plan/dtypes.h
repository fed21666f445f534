// The dtype words of input specs: torch's canonical names, its short ones, and what the integer ones hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::plan {

struct DtypeWord
{
    std::string_view name;  ///< torch's canonical name
    std::string_view alias; ///< torch's short name, or ""
    bool isInteger = false;
    std::int64_t lowest = 0;  ///< integers only
    std::int64_t highest = 0; ///< integers only; uint64 is cut off at int64's
};

/// Floats, not complex: a range can be given.
[[nodiscard]] bool isReal(const DtypeWord &word);

/// The largest finite number of such a one.
[[nodiscard]] double largest(const DtypeWord &word);

/// By name or alias; null when there is none.
[[nodiscard]] const DtypeWord *findDtype(std::string_view word);

/// All canonical names.
[[nodiscard]] std::vector<std::string> dtypeNames();

/// All names and aliases, for suggestions.
[[nodiscard]] std::vector<std::string> dtypeWords();

} // namespace pipescope::plan

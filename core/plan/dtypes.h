// The dtype words users write, torch's own, and what they are short for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::plan {

/// "float32" for "float32" or "float", "int64" for "long", ...; nullopt for a word that is none.
[[nodiscard]] std::optional<std::string> canonicalDtype(std::string_view word);
[[nodiscard]] std::vector<std::string> dtypeWords();
[[nodiscard]] bool isIntegerDtype(std::string_view canonical);

} // namespace pipescope::plan

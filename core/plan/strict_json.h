// JSON of users, read without what a JSON reader lets pass silently. Private to plan/.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pipescope::plan {

using Json = nlohmann::ordered_json;

/// InvalidFile, "<where>: <problem>"; without a place only the problem.
[[nodiscard]] Error invalid(const std::string &where, std::string_view problem);

/// An object, with lists and objects inside and nothing deeper, and no key twice. Error: InvalidFile.
Result<Json> parseStrictly(std::string_view text);

} // namespace pipescope::plan

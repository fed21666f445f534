// CBOR bytes as a JSON value, with bounds: nlohmann-json's reader recurses into arrays and objects, and a value takes
// many times the memory of its bytes. Private to protocol/.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pipescope::protocol {

using Json = nlohmann::json;

inline constexpr int MaxNesting = 64;
inline constexpr std::size_t MaxValues = 16'000'000;

/// Error: InvalidFile saying what is wrong with the bytes.
Result<Json> readCbor(std::string_view bytes);
[[nodiscard]] std::string writeCbor(const Json &value);

} // namespace pipescope::protocol

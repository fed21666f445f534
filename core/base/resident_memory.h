// What this process holds of the machine's memory.
#pragma once

#include <cstdint>

namespace pipescope {

/// Bytes resident in memory now, shared libraries included; 0 where the system does not tell.
[[nodiscard]] std::int64_t residentMemory();

} // namespace pipescope

// Actions as table keys. Private to schedule/.
#pragma once

#include "schedule/action.h"

#include <cstdint>

namespace pipescope::schedule {

/// Stages and microbatches that keys can tell apart: more than an action's text can name.
inline constexpr int KeyLimit = 1 << 30;

/// One number per (kind, stage, microbatch); ids are in [-1, KeyLimit - 1).
[[nodiscard]] inline std::uint64_t keyOf(ActionKind kind, StageId stage, MicrobatchId microbatch)
{
    return (static_cast<std::uint64_t>(kind) << 60) | (static_cast<std::uint64_t>(stage.value + 1) << 30) |
           static_cast<std::uint64_t>(microbatch.value + 1);
}

[[nodiscard]] inline std::uint64_t keyOf(const Action &action)
{
    return keyOf(action.kind, action.stage, action.microbatch);
}

} // namespace pipescope::schedule

// The identity of an action: its kind, stage and microbatch. What needs what, statistics, traces and selections name
// actions by it. A compound has none of its own: each of its parts has one.
#pragma once

#include "schedule/action.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace pipescope::schedule {

struct ActionKey
{
    ActionKind kind = ActionKind::Forward;
    StageId stage;
    MicrobatchId microbatch; ///< invalid where the kind has none

    friend constexpr auto operator<=>(const ActionKey &, const ActionKey &) = default;
};

/// `action` is no compound.
[[nodiscard]] ActionKey keyOf(const Action &action);

/// As toText(Action): "2F0", "1UNSHARD".
[[nodiscard]] std::string toText(const ActionKey &key);

} // namespace pipescope::schedule

template <>
struct std::hash<pipescope::schedule::ActionKey>
{
    std::size_t operator()(const pipescope::schedule::ActionKey &key) const noexcept
    {
        // Stages and microbatches count up from 0: spread them over all bits.
        const auto stage = static_cast<std::uint32_t>(key.stage.value);
        const auto microbatch = static_cast<std::uint32_t>(key.microbatch.value);
        std::uint64_t bits = (std::uint64_t{stage} << 32 | microbatch) * 0x9e3779b97f4a7c15;
        bits ^= (bits >> 32) + static_cast<std::uint64_t>(key.kind);
        return static_cast<std::size_t>(bits * 0xd6e8feb86659fd93);
    }
};

// Where a value in flight is going and where it comes from: the tag that mailboxes match on.
#pragma once

#include "base/ids.h"

#include <cstddef>
#include <cstdint>

namespace pipescope::comm {

enum class Direction : std::uint8_t {
    Forward,  ///< a value, from the stage that makes it to one that takes it
    Backward, ///< the value's gradient, from one that took it to the one that made it
};

struct Address
{
    ValueId value; ///< invalid for a permit: the leave to begin a microbatch, which carries no value
    MicrobatchId microbatch;
    StageId from; ///< two that took one value give two gradients of it; invalid for a permit, which any stage may give
    StageId to;
    Direction direction = Direction::Forward;

    friend bool operator==(const Address &, const Address &) = default;
};

} // namespace pipescope::comm

template <>
struct std::hash<pipescope::comm::Address>
{
    std::size_t operator()(const pipescope::comm::Address &address) const noexcept
    {
        constexpr std::size_t odd = 0x9E3779B97F4A7C15; // 2^64 over the golden ratio, spreads small numbers
        std::size_t mixed = static_cast<unsigned>(address.value.value);
        mixed = mixed * odd + static_cast<unsigned>(address.microbatch.value);
        mixed = mixed * odd + static_cast<unsigned>(address.from.value);
        mixed = mixed * odd + static_cast<unsigned>(address.to.value);
        mixed = mixed * odd + static_cast<std::size_t>(address.direction);
        return (mixed * odd) ^ (mixed >> 32);
    }
};

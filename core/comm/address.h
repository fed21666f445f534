// Where a value in flight is going: the tag that mailboxes match on.
#pragma once

#include "base/ids.h"

#include <cstddef>

namespace pipescope::comm {

struct Address
{
    ValueId value; ///< invalid for a permit: the leave to begin a microbatch, which carries no value
    MicrobatchId microbatch;
    StageId consumer;

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
        mixed = mixed * odd + static_cast<unsigned>(address.consumer.value);
        return (mixed * odd) ^ (mixed >> 32);
    }
};

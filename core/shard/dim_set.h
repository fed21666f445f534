// Sets of mesh dimensions.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace pipescope::shard {

/// Bit i stands for mesh dimension i.
using DimSet = std::uint32_t;

[[nodiscard]] constexpr DimSet dimSet(int meshDim)
{
    return DimSet{1} << static_cast<unsigned>(meshDim);
}

/// The first dimension of a set, as a set.
[[nodiscard]] constexpr DimSet firstOf(DimSet dims)
{
    return dims & (~dims + 1);
}

/// The dimensions of a set, ascending.
[[nodiscard]] inline std::vector<int> dimsOf(DimSet dims)
{
    std::vector<int> result;
    for (; dims != 0; dims &= dims - 1)
        result.push_back(std::countr_zero(dims));
    return result;
}

/// Calls `act` with the subsets of a set that are not empty, the set itself first. Of a set of more than `most`
/// dimensions only with itself, with each dimension and with each pair.
template <class Act>
void forSubsets(DimSet all, int most, Act act)
{
    if (std::popcount(all) <= most) {
        for (DimSet dims = all; dims != 0; dims = (dims - 1) & all)
            act(dims);
        return;
    }
    act(all);
    for (DimSet rest = all; rest != 0; rest &= rest - 1) {
        const DimSet first = firstOf(rest);
        act(first);
        for (DimSet others = rest & ~first; others != 0; others &= others - 1)
            act(first | firstOf(others));
    }
}

} // namespace pipescope::shard

#include "shard/step_bytes.h"

#include "shard/cut_lengths.h"

#include <algorithm>
#include <limits>

namespace pipescope::shard {

namespace {

// Both are not negative.
std::int64_t product(std::int64_t a, std::int64_t b)
{
    constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();
    return a != 0 && b > Most / a ? Most : a * b;
}

} // namespace

StepBytes stepBytes(const Layout &before, const Layout &after, Collective collective, int ranks)
{
    StepBytes bytes;
    if (!moves(collective))
        return bytes;
    bytes.in = bytes.out = before.itemSize();
    std::int64_t block = before.itemSize(); // that a rank sends to one other in an all-to-all
    for (int dim = 0; dim < before.ndim(); ++dim) {
        const std::int64_t given = longest(before, dim);
        const std::int64_t taken = longest(after, dim);
        bytes.in = product(bytes.in, given);
        bytes.out = product(bytes.out, taken);
        block = product(block, std::min(given, taken));
    }
    bytes.paddedIn = bytes.in;
    bytes.paddedOut = bytes.out;
    if (collective == Collective::AllGather)
        bytes.paddedOut = product(bytes.in, ranks);
    else if (collective == Collective::ReduceScatter)
        bytes.paddedIn = product(bytes.out, ranks);
    else if (collective == Collective::AllToAll)
        bytes.paddedIn = bytes.paddedOut = product(block, ranks);
    return bytes;
}

} // namespace pipescope::shard

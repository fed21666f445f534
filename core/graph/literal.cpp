#include "graph/literal.h"

#include <bit>

namespace pipescope::graph {

bool operator==(const Literal &a, const Literal &b)
{
    const auto *one = std::get_if<double>(&a.is);
    const auto *other = std::get_if<double>(&b.is);
    if (one != nullptr && other != nullptr)
        return *one == *other || std::bit_cast<std::uint64_t>(*one) == std::bit_cast<std::uint64_t>(*other);
    return a.is == b.is;
}

} // namespace pipescope::graph

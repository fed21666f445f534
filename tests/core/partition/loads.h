// What the parts of a chain cost.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace pipescope::tests {

/// By part, of a chain that is cut at `cuts`, ascending.
inline std::vector<double> loads(const std::vector<double> &costs, const std::vector<int> &cuts)
{
    std::vector<double> result;
    std::ptrdiff_t begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const auto end =
            static_cast<std::ptrdiff_t>(i < cuts.size() ? static_cast<std::size_t>(cuts[i]) : costs.size());
        result.push_back(std::accumulate(costs.begin() + begin, costs.begin() + end, 0.0));
        begin = end;
    }
    return result;
}

} // namespace pipescope::tests

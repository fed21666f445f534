// What the measured runs gave, until it is compared with the unsplit model: of runs that gave the same bit for bit, one
// copy. So every run is checked, and runs that agree cost no more than one. Private to engine/.
#pragma once

#include <ATen/core/ivalue.h>
#include <vector>

namespace pipescope::engine {

class DistinctOutputs
{
public:
    using Outputs = std::vector<std::vector<c10::IValue>>; ///< by microbatch, then position in graph.outputs

    struct Kept
    {
        Outputs outputs;
        std::vector<int> runs; ///< that gave these, ascending
    };

    /// The next run's. Outputs that cannot be compared count as the same: neither is known to be right.
    void add(Outputs outputs);
    /// In the order in which they first came.
    [[nodiscard]] const std::vector<Kept> &kept() const { return m_kept; }
    [[nodiscard]] int runs() const { return m_runs; }

private:
    std::vector<Kept> m_kept;
    int m_runs = 0;
};

} // namespace pipescope::engine

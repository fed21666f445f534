// How unevenly work is spread: over the ranks of a run, or over stages before one.
#pragma once

#include <vector>

namespace pipescope::trace {

/// The largest of `work` over the mean, minus 1: 0 where all are alike, 0.2 where the busiest has a fifth more than the
/// mean. 0 where there is no work.
[[nodiscard]] double imbalance(const std::vector<double> &work);

} // namespace pipescope::trace

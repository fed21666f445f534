#include "trace/imbalance.h"

#include <algorithm>
#include <numeric>

namespace pipescope::trace {

double imbalance(const std::vector<double> &work)
{
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    if (!(all > 0))
        return 0;
    return *std::max_element(work.begin(), work.end()) * static_cast<double>(work.size()) / all - 1;
}

} // namespace pipescope::trace

#include "trace/time_order.h"

#include <algorithm>
#include <tuple>

namespace pipescope::trace {

void sortByTime(std::vector<Event> &events)
{
    std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
        return std::tuple(a.beginNs, a.rank, a.endNs) < std::tuple(b.beginNs, b.rank, b.endNs);
    });
}

void sortByTime(std::vector<MemorySample> &samples)
{
    std::stable_sort(samples.begin(), samples.end(),
                     [](const MemorySample &a, const MemorySample &b) { return a.timeNs < b.timeNs; });
}

} // namespace pipescope::trace

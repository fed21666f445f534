#include "stageview/boundary.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace pipescope::stageview {

std::optional<BoundaryMove> moveBoundary(const std::vector<partition::SplitPoint> &points, const std::vector<int> &cuts,
                                         int boundary, int steps)
{
    if (boundary < 0 || boundary >= static_cast<int>(cuts.size()) || steps == 0)
        return std::nullopt;
    const auto at = static_cast<std::size_t>(boundary);
    const int before = at > 0 ? cuts[at - 1] : 0;
    const int after = at + 1 < cuts.size() ? cuts[at + 1] : std::numeric_limits<int>::max();
    std::vector<const partition::SplitPoint *> places;
    for (const partition::SplitPoint &point : points)
        if (point.cut.position > before && point.cut.position < after &&
            (point.cut.legal || point.cut.position == cuts[at]))
            places.push_back(&point);
    const auto now =
        std::find_if(places.begin(), places.end(), [&](const auto *place) { return place->cut.position == cuts[at]; });
    if (now == places.end())
        return std::nullopt;
    const auto from = std::distance(places.begin(), now);
    const auto to = std::clamp<std::ptrdiff_t>(from + steps, 0, static_cast<std::ptrdiff_t>(places.size()) - 1);
    if (to == from)
        return std::nullopt;
    const partition::SplitPoint &target = *places[static_cast<std::size_t>(to)];
    return BoundaryMove{(*now)->id, target.id, target.cut.position};
}

} // namespace pipescope::stageview

#include "plan/stage_feeds.h"

#include <utility>
#include <vector>

namespace pipescope::plan {

schedule::Feeds feedsOf(const partition::Partition &partition)
{
    std::vector<schedule::Feeds::Edge> edges;
    for (const partition::Transfer &transfer : partition.transfers)
        if (transfer.from.valid())
            edges.push_back({transfer.from, transfer.to});
    return {static_cast<int>(partition.stages.size()), std::move(edges)};
}

} // namespace pipescope::plan

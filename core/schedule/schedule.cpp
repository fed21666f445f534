#include "schedule/schedule.h"

namespace pipescope::schedule {

std::vector<RankId> rankOfStage(const Schedule &schedule)
{
    std::vector<RankId> owner(static_cast<std::size_t>(schedule.stages));
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
        for (const Cell &cell : schedule.ranks[rank]) {
            if (!cell)
                continue;
            for (const Action &action : partsOf(*cell))
                if (isCompute(action.kind) && action.stage.index() < owner.size() &&
                    !owner[action.stage.index()].valid())
                    owner[action.stage.index()] = RankId{static_cast<int>(rank)};
        }
    return owner;
}

} // namespace pipescope::schedule

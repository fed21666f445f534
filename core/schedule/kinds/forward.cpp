#include "schedule/schedule_table.h"

#include <fmt/format.h>

namespace pipescope::schedule {

//        time ->
// rank 0  0F0 0F1 0F2
// rank 1      1F0 1F1 1F2
// rank 2          2F0 2F1 2F2
Result<Schedule> buildForward(const Shape &shape)
{
    if (shape.ranks < 1 || shape.microbatches < 1 || shape.stages < shape.ranks)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("a forward schedule needs at least one rank and microbatch and no more ranks than stages, "
                        "but got {} ranks, {} stages, {} microbatches",
                        shape.ranks, shape.stages, shape.microbatches),
            "forward",
            {}};
    Schedule schedule{"forward", shape.stages, shape.microbatches, {}};
    schedule.ranks.resize(static_cast<std::size_t>(shape.ranks));
    for (int stage = 0; stage < shape.stages; ++stage)
        for (int microbatch = 0; microbatch < shape.microbatches; ++microbatch)
            schedule.ranks[static_cast<std::size_t>(stage % shape.ranks)].push_back(
                Action{StageId{stage}, ActionKind::Forward, MicrobatchId{microbatch}, {}});
    return schedule;
}

} // namespace pipescope::schedule

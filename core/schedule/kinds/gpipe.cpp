#include "schedule/schedule_table.h"

#include <fmt/format.h>

namespace pipescope::schedule {

//        time ->
// rank 0  0F0 0F1 0F2             0B0 0B1 0B2
// rank 1      1F0 1F1 1F2 1B0 1B1 1B2
// Huang et al., GPipe (arXiv 1811.06965); backward in microbatch order as torch.distributed.pipelining's ScheduleGPipe.
Result<Schedule> buildGpipe(const Shape &shape)
{
    if (shape.ranks != shape.stages || shape.ranks < 1 || shape.microbatches < 1)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("GPipe runs one stage per rank and at least one microbatch, but got {} stages on {} ranks, "
                        "{} microbatches; use `forward` for several stages on a rank",
                        shape.stages, shape.ranks, shape.microbatches),
            "gpipe",
            {}};
    Schedule schedule{"gpipe", shape.stages, shape.microbatches, {}};
    for (int stage = 0; stage < shape.stages; ++stage) {
        Row row;
        for (const ActionKind kind : {ActionKind::Forward, ActionKind::FullBackward})
            for (int microbatch = 0; microbatch < shape.microbatches; ++microbatch)
                row.push_back(Action{StageId{stage}, kind, MicrobatchId{microbatch}, {}});
        schedule.ranks.push_back(std::move(row));
    }
    return schedule;
}

} // namespace pipescope::schedule

#include "schedule/kinds/kinds.h"

#include <fmt/format.h>

namespace pipescope::schedule {

namespace {

Error noGpipe(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), "gpipe", {}};
}

// A rank keeps what its stage's forwards leave for the backwards, of all microbatches at once.
Status fitsMemory(const ScheduleRequest &request)
{
    for (std::size_t stage = 0; stage < request.costs.size(); ++stage) {
        const std::int64_t each = request.costs[stage].activationBytes;
        if (each > request.memoryCap / request.microbatches)
            return noGpipe(fmt::format("GPipe keeps the activations of all microbatches, at stage {} {} times {} "
                                       "bytes, more than the {} bytes a rank may keep; use fewer microbatches",
                                       stage, request.microbatches, each, request.memoryCap));
    }
    return Success{};
}

} // namespace

Status fitsGpipe(const ScheduleRequest &request)
{
    if (request.ranks != request.stages)
        return noGpipe(
            fmt::format("GPipe runs one stage per rank, but got {} stages on {} ranks; use `forward` for several "
                        "stages on a rank",
                        request.stages, request.ranks));
    if (request.groupSize > 0)
        return noGpipe(fmt::format("GPipe has no groups of {} microbatches: a rank has one stage", request.groupSize));
    return request.trains && request.memoryCap > 0 ? fitsMemory(request) : Success{};
}

//        time ->
// rank 0  0F0 0F1 0F2             0B0 0B1 0B2
// rank 1      1F0 1F1 1F2 1B0 1B1 1B2
// Huang et al., GPipe (arXiv 1811.06965); backward in microbatch order as torch.distributed.pipelining's ScheduleGPipe.
Schedule buildGpipe(const ScheduleRequest &request)
{
    Schedule schedule{"gpipe", request.stages, request.microbatches, {}};
    schedule.ranks.resize(static_cast<std::size_t>(request.ranks));
    const std::vector<RankId> rankOf = placedRanks(request);
    for (int stage = 0; stage < request.stages; ++stage) {
        Row &row = schedule.ranks[rankOf[static_cast<std::size_t>(stage)].index()];
        for (const ActionKind kind : {ActionKind::Forward, ActionKind::FullBackward})
            for (int microbatch = 0; microbatch < request.microbatches; ++microbatch)
                row.push_back(Action{StageId{stage}, kind, MicrobatchId{microbatch}, {}});
    }
    return schedule;
}

} // namespace pipescope::schedule

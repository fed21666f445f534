#include "dtensor/spmd.h"

#include "tensor/thread_width.h"
#include "tensor/torch_guard.h"

#include <fmt/format.h>

namespace pipescope::dtensor {

namespace {

// An exception is an error like any other.
Status guarded(const RankProgram &program, const RankContext &context)
{
    return tensor::guardTorch(ErrorCode::ModelFailed, {}, [&] { return program(context); });
}

void runRank(RankId rank, const RankProgram &program, Collectives &collectives)
{
    const Status status = guarded(program, {rank, collectives, collectives.stopToken()});
    if (!status) {
        Error error = status.error();
        const std::string name = fmt::format("rank {}", rank.value);
        if (error.code != ErrorCode::Cancelled)
            error.message = fmt::format("{}: {}", name, error.message);
        if (error.where.empty())
            error.where = name;
        collectives.fail(error); // a rank that was let go comes second, and is not heard
    }
    collectives.leave(rank);
}

} // namespace

comm::Line RankContext::everyone() const
{
    comm::Line line;
    for (int i = 0; i < ranks(); ++i)
        line.push_back(RankId{i});
    return line;
}

RankWorld::RankWorld(int ranks, int threadsPerRank)
    : m_ranks(ranks)
    , m_threads(ranks, [threadsPerRank](RankId) { tensor::setThreadWidth(threadsPerRank); })
{
}

Result<std::unique_ptr<RankWorld>> RankWorld::make(int ranks, int threadsPerRank)
{
    if (ranks < 1 || ranks > MaxRanks)
        return Error{
            ErrorCode::InvalidArgument, fmt::format("{} ranks in one process; give 1 to {}", ranks, MaxRanks), {}, {}};
    if (threadsPerRank < 1)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} threads per rank; a rank needs at least one", threadsPerRank),
                     {},
                     {}};
    const tensor::CallersWidth width;
    return tensor::guardTorch(ErrorCode::Internal, {},
                              [&] { return std::unique_ptr<RankWorld>(new RankWorld(ranks, threadsPerRank)); });
}

Status RankWorld::run(const RankProgram &program, CollectiveOptions options, const std::stop_token &stop)
{
    Collectives collectives(m_ranks, std::move(options));
    {
        const std::stop_callback onStop(stop, [&collectives] {
            collectives.fail({ErrorCode::Cancelled, "the run was cancelled", {}, {}});
        });
        m_threads.start({[] {}, [&](RankId rank) { runRank(rank, program, collectives); }});
        while (!m_threads.waitFor(std::chrono::seconds(1))) {
        }
    }
    if (auto error = collectives.error())
        return *std::move(error);
    return Success{};
}

Status runSpmd(int ranks, const RankProgram &program, CollectiveOptions options, const std::stop_token &stop)
{
    auto world = RankWorld::make(ranks);
    if (!world)
        return world.error();
    return (*world)->run(program, std::move(options), stop);
}

} // namespace pipescope::dtensor

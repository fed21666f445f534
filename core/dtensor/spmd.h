// One program on many ranks: each a thread of this process that lives as long as the world does, with LibTorch's
// intra-op threads as pipeline runs have them. An error on one rank ends all.
#pragma once

#include "comm/rank_threads.h"
#include "dtensor/collectives.h"

#include <memory>

namespace pipescope::dtensor {

/// What a rank's program works with; valid while it runs.
struct RankContext
{
    RankId rank;
    Collectives &collectives;
    /// Stopped once another rank has failed or the run is cancelled: a program that computes for long asks it.
    std::stop_token stop;

    [[nodiscard]] int ranks() const { return collectives.ranks(); }
    /// All ranks in order.
    [[nodiscard]] comm::Line everyone() const;
    /// Collectives::run() and begin() of this rank.
    Result<at::Tensor> run(const comm::Line &line, const CollectiveRequest &request) const
    {
        return collectives.run(rank, line, request);
    }
    Result<PendingTensor> begin(const comm::Line &line, const CollectiveRequest &request) const
    {
        return collectives.begin(rank, line, request);
    }
};

/// Called on each rank's thread, at the same time. May throw.
using RankProgram = std::function<Status(const RankContext &)>;

class RankWorld
{
public:
    static constexpr int MaxRanks = 1024;

    /// Starts the threads. Errors: InvalidArgument for fewer than 1 or more than MaxRanks ranks, or less than one
    /// thread for each; OutOfResources where the system gives no more threads.
    static Result<std::unique_ptr<RankWorld>> make(int ranks, int threadsPerRank = 1);

    /// Runs the program on every rank and waits for all. The error is the one that came first: of the rank that failed
    /// ("rank 2: ..."), of a collective (Collectives::run), or Cancelled after a stop; ranks that were only let go are
    /// not told of. A rank that neither ends nor calls a collective nor asks its token is waited for.
    Status run(const RankProgram &program, CollectiveOptions options = {}, const std::stop_token &stop = {});

private:
    RankWorld(int ranks, int threadsPerRank);

    const int m_ranks;
    comm::RankThreads m_threads;
};

/// A world made for one run.
Status runSpmd(int ranks, const RankProgram &program, CollectiveOptions options = {}, const std::stop_token &stop = {});

} // namespace pipescope::dtensor

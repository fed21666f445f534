// Collectives among the ranks of one process, a thread each: direct copies out of one another's tensors, uneven sizes
// without padding, the same bits whatever the timing. Who meets whom, and what happens to those who meet nobody, is
// comm/rendezvous.h's business; what moves is collective_work.h's.
#pragma once

#include "comm/rendezvous.h"
#include "dtensor/collective_request.h"
#include "dtensor/collective_work.h"

#include <stop_token>

namespace pipescope::dtensor {

/// A rank's part in a collective, once it is done.
struct CollectiveEvent
{
    CollectiveKind kind = CollectiveKind::Barrier;
    std::optional<shard::ReduceOp> op;
    comm::Line line;
    std::string meshDims; ///< as requested
    RankId rank;
    int number = 0;            ///< among the rank's collectives, from 1
    std::int64_t bytesIn = 0;  ///< of the tensor that others read from this rank; 0 where they read none
    std::int64_t bytesOut = 0; ///< of the result
    RankId last;               ///< the rank that came last
    std::chrono::steady_clock::time_point begin;
    std::chrono::steady_clock::time_point end;
};

/// Called on the thread of whichever rank finished the collective, for several collectives at the same time. Must not
/// throw, nor call a collective.
using CollectiveListener = std::function<void(const CollectiveEvent &)>;

class Collectives;

/// The result of a collective to come, awaited once. One that is dropped is no fault. Must not outlive its Collectives.
class PendingTensor
{
public:
    /// Waits for the result (undefined for a barrier); the tensor brought may be changed from now on. Errors: as of
    /// Collectives::run(); InvalidArgument when it is called again.
    Result<at::Tensor> wait();

private:
    friend class Collectives;
    using Ticket = comm::Rendezvous<CollectiveCall, CollectivePart>::Ticket;
    PendingTensor(Collectives &collectives, Ticket ticket)
        : m_collectives(&collectives)
        , m_ticket(std::move(ticket))
    {
    }

    Collectives *m_collectives; ///< not owned
    Ticket m_ticket;
};

struct CollectiveOptions
{
    CollectiveListener listener; ///< may be none
    Clock clock = std::chrono::steady_clock::now;
};

/// One world of ranks. All functions may be called from any thread, those with a rank from that rank's only.
class Collectives
{
public:
    explicit Collectives(int ranks, CollectiveOptions options = {});

    [[nodiscard]] int ranks() const { return m_waits.ranks(); }

    /// Calls a collective on a line of ranks, each of which has to call the same; the n-th call of a rank on a line
    /// meets the n-th calls of the others. Until the result is awaited, or for a dropped one until the ranks end, the
    /// tensor brought must not be changed: the others read it. Results are new contiguous memory without gradient.
    /// Errors of the request and the line (checkRequest, checkLine) come to this rank only; any other is the error that
    /// ended the world, as for run().
    Result<PendingTensor> begin(RankId self, const comm::Line &line, const CollectiveRequest &request);

    /// begin(), and the result. Errors: as of begin(). The world ends for all ranks with the first of: ranks of a line
    /// that called different things (InvalidArgument), ranks that wait for one another or for one that has left
    /// (Deadlock), no memory, an operator that LibTorch has not for the dtype, fail().
    Result<at::Tensor> run(RankId self, const comm::Line &line, const CollectiveRequest &request);

    /// The rank calls nothing any more.
    void leave(RankId self) { m_rendezvous.leave(self); }
    /// Ends the world with this error; only the first one counts.
    void fail(const Error &error) { m_rendezvous.close(error); }
    /// What ended the world.
    [[nodiscard]] std::optional<Error> error() const { return m_rendezvous.error(); }
    /// Stopped once the world has ended with an error.
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }

private:
    friend class PendingTensor;
    using Meet = comm::Rendezvous<CollectiveCall, CollectivePart>;

    Meet::Hooks hooks(CollectiveOptions options);

    std::stop_source m_stop;
    comm::WaitRegistry<comm::AtCall> m_waits;
    Meet m_rendezvous;
};

} // namespace pipescope::dtensor

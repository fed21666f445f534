// Ranks that meet in collectives: the n-th call of a rank on a line meets the n-th calls of the line's other ranks, and
// once all are there the work of that exchange is done, a share for each. Knows nothing of what is called, brought and
// done. Ranks that call different things, ranks that wait for one another crosswise and ranks that are gone end in an
// error; nothing is left to a time limit.
//
// A share is done by its own rank where that rank waits for the result first; else by whoever waits. So a call whose
// result is awaited late, or never, holds up nobody. A result is handed out when the shares of all are done: what a
// rank brought may be read by all others until then.
#pragma once

#include "base/clock.h"
#include "comm/exchange.h"
#include "comm/wait_registry.h"

#include <map>
#include <mutex>

namespace pipescope::comm {

/// What a rank waits for: the others of its n-th call, from 1.
struct AtCall
{
    int number = 0;

    friend bool operator==(const AtCall &, const AtCall &) = default;
};

/// `Call`: what is called; equal calls meet. `Part`: what a rank brings, and its result once the work is done.
/// All functions may be called from any thread, those with a `rank` or a ticket for one rank at a time.
template <class Call, class Part, class Awaited = AtCall>
class Rendezvous
{
    using OneExchange = Exchange<Call, Part>;
    using Lock = std::unique_lock<std::mutex>;

public:
    struct Hooks
    {
        /// A call in words, for errors. Called with a lock held: must use nothing of this.
        std::function<std::string(const Call &)> text;
        /// Does the share of the rank at `place` of the line. Shares of one exchange are done at the same time on
        /// several threads: each writes what no other reads or writes. Must not throw. An error ends everything.
        std::function<Status(const Call &call, std::vector<Part> &parts, std::size_t place)> work;
        /// Told of each rank's part when an exchange is done, in the order of the line, on the thread that finished it;
        /// may be none. Must not throw, and use nothing of this.
        std::function<void(const Attendance<Call, Part> &)> attended;
        /// Told of the first error, once everyone has been let go; may be none. Must not throw.
        std::function<void(const Error &)> failed;
        Clock clock = std::chrono::steady_clock::now;
    };

    /// A rank's place in an exchange: its result is awaited once. One that is dropped is no fault; the others do its
    /// share.
    class Ticket
    {
    public:
        Ticket() = default;
        ~Ticket() = default;
        Ticket(Ticket &&) noexcept = default;
        Ticket &operator=(Ticket &&) noexcept = default;
        Ticket(const Ticket &) = delete;
        Ticket &operator=(const Ticket &) = delete;

        /// False once it has been moved from.
        explicit operator bool() const { return m_exchange != nullptr; }

    private:
        friend class Rendezvous;
        Ticket(std::shared_ptr<OneExchange> exchange, std::size_t place)
            : m_exchange(std::move(exchange))
            , m_place(place)
        {
        }

        std::shared_ptr<OneExchange> m_exchange;
        std::size_t m_place = 0;
    };

    /// For the ranks of `waits`, which must outlive this. Whoever made `waits` closes this with stallError() when it
    /// tells a stall.
    Rendezvous(WaitRegistry<Awaited> &waits, Hooks hooks)
        : m_waits(waits)
        , m_hooks(std::move(hooks))
        , m_ranks(static_cast<std::size_t>(waits.ranks()))
    {
        PIPESCOPE_ASSERT(m_hooks.text && m_hooks.work && m_hooks.clock);
    }

    /// Calls, and does not wait. Errors: of the line (checkLine), which only this rank gets; the error that closed
    /// this; where this rank is the last of its exchange to call, that the calls differ (disagreement), which closes
    /// this.
    Result<Ticket> join(RankId rank, const Line &line, Call call, Part part)
    {
        if (auto ok = checkLine(line, rank, m_waits.ranks()); !ok)
            return ok.error();
        Lock lock(m_mutex);
        if (m_error)
            return *m_error;
        const auto place = static_cast<std::size_t>(std::find(line.begin(), line.end(), rank) - line.begin());
        Upcoming<Call, Part> &upcoming = m_lines.try_emplace(line, line).first->second;
        const std::shared_ptr<OneExchange> exchange = upcoming.next(place);
        exchange->members[place] = {std::move(call), ++m_ranks[rank.index()].calls, m_hooks.clock(), false};
        exchange->parts[place] = std::move(part);
        if (--exchange->missing == 0) {
            exchange->last = rank;
            upcoming.dropFirst(); // it is the first: nobody calls twice before all have called once
            if (auto differ = differences(*exchange, m_hooks.text)) {
                fail(std::move(lock), *differ);
                return *std::move(differ);
            }
            for (const RankId other : line)
                letGo(other, *exchange);
            exchange->changed.notify_all();
        }
        return Ticket(exchange, place);
    }

    /// Waits for the result: for the others of the line, then until the shares of all are done. Error: the one that
    /// closed this, before that was so; nobody works on what the rank brought any more.
    Result<Part> wait(Ticket ticket)
    {
        PIPESCOPE_ASSERT(ticket);
        OneExchange &exchange = *ticket.m_exchange;
        Lock lock(m_mutex);
        if (exchange.missing > 0 && !m_error)
            lock = awaitOthers(exchange, ticket.m_place, std::move(lock));
        lock = doShares(exchange, ticket.m_place, std::move(lock));
        exchange.changed.wait(lock, [&] { return exchange.finished || (m_error && exchange.working == 0); });
        if (!exchange.finished)
            return *m_error;
        return std::move(exchange.parts[ticket.m_place]);
    }

    /// This rank calls nothing any more. What it called without waiting for it is still done.
    void leave(RankId rank)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ranks[rank.index()].ended = true;
        }
        m_waits.leave(rank);
    }

    /// Ends everything: who waits and who calls from now on gets this error. Only the first one counts. Closes the
    /// registry too.
    void close(const Error &error) { fail(Lock(m_mutex), error); }

    [[nodiscard]] std::optional<Error> error() const
    {
        const std::lock_guard lock(m_mutex);
        return m_error;
    }

    /// Who waits for whom, as an error (stall); the error that closed this, where one did. Asked once nobody can go on
    /// and some rank waits in here.
    [[nodiscard]] Error stallError() const
    {
        std::vector<Stuck> stuck;
        std::vector<Away> away;
        const std::lock_guard lock(m_mutex);
        if (m_error)
            return *m_error;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const RankId rank{static_cast<int>(i)};
            const RankState &state = m_ranks[i];
            if (state.waitsIn != nullptr)
                stuck.push_back(stuckIn(*state.waitsIn, rank, m_hooks.text));
            else
                away.push_back({rank, state.calls, state.ended});
        }
        return stall(stuck, away);
    }

private:
    struct RankState
    {
        int calls = 0;
        bool ended = false;
        OneExchange *waitsIn = nullptr; ///< for others to call
    };

    Lock awaitOthers(OneExchange &exchange, std::size_t place, Lock lock)
    {
        const RankId rank = exchange.line[place];
        RankState &self = m_ranks[rank.index()];
        self.waitsIn = &exchange;
        m_waits.begin(rank, Awaited(AtCall{exchange.members[place].number}), std::move(lock));
        Lock again(m_mutex);
        exchange.changed.wait(again, [&self] { return self.waitsIn == nullptr; });
        return again;
    }

    // The rank's own share first, then those that nobody does.
    Lock doShares(OneExchange &exchange, std::size_t own, Lock lock)
    {
        for (std::size_t i = 0; i < exchange.members.size() && !m_error; ++i) {
            const std::size_t place = (own + i) % exchange.members.size();
            if (std::exchange(exchange.members[place].claimed, true))
                continue;
            ++exchange.working;
            lock.unlock();
            const Status done = m_hooks.work(*exchange.members.front().call, exchange.parts, place);
            lock.lock();
            if (!done)
                lock = fail(std::move(lock), done.error());
            else if (--exchange.shares == 0)
                lock = finish(exchange, std::move(lock));
            --exchange.working;
            if (exchange.finished || m_error)
                exchange.changed.notify_all();
        }
        return lock;
    }

    // `working` counts this thread: no rank of the exchange goes away meanwhile.
    Lock finish(OneExchange &exchange, Lock lock)
    {
        lock.unlock();
        const auto end = m_hooks.clock();
        for (std::size_t i = 0; i < exchange.line.size() && m_hooks.attended; ++i) {
            const auto &member = exchange.members[i];
            m_hooks.attended({exchange.line[i], member.number, exchange.line, *member.call, exchange.parts[i],
                              exchange.last, member.begin, end});
        }
        lock.lock();
        exchange.finished = true;
        return lock;
    }

    Lock fail(Lock lock, const Error &error)
    {
        if (m_error)
            return lock;
        m_error = error;
        m_waits.close();
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            if (OneExchange *const exchange = m_ranks[i].waitsIn) {
                letGo(RankId{static_cast<int>(i)}, *exchange);
                exchange->changed.notify_all();
            }
        }
        if (m_hooks.failed) {
            lock.unlock();
            m_hooks.failed(error);
            lock.lock();
        }
        return lock;
    }

    // Ends the rank's waiting for others, if it waits in this exchange; whoever calls wakes it.
    void letGo(RankId rank, OneExchange &exchange)
    {
        RankState &state = m_ranks[rank.index()];
        if (state.waitsIn != &exchange)
            return;
        state.waitsIn = nullptr;
        m_waits.end(rank);
    }

    WaitRegistry<Awaited> &m_waits;
    const Hooks m_hooks;
    mutable std::mutex m_mutex;
    std::optional<Error> m_error;
    std::vector<RankState> m_ranks;
    std::map<Line, Upcoming<Call, Part>> m_lines;
};

} // namespace pipescope::comm

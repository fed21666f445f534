// Which ranks of a run wait, and for what; and whether any of them can still go on. What is waited for comes from
// mailboxes, and from whatever else makes ranks wait for one another: all of one run share one registry.
//
// A stall is told exactly, without a lock over all ranks. One atomic counter holds the ranks that are there and do not
// wait. A rank leaves it only after it saw, under the lock that whoever brings its thing must take, that the thing is
// not there; the one who brings it puts the rank back under that lock, before it waits or leaves itself. So the thing
// of a rank outside the counter was not brought, and a rank that is about to bring one is inside: at zero nobody is
// left to bring anything, and there is no false alarm. All changes of one atomic have one order, so exactly one call
// makes it zero and sees that: no stall is missed, none told twice. From then on the ranks stand still, and that call
// can read the list at leisure; only close() may come from elsewhere, so it is asked for last.
#pragma once

#include "base/error.h"
#include "base/ids.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace pipescope::comm {

/// A rank that waits, and what for.
template <class Awaited>
struct Waiting
{
    RankId rank;
    Awaited awaited;

    friend bool operator==(const Waiting &, const Waiting &) = default;
};

/// All functions may be called from any thread, those with a `rank` as they say. Nobody but ranks that are there and do
/// not wait may bring what is waited for, except before the first of them waits.
template <class Awaited>
class WaitRegistry
{
public:
    /// Called, without any lock held, by the rank whose waiting (or leaving) made every rank that is left wait for
    /// something nobody brought. It should let all of them go. Called once at most: a rank that is let go and leaves
    /// while others still wait makes no second stall.
    using Stalled = std::function<void(const std::vector<Waiting<Awaited>> &)>;

    /// Ranks 0 to `ranks` - 1, all there and none waiting.
    explicit WaitRegistry(int ranks, Stalled stalled = {})
        : m_stalled(std::move(stalled))
        , m_slots(static_cast<std::size_t>(ranks))
        , m_running(ranks)
    {
    }

    /// This rank begins to wait. `lock` is the one under which it saw that `awaited` is not there, and which whoever
    /// brings it takes; it is released.
    void begin(RankId rank, Awaited awaited, std::unique_lock<std::mutex> lock)
    {
        PIPESCOPE_ASSERT(lock.owns_lock());
        setAwaited(rank, std::move(awaited));
        const bool wasLast = stopRunning();
        lock.unlock();
        if (wasLast)
            tellStall();
    }

    /// What the rank waits for is there, or it shall wait no more. Called under the lock that begin() was given, before
    /// the rank can see it.
    void end(RankId rank)
    {
        setAwaited(rank, std::nullopt);
        m_running.fetch_add(1, std::memory_order_acq_rel);
    }

    /// This rank, which does not wait, waits for nothing and brings nothing any more.
    void leave(RankId rank)
    {
        PIPESCOPE_ASSERT(!awaitedBy(rank));
        if (stopRunning())
            tellStall();
    }

    /// No stall is told any more; called before anybody is let go without having got what it waits for.
    void close() { m_closed.store(true, std::memory_order_release); }

    /// Who waits, by rank; each as it was when it was looked at.
    [[nodiscard]] std::vector<Waiting<Awaited>> waiting() const
    {
        std::vector<Waiting<Awaited>> list;
        for (int i = 0; i < ranks(); ++i) {
            if (std::optional<Awaited> awaited = awaitedBy(RankId{i}))
                list.push_back({RankId{i}, *std::move(awaited)});
        }
        return list;
    }

    [[nodiscard]] int ranks() const { return static_cast<int>(m_slots.size()); }

private:
    // A line of the cache each: ranks change their own at the same time.
    struct alignas(64) Slot
    {
        mutable std::mutex mutex;
        std::optional<Awaited> awaited;
    };

    void setAwaited(RankId rank, std::optional<Awaited> awaited)
    {
        Slot &slot = m_slots[rank.index()];
        const std::lock_guard lock(slot.mutex);
        PIPESCOPE_ASSERT(slot.awaited.has_value() != awaited.has_value());
        slot.awaited = std::move(awaited);
    }

    std::optional<Awaited> awaitedBy(RankId rank) const
    {
        const Slot &slot = m_slots[rank.index()];
        const std::lock_guard lock(slot.mutex);
        return slot.awaited;
    }

    // Whether nobody runs now.
    bool stopRunning() { return m_running.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    void tellStall()
    {
        if (!m_stalled)
            return;
        const std::vector<Waiting<Awaited>> everyone = waiting();
        // Asked after listing: a list that misses somebody whom a close() let go is never told.
        if (!everyone.empty() && !m_closed.exchange(true, std::memory_order_acq_rel))
            m_stalled(everyone);
    }

    const Stalled m_stalled;
    std::vector<Slot> m_slots;
    alignas(64) std::atomic<int> m_running;
    std::atomic<bool> m_closed = false;
};

} // namespace pipescope::comm

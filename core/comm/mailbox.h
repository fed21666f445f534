// Values on their way from one stage to another, within one process. Every value has an address; a reader asks for the
// one it wants, so the order of posting and of asking never matters and nothing can overtake. Handing over is moving:
// no value is copied. Who posts what to whom is the caller's business.
#pragma once

#include "base/error.h"
#include "comm/address.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pipescope::comm {

/// A reader that waits, and what for.
struct Waiting
{
    RankId reader;
    Address address;

    friend bool operator==(const Waiting &, const Waiting &) = default;
};

/// All functions may be called from any thread, those with a `reader` only by the one thread that is this reader.
template <class Payload>
class Mailbox
{
public:
    /// Called, without any lock held, by the reader whose waiting (or leaving) made every reader that is left wait for
    /// something nobody posted. It should close the mailbox.
    using Stalled = std::function<void(const std::vector<Waiting> &)>;

    /// Readers are ranks 0 to `readers` - 1. A reader looks for its value for `spin` before it goes to sleep: waking a
    /// sleeping thread takes longer than a short stage. With `stalled`, readers must be the only ones that post.
    explicit Mailbox(int readers, std::chrono::nanoseconds spin = {}, Stalled stalled = {})
        : m_spin(spin)
        , m_stalled(std::move(stalled))
        , m_readers(static_cast<std::size_t>(readers))
        , m_present(readers)
    {
    }

    /// Puts a value where `reader` finds it. Each address is used once. After close() the value is dropped.
    void post(const Address &address, RankId reader, Payload payload)
    {
        post(address, reader, std::move(payload), [] {});
    }

    /// `before` is called once, just before the reader can find the value, and not where it is dropped: a reader that
    /// is woken may take the core of the one that posts. A lock is held: it must be short, and use nothing of this.
    template <class Before>
    void post(const Address &address, RankId reader, Payload payload, Before before)
    {
        Reader &to = m_readers[reader.index()];
        bool sleeping = false;
        {
            const std::lock_guard lock(m_mutex);
            if (m_closed)
                return;
            before();
            if (!to.wanted || *to.wanted != address) {
                const bool isNew = m_posted.try_emplace(address, std::move(payload)).second;
                PIPESCOPE_ASSERT(isNew);
                return;
            }
            to.taken.emplace(std::move(payload));
            sleeping = release(to);
        }
        if (sleeping)
            to.wake.notify_one();
    }

    /// The value if it is there.
    std::optional<Payload> tryTake(const Address &address)
    {
        const std::lock_guard lock(m_mutex);
        return takePosted(address);
    }

    /// Waits for the value; nullopt once the mailbox is closed.
    std::optional<Payload> take(const Address &address, RankId reader)
    {
        Reader &self = m_readers[reader.index()];
        std::unique_lock lock(m_mutex);
        if (m_closed)
            return std::nullopt;
        if (auto payload = takePosted(address))
            return payload;
        self.wanted = address;
        self.released.store(false, std::memory_order_relaxed);
        ++m_waiting;
        reportStall(lock);
        lock.unlock();
        if (!spinUntilReleased(self)) {
            lock.lock();
            self.sleeping = true;
            self.wake.wait(lock, [&self] { return !self.wanted; });
            self.sleeping = false;
        }
        return std::exchange(self.taken, std::nullopt);
    }

    /// The reader takes nothing and posts nothing any more.
    void leave(RankId reader)
    {
        std::unique_lock lock(m_mutex);
        PIPESCOPE_ASSERT(!m_readers[reader.index()].wanted);
        --m_present;
        reportStall(lock);
    }

    /// Drops what is there and wakes everyone; all later posts are dropped and all later takes give nullopt.
    void close()
    {
        std::unordered_map<Address, Payload> dropped; // destroyed after the lock is released
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        dropped.swap(m_posted);
        for (Reader &reader : m_readers) {
            if (reader.wanted && release(reader))
                reader.wake.notify_one();
        }
    }

    /// Who waits now, by rank.
    [[nodiscard]] std::vector<Waiting> waiting() const
    {
        const std::lock_guard lock(m_mutex);
        return listWaiting();
    }

    /// Values posted and not taken.
    [[nodiscard]] std::size_t size() const
    {
        const std::lock_guard lock(m_mutex);
        return m_posted.size();
    }

private:
    // Everything but `released` is guarded by the mutex; `taken` is handed to the reader by `released`.
    struct alignas(64) Reader
    {
        std::optional<Address> wanted;
        std::optional<Payload> taken;
        bool sleeping = false;
        std::atomic<bool> released = false;
        std::condition_variable wake;
    };

    std::optional<Payload> takePosted(const Address &address)
    {
        const auto found = m_posted.find(address);
        if (found == m_posted.end())
            return std::nullopt;
        std::optional<Payload> payload(std::move(found->second));
        m_posted.erase(found);
        return payload;
    }

    // Ends a reader's waiting; whether it sleeps and must be woken.
    bool release(Reader &reader)
    {
        reader.wanted.reset();
        --m_waiting;
        reader.released.store(true, std::memory_order_release);
        return reader.sleeping;
    }

    void reportStall(std::unique_lock<std::mutex> &lock)
    {
        if (!m_stalled || m_closed || m_waiting == 0 || m_waiting != m_present)
            return;
        const std::vector<Waiting> everyone = listWaiting();
        lock.unlock();
        m_stalled(everyone);
        lock.lock();
    }

    [[nodiscard]] std::vector<Waiting> listWaiting() const
    {
        std::vector<Waiting> list;
        for (std::size_t reader = 0; reader < m_readers.size(); ++reader) {
            if (m_readers[reader].wanted)
                list.push_back({RankId{static_cast<int>(reader)}, *m_readers[reader].wanted});
        }
        return list;
    }

    bool spinUntilReleased(const Reader &reader) const
    {
        if (m_spin == std::chrono::nanoseconds::zero())
            return false;
        const auto end = std::chrono::steady_clock::now() + m_spin;
        do {
            if (reader.released.load(std::memory_order_acquire))
                return true;
            std::this_thread::yield();
        } while (std::chrono::steady_clock::now() < end);
        return false;
    }

    const std::chrono::nanoseconds m_spin;
    const Stalled m_stalled;
    mutable std::mutex m_mutex;
    std::unordered_map<Address, Payload> m_posted;
    std::vector<Reader> m_readers;
    int m_present = 0;
    int m_waiting = 0;
    bool m_closed = false;
};

} // namespace pipescope::comm

// Values on their way from one stage to another, within one process. Every value has an address; a reader asks for the
// one it wants, so the order of posting and of asking never matters and nothing can overtake. Handing over is moving:
// no value is copied. What is posted lies with its reader, under a lock of its own: posting to one never waits for
// another. Who posts what to whom is the caller's business, who waits for whom the registry's.
#pragma once

#include "base/error.h"
#include "comm/address.h"
#include "comm/wait_registry.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pipescope::comm {

/// All functions may be called from any thread, those that take only by the one thread that is this reader.
template <class Payload, class Awaited = Address>
class Mailbox
{
public:
    /// Readers are the ranks of `waits`, which must outlive this. A reader looks for its value for `spin` before it
    /// goes to sleep: waking a sleeping thread takes longer than a short stage.
    explicit Mailbox(WaitRegistry<Awaited> &waits, std::chrono::nanoseconds spin = {})
        : m_waits(waits)
        , m_spin(spin)
        , m_readers(static_cast<std::size_t>(waits.ranks()))
    {
    }

    /// Puts a value where `reader` finds it. Each address is used once. After close() the value is dropped.
    void post(const Address &address, RankId reader, Payload payload)
    {
        post(address, reader, std::move(payload), [] {});
    }

    /// `before` is called once, just before the reader can find the value, and not where it is dropped: a reader that
    /// is woken may take the core of the one that posts. The reader's lock is held: it must be short, and use nothing
    /// of this reader.
    template <class Before>
    void post(const Address &address, RankId reader, Payload payload, Before before)
    {
        Reader &to = m_readers[reader.index()];
        bool sleeping = false;
        {
            const std::lock_guard lock(to.mutex);
            if (to.closed)
                return;
            before();
            if (!to.wanted || *to.wanted != address) {
                const bool isNew = to.posted.try_emplace(address, std::move(payload)).second;
                PIPESCOPE_ASSERT(isNew);
                return;
            }
            to.taken.emplace(std::move(payload));
            sleeping = release(to, reader);
        }
        if (sleeping)
            to.wake.notify_one();
    }

    /// The value if it is there.
    std::optional<Payload> tryTake(const Address &address, RankId reader)
    {
        Reader &self = m_readers[reader.index()];
        const std::lock_guard lock(self.mutex);
        return takePosted(self, address);
    }

    /// Waits for the value; nullopt once the mailbox is closed.
    std::optional<Payload> take(const Address &address, RankId reader)
    {
        Reader &self = m_readers[reader.index()];
        std::unique_lock lock(self.mutex);
        if (self.closed)
            return std::nullopt;
        if (auto payload = takePosted(self, address))
            return payload;
        self.wanted = address;
        self.released.store(false, std::memory_order_relaxed);
        m_waits.begin(reader, address, std::move(lock));
        if (!spinUntilReleased(self)) {
            std::unique_lock asleep(self.mutex);
            self.sleeping = true;
            self.wake.wait(asleep, [&self] { return !self.wanted; });
            self.sleeping = false;
        }
        return std::exchange(self.taken, std::nullopt);
    }

    /// Drops what is there and wakes everyone; all later posts are dropped and all later takes give nullopt. Closes the
    /// registry too.
    void close()
    {
        m_waits.close();
        for (std::size_t i = 0; i < m_readers.size(); ++i)
            close(m_readers[i], RankId{static_cast<int>(i)});
    }

    /// Values posted and not taken.
    [[nodiscard]] std::size_t size() const
    {
        std::size_t count = 0;
        for (const Reader &reader : m_readers) {
            const std::lock_guard lock(reader.mutex);
            count += reader.posted.size();
        }
        return count;
    }

private:
    // Everything but `released` is guarded by the mutex; `taken` is handed to the reader by `released`.
    struct alignas(64) Reader
    {
        mutable std::mutex mutex;
        std::unordered_map<Address, Payload> posted;
        std::optional<Address> wanted;
        std::optional<Payload> taken;
        bool closed = false;
        bool sleeping = false;
        std::atomic<bool> released = false;
        std::condition_variable wake;
    };

    static std::optional<Payload> takePosted(Reader &reader, const Address &address)
    {
        const auto found = reader.posted.find(address);
        if (found == reader.posted.end())
            return std::nullopt;
        std::optional<Payload> payload(std::move(found->second));
        reader.posted.erase(found);
        return payload;
    }

    // Ends a reader's waiting; whether it sleeps and must be woken.
    bool release(Reader &reader, RankId rank)
    {
        reader.wanted.reset();
        m_waits.end(rank);
        reader.released.store(true, std::memory_order_release);
        return reader.sleeping;
    }

    void close(Reader &reader, RankId rank)
    {
        std::unordered_map<Address, Payload> dropped; // destroyed after the lock is released
        const std::lock_guard lock(reader.mutex);
        reader.closed = true;
        dropped.swap(reader.posted);
        if (reader.wanted && release(reader, rank))
            reader.wake.notify_one();
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

    WaitRegistry<Awaited> &m_waits;
    const std::chrono::nanoseconds m_spin;
    std::vector<Reader> m_readers;
};

} // namespace pipescope::comm

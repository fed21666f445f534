#include "tensor/memory_watch.h"

#include "base/result.h"
#include "trace/time_order.h"

#include <algorithm>
#include <array>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace pipescope::tensor {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t WindowNs = 40'000;
constexpr std::size_t SampleLimit = 1 << 16;

std::int64_t nanoseconds(SteadyClock::time_point time)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

} // namespace

/// One rank's account. Changes within a window share one sample, which keeps the highest value; when the window closes,
/// the last value follows it.
class MemoryLedger::Account
{
public:
    struct Sample
    {
        std::int64_t timeNs = 0;
        std::int64_t bytes = 0;
    };

    void change(std::int64_t delta)
    {
        const std::lock_guard lock(m_mutex);
        const Sample next{nanoseconds(SteadyClock::now()), m_last.bytes + delta};
        m_peak = std::max(m_peak, next.bytes);
        if (m_open && next.timeNs - m_samples.back().timeNs < m_window) {
            m_samples.back().bytes = std::max(m_samples.back().bytes, next.bytes);
        } else {
            closeWindow();
            m_samples.push_back(next);
            m_open = true;
        }
        m_last = next;
    }

    std::vector<Sample> drain()
    {
        const std::lock_guard lock(m_mutex);
        closeWindow();
        m_window = WindowNs;
        return std::exchange(m_samples, {});
    }

    void forget()
    {
        const std::lock_guard lock(m_mutex);
        m_samples.clear();
        m_open = false;
        m_window = WindowNs;
        m_last = {};
        m_peak = 0;
    }

    std::int64_t bytes() const
    {
        const std::lock_guard lock(m_mutex);
        return m_last.bytes;
    }

    std::int64_t peak() const
    {
        const std::lock_guard lock(m_mutex);
        return m_peak;
    }

private:
    void closeWindow()
    {
        if (m_open && m_last.bytes != m_samples.back().bytes)
            m_samples.push_back(m_last);
        m_open = false;
        if (m_samples.size() >= SampleLimit)
            thin();
    }

    /// Of every two neighbours the higher one stays; windows are twice as long from here on.
    void thin()
    {
        std::vector<Sample> kept;
        for (std::size_t i = 0; i + 1 < m_samples.size(); i += 2)
            kept.push_back(m_samples[i].bytes > m_samples[i + 1].bytes ? m_samples[i] : m_samples[i + 1]);
        m_samples = std::move(kept);
        m_window *= 2;
    }

    mutable std::mutex m_mutex;
    std::vector<Sample> m_samples;
    Sample m_last;
    std::int64_t m_peak = 0;
    std::int64_t m_window = WindowNs;
    bool m_open = false;
};

/// Which rank each living block belongs to. Spread over several locks, so that ranks seldom wait for each other.
class MemoryLedger::State
{
public:
    explicit State(int ranks)
    {
        PIPESCOPE_ASSERT(ranks >= 0);
        m_accounts.resize(static_cast<std::size_t>(ranks));
    }

    Account &account(RankId rank)
    {
        PIPESCOPE_ASSERT(rank.valid() && rank.index() < m_accounts.size());
        return m_accounts[rank.index()];
    }

    std::deque<Account> &accounts() { return m_accounts; }

    void allocated(RankId rank, void *pointer, std::int64_t bytes)
    {
        freed(pointer); // where the free went unseen
        if (!rank.valid())
            return;
        {
            Shard &shard = shardOf(pointer);
            const std::lock_guard lock(shard.mutex);
            shard.blocks[pointer] = {rank.index(), bytes};
        }
        account(rank).change(bytes);
    }

    void freed(void *pointer)
    {
        Block block;
        {
            Shard &shard = shardOf(pointer);
            const std::lock_guard lock(shard.mutex);
            const auto found = shard.blocks.find(pointer);
            if (found == shard.blocks.end())
                return;
            block = found->second;
            shard.blocks.erase(found);
        }
        m_accounts[block.rank].change(-block.bytes);
    }

    void forget()
    {
        for (Shard &shard : m_shards) {
            const std::lock_guard lock(shard.mutex);
            shard.blocks.clear();
        }
        for (Account &account : m_accounts)
            account.forget();
    }

private:
    struct Block
    {
        std::size_t rank = 0;
        std::int64_t bytes = 0;
    };

    struct Shard
    {
        std::mutex mutex;
        std::unordered_map<void *, Block> blocks;
    };

    Shard &shardOf(void *pointer)
    {
        // Tensors are aligned to 64 bytes, large ones to pages: the low bits say nothing.
        const auto address = reinterpret_cast<std::uintptr_t>(pointer);
        return m_shards[((address >> 6) ^ (address >> 12)) % m_shards.size()];
    }

    std::deque<Account> m_accounts;
    std::array<Shard, 32> m_shards;
};

namespace {

/// What LibTorch calls on the watched thread; `State` is MemoryLedger's.
template <class State>
class Reporter : public c10::MemoryReportingInfoBase
{
public:
    Reporter(std::shared_ptr<State> state, RankId rank)
        : m_state(std::move(state))
        , m_rank(rank)
    {
    }

    void reportMemoryUsage(void *pointer, std::int64_t bytes, std::size_t, std::size_t, c10::Device) override
    {
        if (bytes > 0)
            m_state->allocated(m_rank, pointer, bytes);
        else
            m_state->freed(pointer);
    }

    bool memoryProfilingEnabled() const override { return true; }

private:
    std::shared_ptr<State> m_state;
    RankId m_rank;
};

} // namespace

MemoryLedger::MemoryLedger(int ranks)
    : m_state(std::make_shared<State>(ranks))
{
}

MemoryLedger::~MemoryLedger() = default;

std::int64_t MemoryLedger::bytes(RankId rank) const
{
    return m_state->account(rank).bytes();
}

std::int64_t MemoryLedger::peakBytes(RankId rank) const
{
    return m_state->account(rank).peak();
}

std::vector<trace::MemorySample> MemoryLedger::drain(SteadyClock::time_point origin)
{
    const std::int64_t start = nanoseconds(origin);
    std::vector<trace::MemorySample> samples;
    int rank = 0;
    for (Account &account : m_state->accounts()) {
        for (const Account::Sample &sample : account.drain())
            samples.push_back({RankId{rank}, sample.timeNs - start, sample.bytes});
        ++rank;
    }
    trace::sortByTime(samples);
    return samples;
}

void MemoryLedger::forget()
{
    m_state->forget();
}

MemoryWatch::MemoryWatch(const MemoryLedger &ledger, RankId rank)
    : m_guard(std::make_unique<c10::DebugInfoGuard>(
          c10::DebugInfoKind::PROFILER_STATE, std::make_shared<Reporter<MemoryLedger::State>>(ledger.m_state, rank)))
{
}

MemoryWatch::~MemoryWatch() = default;

} // namespace pipescope::tensor

// Counts the bytes of tensors each rank holds, from LibTorch's allocation reports. A ledger is shared by all ranks of a
// run; a watch connects the calling thread to it. Uses the thread's profiler slot: not together with Kineto.
#pragma once

#include "base/ids.h"
#include "trace/event.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace c10 {
class DebugInfoGuard;
}

namespace pipescope::tensor {

/// Who holds how many bytes. A block belongs to the rank whose thread allocated it until any watched thread frees it.
/// Blocks allocated by unwatched threads are nobody's; a free by an unwatched thread is noticed when the address is
/// used again. All functions may be called from any thread.
class MemoryLedger
{
public:
    explicit MemoryLedger(int ranks);
    ~MemoryLedger();
    MemoryLedger(const MemoryLedger &) = delete;
    MemoryLedger &operator=(const MemoryLedger &) = delete;

    /// Bytes held now, and the most held since the last forget().
    [[nodiscard]] std::int64_t bytes(RankId rank) const;
    [[nodiscard]] std::int64_t peakBytes(RankId rank) const;

    /// The samples since the last call, by time, which counts from `origin`. Changes closer together than 40 µs make
    /// one or two samples: the highest value and, where it differs, the last; so no peak is lost and the last value is
    /// exact. What is not drained for long becomes coarser in time, never larger than 1.5 MiB a rank.
    [[nodiscard]] std::vector<trace::MemorySample> drain(std::chrono::steady_clock::time_point origin);

    /// Starts afresh: nothing is held, no samples. Blocks still alive are nobody's from now on.
    void forget();

private:
    friend class MemoryWatch;
    class Account;
    class State;
    std::shared_ptr<State> m_state;
};

/// While it lives, allocations of the calling thread (and of the autograd threads that work for it) count for `rank`,
/// or for nobody where that is invalid. A thread that makes tensors which ranks will free is best watched for nobody:
/// LibTorch warns on standard error, at most once a second, when a watched thread frees a block whose size it was not
/// told. Must be destroyed on the thread that made it.
class MemoryWatch
{
public:
    MemoryWatch(const MemoryLedger &ledger, RankId rank);
    ~MemoryWatch();
    MemoryWatch(const MemoryWatch &) = delete;
    MemoryWatch &operator=(const MemoryWatch &) = delete;

private:
    std::unique_ptr<c10::DebugInfoGuard> m_guard;
};

} // namespace pipescope::tensor

#include "comm/rank_threads.h"

#include "base/error.h"

#include <fmt/format.h>
#include <latch>
#include <memory>
#include <pthread.h>
#include <utility>

namespace pipescope::comm {

namespace {

// How long a thread looks for the others at the gate before it sleeps.
constexpr std::chrono::milliseconds gateSpin{2};

} // namespace

RankThreads::RankThreads(int ranks, const std::function<void(RankId)> &prepare)
    : m_ranks(ranks)
{
    // Where the system refuses one thread, those already started outlive this function's own variables.
    const auto prepared = std::make_shared<std::latch>(ranks);
    m_threads.reserve(static_cast<std::size_t>(ranks));
    for (int i = 0; i < ranks; ++i) {
        m_threads.emplace_back([this, prepare, prepared, rank = RankId{i}](const std::stop_token &stop) {
            pthread_setname_np(pthread_self(), fmt::format("rank {}", rank.value).c_str());
            prepare(rank);
            prepared->count_down();
            serve(stop, rank);
        });
    }
    prepared->wait();
}

RankThreads::~RankThreads()
{
    for (std::jthread &thread : m_threads)
        thread.request_stop();
}

void RankThreads::start(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        PIPESCOPE_ASSERT(m_running == 0);
        m_job = std::move(job);
        m_running = m_ranks;
        m_arrived = 0;
        ++m_jobs;
    }
    m_given.notify_all();
}

bool RankThreads::waitFor(std::chrono::milliseconds time)
{
    std::unique_lock lock(m_mutex);
    return m_done.wait_for(lock, time, [this] { return m_running == 0; });
}

void RankThreads::serve(const std::stop_token &stop, RankId rank)
{
    int served = 0;
    std::unique_lock lock(m_mutex);
    while (m_given.wait(lock, stop, [&] { return m_jobs != served; })) {
        served = m_jobs;
        lock.unlock();
        passGate();
        m_job.run(rank);
        lock.lock();
        if (--m_running == 0)
            m_done.notify_all();
    }
}

void RankThreads::passGate()
{
    const int before = m_opened.load(std::memory_order_acquire);
    if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m_ranks) {
        m_job.open();
        m_opened.store(before + 1, std::memory_order_release);
        m_opened.notify_all();
        return;
    }
    const auto end = std::chrono::steady_clock::now() + gateSpin;
    while (m_opened.load(std::memory_order_acquire) == before) {
        if (std::chrono::steady_clock::now() < end)
            std::this_thread::yield();
        else
            m_opened.wait(before, std::memory_order_acquire);
    }
}

} // namespace pipescope::comm

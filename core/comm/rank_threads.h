// The ranks' threads: made once, kept as long as the pipeline (a thread per run would leak the math libraries'
// per-thread buffers, pytorch#24237), given one job at a time.
#pragma once

#include "base/ids.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace pipescope::comm {

class RankThreads
{
public:
    /// Neither function may throw.
    struct Job
    {
        std::function<void()> open;      ///< runs once, when all threads are awake and before any of them goes on
        std::function<void(RankId)> run; ///< runs on each thread
    };

    /// Starts the threads and waits until `prepare`, which must not throw, has run on each of them. Throws
    /// std::system_error where the system gives no more threads.
    RankThreads(int ranks, const std::function<void(RankId)> &prepare);
    /// Waits for a job that still runs.
    ~RankThreads();
    RankThreads(const RankThreads &) = delete;
    RankThreads &operator=(const RankThreads &) = delete;
    RankThreads(RankThreads &&) = delete;
    RankThreads &operator=(RankThreads &&) = delete;

    /// Gives the threads a job and returns. The job before must be done.
    void start(Job job);
    /// Waits until the job is done on all threads, or for so long; whether it is done.
    bool waitFor(std::chrono::milliseconds time);

private:
    void serve(const std::stop_token &stop, RankId rank);
    void passGate();

    const int m_ranks;
    std::mutex m_mutex;
    std::condition_variable_any m_given;
    std::condition_variable m_done;
    Job m_job;
    int m_jobs = 0;    ///< started so far
    int m_running = 0; ///< threads that have not finished the last one
    std::atomic<int> m_arrived = 0;
    std::atomic<int> m_opened = 0;       ///< number of the job whose threads have been released
    std::vector<std::jthread> m_threads; ///< last: joined before the rest goes
};

} // namespace pipescope::comm

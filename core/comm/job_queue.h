// Jobs one after another on one thread that lives as long as the engine: two at once would take each other's cores and
// spoil what both measure. Any of them can be cancelled, whether it waits or runs.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace pipescope::comm {

class JobQueue
{
public:
    /// Gets a stop token that cancel() requests; called even where that happened before its turn. Must not throw.
    using Work = std::function<void(const std::stop_token &)>;

    JobQueue();
    /// Cancels everything and waits for its end.
    ~JobQueue();
    JobQueue(const JobQueue &) = delete;
    JobQueue &operator=(const JobQueue &) = delete;
    JobQueue(JobQueue &&) = delete;
    JobQueue &operator=(JobQueue &&) = delete;

    void add(std::int64_t id, Work work);
    /// Whether there was such a job, waiting or running.
    bool cancel(std::int64_t id);
    [[nodiscard]] bool has(std::int64_t id) const;
    void cancelAll();
    /// Waits until nothing is left to do.
    void finish();

private:
    struct Job
    {
        std::int64_t id = 0;
        Work work;
        std::stop_source stop;
    };

    void serve(const std::stop_token &stop);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Job> m_jobs; ///< the first is running or about to
    std::jthread m_thread;  ///< last: joined before the rest goes
};

} // namespace pipescope::comm

#include "comm/job_queue.h"

#include <algorithm>
#include <utility>

namespace pipescope::comm {

JobQueue::JobQueue()
    : m_thread([this](const std::stop_token &stop) { serve(stop); })
{
}

JobQueue::~JobQueue()
{
    cancelAll();
    finish();
    m_thread.request_stop();
}

void JobQueue::add(std::int64_t id, Work work)
{
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back({id, std::move(work), {}});
    m_changed.notify_all();
}

bool JobQueue::cancel(std::int64_t id)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [id](const Job &job) { return job.id == id; });
    if (found == m_jobs.end())
        return false;
    found->stop.request_stop();
    return true;
}

bool JobQueue::has(std::int64_t id) const
{
    const std::lock_guard lock(m_mutex);
    return std::any_of(m_jobs.begin(), m_jobs.end(), [id](const Job &job) { return job.id == id; });
}

void JobQueue::cancelAll()
{
    const std::lock_guard lock(m_mutex);
    for (Job &job : m_jobs)
        job.stop.request_stop();
}

void JobQueue::finish()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_jobs.empty(); });
}

void JobQueue::serve(const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_jobs.empty(); })) {
        const std::stop_token cancelled = m_jobs.front().stop.get_token();
        const Work work = std::move(m_jobs.front().work);
        lock.unlock();
        work(cancelled);
        lock.lock();
        m_jobs.pop_front();
        m_changed.notify_all();
    }
}

} // namespace pipescope::comm

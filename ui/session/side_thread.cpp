#include "session/side_thread.h"

#include <new>

namespace pipescope::session {

SideThread::SideThread(Older older, QObject *parent)
    : QObject(parent)
    , m_older(older)
{
    m_pool.setMaxThreadCount(1);
}

SideThread::~SideThread()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void SideThread::cancel()
{
    m_waiting.clear();
    m_isWanted = false;
    m_stop.request_stop();
}

void SideThread::begin(Job job)
{
    if (m_older == Older::Stopped)
        cancel();
    else if (m_older == Older::Finished)
        m_waiting.clear();
    m_waiting.push_back(std::move(job));
    if (!m_isRunning)
        startNext();
}

void SideThread::startNext()
{
    m_stop = {};
    m_isRunning = true;
    m_isWanted = true;
    // The pool ends before this does, and what was still to be told ends with this.
    m_pool.start([this, job = std::move(m_waiting.front()), stop = m_stop.get_token()] {
        QMetaObject::invokeMethod(
            this, [this, tell = job(stop)] { finish(tell); }, Qt::QueuedConnection);
    });
    m_waiting.pop_front();
}

void SideThread::finish(const Telling &tell)
{
    const bool isWanted = std::exchange(m_isWanted, false);
    m_isRunning = false;
    if (!m_waiting.empty())
        startNext();
    if (isWanted)
        tell(); // the last: it may delete this
}

Error errorOf(const std::exception &thrown)
{
    if (dynamic_cast<const std::bad_alloc *>(&thrown) != nullptr)
        return {ErrorCode::OutOfResources, "there is not enough memory", {}, thrown.what()};
    return {ErrorCode::Internal, thrown.what(), {}, {}};
}

} // namespace pipescope::session

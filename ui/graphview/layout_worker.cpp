#include "graphview/layout_worker.h"

namespace pipescope::graphview {

LayoutWorker::LayoutWorker(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

LayoutWorker::~LayoutWorker()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void LayoutWorker::request(std::shared_ptr<const graph::ModelGraph> graph, const OpenBoxes &open, Nesting nesting,
                           const TextWidth &width)
{
    m_stop.request_stop();
    m_stop = {};
    m_busy = true;
    const int number = ++m_newest;
    m_pool.start([this, number, graph = std::move(graph), open, nesting, width, stop = m_stop.get_token()]() mutable {
        if (stop.stop_requested())
            return;
        std::shared_ptr<const Picture> picture = makePicture(std::move(graph), open, nesting, width, m_cache, stop);
        if (!picture)
            return;
        m_cache.forgetUnused();
        QMetaObject::invokeMethod(
            this, [this, number, picture = std::move(picture)] { take(number, picture); }, Qt::QueuedConnection);
    });
}

void LayoutWorker::take(int request, std::shared_ptr<const Picture> picture)
{
    if (request != m_newest)
        return;
    m_busy = false;
    Q_EMIT finished(std::move(picture));
}

} // namespace pipescope::graphview

#include "graphview/layout_worker.h"

#include <utility>

namespace pipescope::graphview {

LayoutWorker::LayoutWorker(QObject *parent)
    : QObject(parent)
{
}

void LayoutWorker::request(std::shared_ptr<const graph::ModelGraph> graph, const OpenBoxes &open, Nesting nesting,
                           const TextWidth &width)
{
    m_thread.start(
        [this, graph = std::move(graph), open, nesting, width](const std::stop_token &stop) {
            std::shared_ptr<const Picture> picture = makePicture(graph, open, nesting, width, m_cache, stop);
            if (picture)
                m_cache.forgetUnused();
            return picture;
        },
        [this](const std::shared_ptr<const Picture> &picture) { Q_EMIT finished(picture); });
}

} // namespace pipescope::graphview

// Makes pictures on a thread of its own, the newest request first and only: an older one is stopped, and its result,
// should there be one, is dropped.
#pragma once

#include "graphview/picture.h"

#include <QObject>
#include <QThreadPool>
#include <stop_token>

namespace pipescope::graphview {

class LayoutWorker : public QObject
{
    Q_OBJECT

public:
    explicit LayoutWorker(QObject *parent = nullptr);
    ~LayoutWorker() override;
    LayoutWorker(const LayoutWorker &) = delete;
    LayoutWorker &operator=(const LayoutWorker &) = delete;
    LayoutWorker(LayoutWorker &&) = delete;
    LayoutWorker &operator=(LayoutWorker &&) = delete;

    void request(std::shared_ptr<const graph::ModelGraph> graph, const OpenBoxes &open, Nesting nesting,
                 const TextWidth &width);
    /// Whether a request is not answered yet.
    [[nodiscard]] bool busy() const { return m_busy; }

Q_SIGNALS:
    /// On the thread this object lives in.
    void finished(std::shared_ptr<const pipescope::graphview::Picture> picture);

private:
    void take(int request, std::shared_ptr<const Picture> picture);

    QThreadPool m_pool; // of one thread, which alone touches the cache
    LayoutCache m_cache;
    std::stop_source m_stop;
    int m_newest = 0;
    bool m_busy = false;
};

} // namespace pipescope::graphview

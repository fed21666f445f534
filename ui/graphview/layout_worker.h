// Makes pictures on a thread of its own, the newest request first and only: an older one is stopped, and its result,
// should there be one, is dropped.
#pragma once

#include "graphview/picture.h"
#include "session/side_thread.h"

#include <QObject>
#include <memory>

namespace pipescope::graphview {

class LayoutWorker : public QObject
{
    Q_OBJECT

public:
    explicit LayoutWorker(QObject *parent = nullptr);

    void request(std::shared_ptr<const graph::ModelGraph> graph, const OpenBoxes &open, Nesting nesting,
                 const TextWidth &width);
    /// Whether a request is not answered yet.
    [[nodiscard]] bool busy() const { return m_thread.isBusy(); }

Q_SIGNALS:
    /// On the thread this object lives in.
    void finished(std::shared_ptr<const pipescope::graphview::Picture> picture);

private:
    LayoutCache m_cache;                                               // the thread's alone
    session::SideThread m_thread{session::SideThread::Older::Stopped}; // after what it uses
};

} // namespace pipescope::graphview

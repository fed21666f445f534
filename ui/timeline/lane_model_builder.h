// Lane models made beside the window: a long trace takes a good part of a second to be laid out, and one that grows is
// laid out again and again.
#pragma once

#include "session/side_thread.h"
#include "timeline/lane_model.h"

#include <QObject>
#include <memory>

namespace pipescope::timeline {

class LaneModelBuilder : public QObject
{
    Q_OBJECT

public:
    explicit LaneModelBuilder(QObject *parent = nullptr);

    /// built() follows, unless another one is asked for before this one's turn: only the last counts. Not null.
    void build(std::shared_ptr<const trace::Trace> trace);
    /// What was asked for is not wanted any more.
    void drop() { m_thread.cancel(); }

Q_SIGNALS:
    void built(const std::shared_ptr<const pipescope::timeline::LaneModel> &model);

private:
    session::SideThread m_thread{session::SideThread::Older::Finished};
};

} // namespace pipescope::timeline

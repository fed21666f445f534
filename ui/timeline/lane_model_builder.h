// Lane models made beside the window: a long trace takes a good part of a second to be laid out, and one that grows is
// laid out again and again.
#pragma once

#include "timeline/lane_model.h"

#include <QObject>
#include <QThreadPool>
#include <memory>

namespace pipescope::timeline {

class LaneModelBuilder : public QObject
{
    Q_OBJECT

public:
    explicit LaneModelBuilder(QObject *parent = nullptr);
    /// Waits for the one under way.
    ~LaneModelBuilder() override;

    /// built() follows, unless another one is asked for before this one's turn: only the last counts. Not null.
    void build(std::shared_ptr<const trace::Trace> trace);
    /// What was asked for is not wanted any more.
    void drop();
    [[nodiscard]] bool isBusy() const { return m_current != nullptr; }

Q_SIGNALS:
    void built(const std::shared_ptr<const pipescope::timeline::LaneModel> &model);

private:
    void start();
    void finish(std::shared_ptr<const LaneModel> model);

    QThreadPool m_pool; // of one thread
    std::shared_ptr<const trace::Trace> m_current;
    std::shared_ptr<const trace::Trace> m_next;
    bool m_isDropped = false; // the one under way
};

} // namespace pipescope::timeline

#include "timeline/lane_model_builder.h"

#include <utility>

namespace pipescope::timeline {

LaneModelBuilder::LaneModelBuilder(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

LaneModelBuilder::~LaneModelBuilder()
{
    m_pool.waitForDone();
}

void LaneModelBuilder::build(std::shared_ptr<const trace::Trace> trace)
{
    m_next = std::move(trace);
    if (!m_current)
        start();
}

void LaneModelBuilder::drop()
{
    m_next.reset();
    m_isDropped = m_current != nullptr;
}

void LaneModelBuilder::start()
{
    m_current = std::exchange(m_next, nullptr);
    m_isDropped = false;
    // The pool ends before this does, and what was still to be told ends with this.
    m_pool.start([this, trace = m_current] {
        auto model = std::make_shared<const LaneModel>(trace);
        QMetaObject::invokeMethod(
            this, [this, model = std::move(model)]() mutable { finish(std::move(model)); }, Qt::QueuedConnection);
    });
}

void LaneModelBuilder::finish(std::shared_ptr<const LaneModel> model)
{
    const bool isDropped = std::exchange(m_isDropped, false);
    m_current.reset();
    if (m_next)
        start();
    if (!isDropped)
        Q_EMIT built(model);
}

} // namespace pipescope::timeline

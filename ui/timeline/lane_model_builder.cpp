#include "timeline/lane_model_builder.h"

#include <utility>

namespace pipescope::timeline {

LaneModelBuilder::LaneModelBuilder(QObject *parent)
    : QObject(parent)
{
}

void LaneModelBuilder::build(std::shared_ptr<const trace::Trace> trace)
{
    m_thread.start(
        [trace = std::move(trace)](const std::stop_token &) { return std::make_shared<const LaneModel>(trace); },
        [this](const std::shared_ptr<const LaneModel> &model) { Q_EMIT built(model); });
}

} // namespace pipescope::timeline

// Runs that several tests look at.
#pragma once

#include "support/trace_builder.h"
#include "timeline/shown_runs.h"

#include <memory>

namespace pipescope::tests {

inline std::shared_ptr<const timeline::LaneModel> modelOf(trace::Trace trace)
{
    return std::make_shared<const timeline::LaneModel>(std::make_shared<const trace::Trace>(std::move(trace)));
}

inline std::shared_ptr<const timeline::LaneModel> twoRanks()
{
    return modelOf(twoRanksTrace().build());
}

/// One run without a name.
inline timeline::ShownRuns shown(std::shared_ptr<const timeline::LaneModel> model)
{
    return timeline::ShownRuns({{std::move(model), {}}});
}

} // namespace pipescope::tests

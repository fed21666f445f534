// Runs that several tests look at.
#pragma once

#include "support/trace_builder.h"
#include "timeline/shown_runs.h"

#include <memory>

namespace pipescope::tests {

/// Two ranks, two microbatches, with everything a rank can do. Times in ns:
///
///     rank 0  |0F0 0..100|send 100..110|0F1 120..220|send 220..230|
///     rank 1  |wait 0..105|receive 105..115|1F0 115..315|   |receive 320..330|1F1 330..530|
inline TraceBuilder twoRanksTrace()
{
    TraceBuilder builder(2, 2, 2);
    builder.compute(0, 0, 0, 0, 100).send(0, 0, 0, 1, 100, 110, 64);
    builder.compute(0, 0, 1, 120, 220).send(0, 0, 1, 1, 220, 230, 64);
    builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 105, 0).receive(1, 1, 0, 0, 105, 115, 64);
    builder.compute(1, 1, 0, 115, 315);
    builder.receive(1, 1, 1, 0, 320, 330, 64).compute(1, 1, 1, 330, 530);
    return builder;
}

/// Two stages of which one microbatch may be under way. Times in ns:
///
///     rank 0  |0F0 0..100|wait for credit 100..400|0F1 400..500|
///     rank 1  |wait 0..100|1F0 100..400|wait 400..500|1F1 500..800|
inline TraceBuilder oneUnderWayTrace()
{
    TraceBuilder builder(2, 2, 2);
    builder.compute(0, 0, 0, 0, 100).creditWait(0, 0, 1, 1, 0, 100, 400).compute(0, 0, 1, 400, 500);
    builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 100, 0).compute(1, 1, 0, 100, 400);
    builder.wait(1, 1, 1, trace::WaitCause::Input, 400, 500, 0).compute(1, 1, 1, 500, 800);
    return builder;
}

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

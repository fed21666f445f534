// One rank in one step: for each action of its row it waits for what the stage needs, runs it and hands on what it
// gave.
#pragma once

#include "runtime/step.h"

#include <optional>

namespace pipescope::runtime {

class RankLoop
{
public:
    RankLoop(Step &step, RankId rank);

    /// Returns when the row is done or the step has ended.
    void run();

private:
    using Values = std::vector<c10::IValue>;

    // Each gives false or nothing once the step has ended.
    bool begin(const Task &task, const schedule::ActionKey &before);
    std::optional<Values> collect(const Task &task);
    std::optional<Parcel> receive(const Task &task, const Inlet &inlet);
    std::optional<Parcel> await(const comm::Address &address, trace::Event wait);
    std::optional<Values> compute(const Task &task, Values inputs);
    bool handOn(const Task &task, Values outputs);

    void send(const Task &task, const Outlet &outlet, c10::IValue value);
    Result<Values> runStage(const Task &task, Values inputs);
    trace::Event event(trace::EventKind kind, const Task &task) const;
    void record(trace::Event event, std::int64_t beginNs);
    std::int64_t enter(Activity::Kind kind); // gives the time

    Step &m_step;
    const StepPlan &m_plan;
    Step::RankState &m_state;
    const RankId m_rank;
};

} // namespace pipescope::runtime

// One step of a pipeline: what its ranks share while every one of them walks its row (rank_loop.h). Knows stages only
// as a function to call, so it is tested with stages that sleep, throw or never end.
#pragma once

#include "comm/mailbox.h"
#include "comm/wait_registry.h"
#include "runtime/stall_text.h"
#include "runtime/step_plan.h"
#include "trace/recorder.h"

#include <ATen/core/ivalue.h>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::runtime {

/// Runs a stage for one microbatch: inputs and results in the order of its route. Called on the rank's thread. An error
/// begins with "stage 1, microbatch 3"; an exception becomes one. Ends soon after the token is stopped.
using StageRunner = std::function<Result<std::vector<c10::IValue>>(
    StageId, MicrobatchId, std::vector<c10::IValue> inputs, const std::stop_token &)>;

using MicrobatchValues = std::vector<std::vector<c10::IValue>>; ///< by microbatch, then position

/// What travels between stages: a value, or a permit to begin a microbatch, which has none.
struct Parcel
{
    c10::IValue value;
    std::int64_t bytes = 0;         ///< of the tensors in it
    schedule::ActionKey giver = {}; ///< of a permit: whose end gave it; none where it was there from the start
};

class Step
{
public:
    /// `plan` and `arguments` must outlive the step. `spin`: see comm::Mailbox.
    Step(const StepPlan &plan, const MicrobatchValues &arguments, StageRunner runner, std::chrono::nanoseconds spin);

    /// The moment from which the trace counts, before the first rank runs.
    void start() { m_recorder.start(); }
    /// A rank's whole part, to be called once per rank, each on a thread of its own. Does not throw.
    void runRank(RankId rank);

    /// Ends the step: ranks that wait return at once, stages are asked to stop. Only the first error counts.
    void fail(Error error);
    [[nodiscard]] std::optional<Error> error() const;

    /// Actions finished so far.
    [[nodiscard]] std::size_t finishedTasks() const { return m_finishedTasks.load(std::memory_order_relaxed); }
    /// Who waits for what and who computes, now.
    [[nodiscard]] std::string stallReport() const;

    /// What the ranks have recorded since the last call, at any time; `frame` as for takeTrace.
    [[nodiscard]] trace::Trace newTrace(trace::Trace frame);

    /// After all ranks have returned without an error.
    MicrobatchValues takeOutputs() { return std::move(m_outputs); }
    /// After all ranks have returned. `frame` brings names, and memory samples counted from origin().
    [[nodiscard]] trace::Trace takeTrace(trace::Trace frame);
    /// The moment of start().
    [[nodiscard]] std::chrono::steady_clock::time_point origin() const { return m_recorder.origin(); }

private:
    friend class RankLoop;

    // Written by its own rank, read by stallReport at any time.
    struct alignas(64) RankState
    {
        std::atomic<std::size_t> task = 0;
        std::atomic<Activity::Kind> kind = Activity::Kind::Waiting;
        std::atomic<std::int64_t> sinceNs = 0; // by the recorder's clock
    };

    trace::Trace named(trace::Trace frame) const;
    static comm::Address permitAddress(MicrobatchId microbatch, StageId stage) { return {{}, microbatch, {}, stage}; }
    void permit(MicrobatchId microbatch, StageId stage, const schedule::ActionKey &giver);
    void permitBegin(MicrobatchId microbatch, const schedule::ActionKey &giver);
    void finishTask(const Task &task);

    const StepPlan &m_plan;
    const MicrobatchValues &m_arguments;
    const StageRunner m_runner;
    comm::WaitRegistry<comm::Address> m_waits;
    comm::Mailbox<Parcel> m_mailbox;
    std::stop_source m_stop;
    mutable std::mutex m_errorMutex;
    std::optional<Error> m_error;
    std::vector<RankState> m_ranks;
    trace::Recorder m_recorder;
    MicrobatchValues m_outputs; // each place is written by one rank
    std::atomic<std::size_t> m_finishedTasks = 0;
    std::vector<std::atomic<int>> m_endsLeft; // by microbatch
    std::atomic<std::size_t> m_finishedMicrobatches = 0;
};

} // namespace pipescope::runtime

// A partitioned model on its ranks: one long-lived thread per rank, run as often as wanted.
#pragma once

#include "base/progress.h"
#include "import/imported_model.h"
#include "partition/partition.h"
#include "schedule/schedule.h"
#include "trace/event.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::runtime {

struct RunOptions
{
    std::vector<std::string> devices; ///< by rank: "cpu:0", "cpu:1"; each is a device of its own, even on one machine
    int threadsPerRank = 1;           ///< intra-op threads of each rank
    /// Microbatches begun and not finished; 0: stages + 2, or no limit where the schedule needs more (breadth first).
    int maxInFlight = 0;
    std::uint64_t seed = 0;
    bool grad = false; ///< record autograd inside stages (some models differentiate in forward)
    /// After this long without any rank finishing anything, `report` gets who waits for what. A run in which every rank
    /// waits cannot go on and ends at once with Deadlock, whatever the time.
    std::chrono::milliseconds stallReport{10'000};
    std::function<void(const std::string &)> report;
};

struct RunResult
{
    std::vector<std::vector<c10::IValue>> outputs; ///< by microbatch, then position in graph.outputs
    trace::Trace trace;
};

/// Gets what the ranks have done since the last time, with title, counts and names of the whole: about 30 times a
/// second and once they are done, on the thread that called run(). All parts together are the run's trace. The ranks do
/// not wait for it; a slow one gets more at a time.
using Traced = std::function<void(trace::Trace part)>;

class PipelineRun
{
public:
    /// Builds every stage's program and starts the ranks' threads. `model`, which must outlive this, is only read. Of a
    /// schedule that trains, give the forwards (schedule::forwardsOf).
    /// Errors: the schedule's (validateSchedule), InvalidArgument where schedule, partition and devices do not fit
    /// together; OutOfResources where the system gives no more threads.
    static Result<std::unique_ptr<PipelineRun>> create(const import::ImportedModel &model,
                                                       const partition::Partition &partition,
                                                       const schedule::Schedule &schedule, RunOptions options);
    ~PipelineRun();
    PipelineRun(const PipelineRun &) = delete;
    PipelineRun &operator=(const PipelineRun &) = delete;

    /// One step: arguments by microbatch, then by argument position. Blocks until all is done or something failed. A
    /// failure or a stop ends every rank within one node's time; the first error is the one returned, naming rank,
    /// stage, microbatch, node, FQN and source line. The object can run again after either.
    Result<RunResult> run(const std::vector<std::vector<c10::IValue>> &microbatches, const std::stop_token &stop = {},
                          const Progress &progress = {}, const Traced &traced = {});

private:
    class Impl;
    explicit PipelineRun(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace pipescope::runtime

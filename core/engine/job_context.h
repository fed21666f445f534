// What every job is given besides its request: how to stop it, and whom to tell what happens meanwhile.
#pragma once

#include "base/progress.h"
#include "report/run_needs.h"
#include "trace/trace_part.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

namespace pipescope::engine {

class KeptModel;

/// All of it optional. The callbacks may come from other threads than the caller's, one at a time; they must not throw.
struct JobContext
{
    std::stop_token stop;
    Progress progress;
    /// Each warning as it arises, once; results carry the same list.
    std::function<void(const std::string &)> warn;
    /// What a run needs of the machine, once, before its first microbatch; a model that is balanced is profiled before.
    std::function<void(const report::RunNeeds &)> needs;
    /// The machine that runs are made on, where it is not to be asked of the system.
    std::function<report::Machine()> machine;
    /// Who waits for what, while a run makes no headway. Several lines.
    std::function<void(const std::string &)> stalled;
    /// The trace of measured runs in parts: about 30 times a second, what the ranks have done since the last time.
    /// Short runs that follow each other faster than that are left out, each whole. The run that is told last is the
    /// reported one, and it is told whole: a second time where another run was told after it. A slow listener does not
    /// hold the ranks up.
    std::function<void(const trace::TracePart &)> traced;
    /// What one part takes at most, about, where it is sent.
    std::size_t partBytes = 1 << 20;
    /// The trace of the reported run, whole, once, before a job ends well. Without `traced`, a long
    /// run keeps fewer memory samples, and nothing watches the ranks while they run.
    std::function<void(trace::Trace)> wholeTrace;
    /// For who asks more than once: a model that jobs which only look at it leave loaded for the next one.
    KeptModel *kept = nullptr;
};

} // namespace pipescope::engine

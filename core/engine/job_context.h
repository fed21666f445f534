// What every job is given besides its request: how to stop it, and whom to tell what happens meanwhile.
#pragma once

#include "base/progress.h"
#include "trace/event.h"

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
    /// Who waits for what, while a run makes no headway. Several lines.
    std::function<void(const std::string &)> stalled;
    /// What the ranks have done in a measured run (from 0; warm-ups are not told) since the last time, about 30 times a
    /// second. All parts of a run together are its trace; short runs that follow each other faster than that are left
    /// out. A slow one does not hold the ranks up.
    std::function<void(int run, const trace::Trace &part)> traced;
    /// For who asks more than once: a model that jobs which only look at it leave loaded for the next one.
    KeptModel *kept = nullptr;
};

} // namespace pipescope::engine

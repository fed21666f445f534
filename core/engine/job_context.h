// What every job is given besides its request: how to stop it, and whom to tell what happens meanwhile.
#pragma once

#include "base/progress.h"

#include <functional>
#include <stop_token>
#include <string>

namespace pipescope::engine {

/// All of it optional. The callbacks may come from other threads than the caller's, one at a time; they must not throw.
struct JobContext
{
    std::stop_token stop;
    Progress progress;
    /// Each warning as it arises, once; results carry the same list.
    std::function<void(const std::string &)> warn;
    /// Who waits for what, while a run makes no headway. Several lines.
    std::function<void(const std::string &)> stalled;
};

} // namespace pipescope::engine

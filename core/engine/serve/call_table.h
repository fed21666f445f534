// What the engine does for each method of protocol/calls.h: a row each. Private to engine/.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"

#include <string>
#include <string_view>

namespace pipescope::engine {

struct Call
{
    std::string_view method;
    /// From the body of the request to that of the answer. Errors: those of the body, and of the job.
    Result<std::string> (*answer)(std::string_view body, const JobContext &context);
};

/// nullptr for a method that there is not.
[[nodiscard]] const Call *findCall(std::string_view method);

} // namespace pipescope::engine

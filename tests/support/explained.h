// Traces of tests with what explains them.
#pragma once

#include "support/trace_builder.h"
#include "trace/explain/explanation.h"

#include <memory>
#include <utility>

namespace pipescope::tests {

inline std::shared_ptr<const trace::Explanation> explained(trace::Trace trace)
{
    struct Kept
    {
        explicit Kept(trace::Trace given)
            : trace(std::move(given))
            , explanation(trace)
        {
        }
        trace::Trace trace;
        trace::Explanation explanation;
    };
    const auto kept = std::make_shared<const Kept>(std::move(trace));
    return {kept, &kept->explanation};
}

} // namespace pipescope::tests

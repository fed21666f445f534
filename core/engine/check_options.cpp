#include "engine/check_options.h"

namespace pipescope::engine {

check::CheckOptions checkOptions(const plan::Plan &plan)
{
    check::CheckOptions options;
    if (plan.rtol && plan.atol)
        options.tolerance = tensor::Tolerance{*plan.rtol, *plan.atol};
    options.threads = plan.threadsPerRank;
    options.seed = plan.seed;
    options.grad = plan.grad;
    return options;
}

} // namespace pipescope::engine

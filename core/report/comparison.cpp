#include "report/comparison.h"

namespace pipescope::report {

std::string_view causeName(Cause cause)
{
    switch (cause) {
    case Cause::None:
        return "none";
    case Cause::State:
        return "state";
    case Cause::BatchReduction:
        return "batch-reduction";
    case Cause::BatchBranch:
        return "batch-branch";
    case Cause::BatchStatistics:
        return "batch-statistics";
    case Cause::DynamicQuantization:
        return "dynamic-quantization";
    case Cause::Squeeze:
        return "squeeze";
    case Cause::InputNotRows:
        return "input-not-rows";
    case Cause::FixedBatch:
        return "fixed-batch";
    case Cause::Random:
        return "random";
    case Cause::Unknown:
        break;
    }
    return "unknown";
}

} // namespace pipescope::report

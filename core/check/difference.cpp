#include "check/difference.h"

#include <algorithm>

namespace pipescope::check {

bool isEqual(const tensor::Comparison &comparison, const CheckOptions &options)
{
    return options.tolerance ? comparison.close : comparison.bitwise;
}

report::Difference toDifference(const tensor::Comparison &comparison, const CheckOptions &options)
{
    report::Difference difference;
    difference.equal = isEqual(comparison, options);
    difference.bitwise = comparison.bitwise;
    difference.maxAbsError = comparison.maxAbsError;
    difference.maxRelError = comparison.maxRelError;
    difference.kind = std::string(tensor::differenceName(comparison.difference));
    difference.worst = comparison.worst;
    return difference;
}

bool isWorse(const report::Difference &b, const report::Difference &a)
{
    return (a.equal && !b.equal) || (a.equal == b.equal && b.maxAbsError > a.maxAbsError) ||
           (a.equal == b.equal && b.maxAbsError == a.maxAbsError && a.bitwise && !b.bitwise);
}

report::Difference worse(const report::Difference &a, const report::Difference &b)
{
    report::Difference result = isWorse(b, a) ? b : a;
    result.equal = a.equal && b.equal;
    result.bitwise = a.bitwise && b.bitwise;
    result.maxAbsError = std::max(a.maxAbsError, b.maxAbsError);
    result.maxRelError = std::max(a.maxRelError, b.maxRelError);
    return result;
}

} // namespace pipescope::check

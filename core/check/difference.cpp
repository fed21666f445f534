#include "check/difference.h"

#include <algorithm>

namespace pipescope::check {

Difference toDifference(const tensor::Comparison &comparison)
{
    Difference difference;
    difference.equal = comparison.close;
    difference.bitwise = comparison.bitwise;
    difference.maxAbsError = comparison.maxAbsError;
    difference.maxRelError = comparison.maxRelError;
    difference.kind = std::string(tensor::differenceName(comparison.difference));
    difference.worst = comparison.worst;
    return difference;
}

Difference worse(const Difference &a, const Difference &b)
{
    const bool bIsWorse = (a.equal && !b.equal) || (a.equal == b.equal && b.maxAbsError > a.maxAbsError) ||
                          (a.equal == b.equal && b.maxAbsError == a.maxAbsError && a.bitwise && !b.bitwise);
    Difference result = bIsWorse ? b : a;
    result.equal = a.equal && b.equal;
    result.bitwise = a.bitwise && b.bitwise;
    result.maxAbsError = std::max(a.maxAbsError, b.maxAbsError);
    result.maxRelError = std::max(a.maxRelError, b.maxRelError);
    return result;
}

} // namespace pipescope::check

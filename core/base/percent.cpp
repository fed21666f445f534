#include "base/percent.h"

#include <fmt/format.h>

namespace pipescope {

std::string formatPercent(double share)
{
    return fmt::format("{:.1f} %", share * 100);
}

} // namespace pipescope

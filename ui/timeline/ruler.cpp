#include "timeline/ruler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace pipescope::timeline {

namespace {

struct Unit
{
    double ns;
    std::string_view name;
};
constexpr std::array Units{Unit{1, "ns"}, Unit{1e3, "µs"}, Unit{1e6, "ms"}, Unit{1e9, "s"}};

double stepOf(double leastNs)
{
    const double decade = std::pow(10, std::floor(std::log10(std::max(1.0, leastNs))));
    for (const double times : {1, 2, 5})
        if (times * decade >= leastNs)
            return times * decade;
    return 10 * decade;
}

/// The largest that does not make `ns` less than one.
Unit unitOf(double ns)
{
    const auto larger = std::find_if(Units.begin(), Units.end(), [&](const Unit &unit) { return unit.ns > ns; });
    return larger == Units.begin() ? Units.front() : *(larger - 1);
}

int decimalsOf(double step, Unit unit)
{
    return std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit.ns) - 1e-9)));
}

std::string textOf(double ns, double step, Unit unit)
{
    return fmt::format("{}{:.{}f} {}", ns < 0 ? "\u2212" : "", std::abs(ns) / unit.ns, decimalsOf(step, unit),
                       unit.name);
}

} // namespace

Ruler rulerOf(const Coordinates &seen, double apart)
{
    Ruler ruler;
    const double step = stepOf(apart / seen.pixelsPerNs());
    double origin = 0;
    double farthest = std::max(std::abs(seen.beginNs), std::abs(seen.endNs()));
    const bool needsOrigin = farthest / step >= 1000;
    if (needsOrigin) {
        origin = std::floor(seen.beginNs / (10 * step)) * 10 * step;
        ruler.origin = fmt::format("from {}", textOf(origin, 10 * step, unitOf(std::abs(origin))));
        farthest = seen.endNs() - origin;
    }
    const Unit unit = unitOf(farthest);
    for (double i = std::ceil((seen.beginNs - origin) / step); origin + i * step <= seen.endNs(); ++i) {
        const double ns = origin + i * step;
        const std::string text = textOf(i * step, step, unit);
        ruler.ticks.push_back({ns, seen.toPixel(ns), needsOrigin ? "+" + text : text});
    }
    return ruler;
}

} // namespace pipescope::timeline

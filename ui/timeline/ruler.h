// The ruler's ticks: where they stand and what they say.
#pragma once

#include "timeline/coordinates.h"

#include <string>
#include <vector>

namespace pipescope::timeline {

struct Tick
{
    double ns = 0;
    double pixel = 0;
    std::string text; ///< "12.5 ms", or "+200 ns" from the ruler's origin

    friend bool operator==(const Tick &, const Tick &) = default;
};

struct Ruler
{
    std::vector<Tick> ticks; ///< from left to right, all of them seen
    std::string origin;      ///< "from 12.3 ms": what the texts count from; empty where that is the run's start
};

/// How near ticks may be to one another, in pixels: their texts have room.
inline constexpr double LeastApart = 90;

/// Steps of 1, 2 or 5 times a power of ten, at least `apart` pixels from one another. One unit for all ticks. Where
/// three significant digits would not tell neighbours apart, the ticks count from an origin at the left.
[[nodiscard]] Ruler rulerOf(const Coordinates &seen, double apart = LeastApart);

} // namespace pipescope::timeline

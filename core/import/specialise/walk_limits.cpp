#include "import/specialise/walk_limits.h"

#include "import/specialise.h"

#include <fmt/format.h>

namespace pipescope::import {

namespace {

constexpr int MostNodes = 2'000'000;

} // namespace

void WalkLimits::countNode()
{
    if (m_stop.stop_requested())
        throw Stopped{};
    if (++m_nodes > MostNodes)
        throw TooLarge{fmt::format("more than {} operators after inlining", MostNodes)};
}

WalkLimits::Level::Level(WalkLimits &limits)
    : m_limits(limits)
{
    if (m_limits.m_depth >= MaxNesting)
        throw TooLarge{fmt::format("calls, ifs and loops nested deeper than {} levels", MaxNesting)};
    ++m_limits.m_depth;
}

} // namespace pipescope::import

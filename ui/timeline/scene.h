// What is to be painted of runs, where and how closely.
#pragma once

#include "style/theme.h"
#include "timeline/lane_geometry.h"

#include <QFont>

namespace pipescope::timeline {

/// Refers to the runs and to the theme.
struct Scene
{
    const ShownRuns &runs;
    const style::Theme &theme;
    LaneGeometry geometry;
    Coordinates seen; ///< as wide as the geometry's axis
    QFont font;
};

} // namespace pipescope::timeline

// The benchmarks of the window, each a function that gives rows. To add one: write its file, declare it here, add it to
// the list in main.cpp.
#pragma once

#include "table.h"

#include <vector>

namespace pipescope::bench {

/// Layout of a model of 10 000 operators with hubs, and its first picture.
Result<std::vector<Row>> graphLayout();
/// Panning over 50 000 nodes, in a long model and in a wide one.
Result<std::vector<Row>> graphFrames();
/// A timeline of a million slices, fully zoomed out.
Result<std::vector<Row>> timelineFrames();
/// A tensor of 10 000 x 10 000 over 256 and over 4096 ranks.
Result<std::vector<Row>> shardFrames();
/// What a key or a move of the mouse waits for, and a run under way.
Result<std::vector<Row>> answers();
/// The program from its start until its window is painted, and until a model is.
Result<std::vector<Row>> programStart();

} // namespace pipescope::bench

// The most there may be of what a plan counts.
#pragma once

namespace pipescope::plan {

inline constexpr int MostMicrobatches = 1'000'000;

} // namespace pipescope::plan

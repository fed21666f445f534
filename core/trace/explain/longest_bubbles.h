// The bubbles of a trace that cost most, each with what led to it.
#pragma once

#include "trace/explain/cause_chain.h"
#include "trace/explain/explanation.h"

#include <cstddef>
#include <vector>

namespace pipescope::trace {

struct ToldBubble
{
    RankId rank;
    Bubble bubble;
    ToldChain chain; ///< of chainOf
};

struct LongestBubbles
{
    std::vector<ToldBubble> told; ///< the longest first; of equal ones the earlier
    std::size_t others = 0;       ///< how many more there are
    double othersSeconds = 0;     ///< they take together
};

/// At most `most` of all ranks.
[[nodiscard]] LongestBubbles longestBubbles(const Explanation &explained, std::size_t most);

} // namespace pipescope::trace

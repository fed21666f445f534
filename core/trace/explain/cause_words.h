// The words for a bubble: why the rank stood still, which actions led to it, and a remedy. One table for all who show a
// trace; a window translates its texts one by one.
#pragma once

#include "trace/explain/cause_chain.h"
#include "trace/explain/explanation.h"

#include <functional>
#include <string>
#include <vector>

namespace pipescope::trace {

/// One row for each cause. In texts, %1 is a place.
struct CauseWords
{
    const char *key;      ///< for programs: "fill", "not_running"
    const char *name;     ///< one word or two: "not running"
    const char *sentence; ///< of a bubble of which no more is known
    const char *awaited;  ///< where it is known what was waited for, which is %1; "" where that is not said
    const char *remedy;   ///< what makes such bubbles smaller
};

[[nodiscard]] const CauseWords &wordsOf(BubbleCause cause);

/// Gives a text of this file in the reader's language.
using Translate = std::function<std::string(const char *text)>;
[[nodiscard]] std::string inEnglish(const char *text);

/// "waiting for stage 1's microbatch 3 (h1)".
[[nodiscard]] std::string causeSentence(const Explanation &explained, const Bubble &bubble,
                                        const Translate &translate = inEnglish);

/// What led to a bubble: "0F0 → 1F0 → here". Of a long chain the beginning and the end.
[[nodiscard]] std::string chainText(const Explanation &explained, const ToldChain &chain,
                                    const Translate &translate = inEnglish);
[[nodiscard]] std::string chainText(const Explanation &explained, const std::vector<SliceRef> &chain,
                                    const Translate &translate = inEnglish);

} // namespace pipescope::trace

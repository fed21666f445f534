#include "trace/explain/cause_words.h"

#include <array>
#include <initializer_list>
#include <string_view>

namespace pipescope::trace {

namespace {

constexpr const char *FullerPipeline = "more microbatches, fewer stages";

// By cause.
constexpr std::array<CauseWords, 7> Words{{
    {"fill", "fill", "fill: nothing to compute yet", "fill: %1", FullerPipeline},
    {"drain", "drain", "drain: nothing left to compute", "", FullerPipeline},
    {"input", "input", "waiting for input", "%1", "a better balance, where the stage waited for is slower"},
    {"credit", "credit", "waiting for credit: too many microbatches under way", "%1",
     "a higher limit (Most in flight), and memory for it"},
    {"device", "device", "waiting for device: another rank held it", "", "devices of their own"},
    {"not_running", "not running",
     "not running: nothing was waited for; the rank's thread had yet to start or wake (the machine was busy, or the "
     "runtime's own time)",
     "", "fewer other programs, fewer threads or ranks than cores, longer actions"},
    {"between_actions", "between actions", "between two actions", "", "longer actions"},
}};
static_assert(static_cast<std::size_t>(BubbleCause::Runtime) + 1 == Words.size());

/// With `parts` in the places %1, %2 of a pattern. What a part has of them is left as it is.
std::string filled(std::string_view pattern, std::initializer_list<std::string_view> parts)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isPlace = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' &&
                             static_cast<std::size_t>(pattern[i + 1] - '0') <= parts.size();
        if (isPlace)
            text += parts.begin()[pattern[++i] - '1'];
        else
            text += pattern[i];
    }
    return text;
}

/// %1 is the stage waited for, and %2 the microbatch where that is known.
const char *awaitedPattern(bool isCredit, bool isMicrobatchKnown)
{
    if (isCredit)
        return isMicrobatchKnown
                   ? "waiting for credit: too many microbatches under way until stage %1 had finished microbatch %2"
                   : "waiting for credit: too many microbatches under way until stage %1 had finished one";
    return isMicrobatchKnown ? "waiting for stage %1's microbatch %2" : "waiting for stage %1";
}

/// Empty where its trace does not say.
std::string awaitedText(const Explanation &explained, const Bubble &bubble, const Translate &translate)
{
    if (!bubble.stage.valid())
        return {};
    const Event *wait = bubble.wait >= 0 ? &explained.trace().events[static_cast<std::size_t>(bubble.wait)] : nullptr;
    const bool isCredit = wait != nullptr && wait->cause == WaitCause::Credit;
    const std::string awaited = filled(translate(awaitedPattern(isCredit, bubble.microbatch.valid())),
                                       {std::to_string(bubble.stage.value), std::to_string(bubble.microbatch.value)});
    const bool isNamed = wait != nullptr && !wait->value.empty();
    return isNamed ? filled(translate("%1 (%2)"), {awaited, wait->value}) : awaited;
}

} // namespace

const CauseWords &wordsOf(BubbleCause cause)
{
    return Words[static_cast<std::size_t>(cause)];
}

std::string inEnglish(const char *text)
{
    return text;
}

std::string causeSentence(const Explanation &explained, const Bubble &bubble, const Translate &translate)
{
    const CauseWords &words = wordsOf(bubble.cause);
    const bool tells = *words.awaited != '\0';
    const std::string awaited = tells ? awaitedText(explained, bubble, translate) : std::string();
    return awaited.empty() ? translate(words.sentence) : filled(translate(words.awaited), {awaited});
}

std::string chainText(const Explanation &explained, const ToldChain &chain, const Translate &translate)
{
    std::string text;
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
        if (chain.leftOut > 0 && i == ToldChain::First)
            text += filled(translate("(%1 more)"), {std::to_string(chain.leftOut)}) + " → ";
        text += schedule::toText(keyOf(explained.eventOf(explained.at(chain.links[i])))) + " → ";
    }
    return text + translate("here");
}

std::string chainText(const Explanation &explained, const std::vector<SliceRef> &chain, const Translate &translate)
{
    return chainText(explained, toldChain(chain), translate);
}

} // namespace pipescope::trace

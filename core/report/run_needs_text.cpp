// What a run needs, in words.
#include "base/text.h"
#include "report/run_needs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::report {

namespace {

std::string partsText(const RunNeeds &needs)
{
    std::vector<std::string> parts{"weights " + formatBytes(needs.weights)};
    if (needs.activations)
        parts.push_back(
            fmt::format("activations {}{}", formatBytes(*needs.activations), needs.isMeasured ? " as measured" : ""));
    if (needs.comparison && *needs.comparison > 0)
        parts.push_back("comparison " + formatBytes(*needs.comparison));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string memoryText(const RunNeeds &needs)
{
    return fmt::format("{} {} of memory ({})", needs.isComplete() ? "about" : "at least", formatBytes(needs.known()),
                       partsText(needs));
}

std::string unknownText(const RunNeeds &needs)
{
    if (needs.isComplete())
        return {};
    return needs.activations ? "; what the comparison takes is not known before the model is profiled"
                             : "; what activations take is not known before the model is profiled or run";
}

} // namespace

std::string needsText(const RunNeeds &needs)
{
    std::string text = "needs " + memoryText(needs);
    if (needs.machine.memory)
        text += fmt::format(", {} are free{}", formatBytes(needs.machine.memory->bytes),
                            needs.fits().value_or(true) ? "" : ": it does not fit");
    text += unknownText(needs);
    if (needs.ranks == 0)
        return text;
    text += fmt::format("; {} thread{}", needs.threads(), needs.threads() == 1 ? "" : "s");
    if (needs.machine.cores > 0)
        text += fmt::format(" on {} core{}{}", needs.machine.cores, needs.machine.cores == 1 ? "" : "s",
                            needs.lacksCores() ? ": ranks wait for each other" : "");
    return text;
}

std::string memoryWarning(const RunNeeds &needs)
{
    if (needs.fits().value_or(true))
        return {};
    return fmt::format("the run needs {}, but {} are free (as {} says): it may become slow or be ended by the system; "
                       "give a smaller batch, let fewer microbatches be in flight, do not compare, or take a machine "
                       "with more memory",
                       memoryText(needs), formatBytes(needs.machine.memory->bytes), needs.machine.memory->source);
}

std::string threadsWarning(const RunNeeds &needs)
{
    if (!needs.lacksCores())
        return {};
    return fmt::format("{} ranks with {} thread{} each have {} threads, and the machine has {} core{}: ranks wait for "
                       "each other's cores, so the times are longer than those of as many machines; take fewer ranks "
                       "or threads",
                       needs.ranks, needs.threadsPerRank, needs.threadsPerRank == 1 ? "" : "s", needs.threads(),
                       needs.machine.cores, needs.machine.cores == 1 ? "" : "s");
}

} // namespace pipescope::report

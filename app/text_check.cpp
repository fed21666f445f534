#include "text_output.h"

#include "base/shown_text.h"
#include "text_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

constexpr std::size_t MostOutputsShown = 20;

std::string numberText(double number)
{
    return std::isfinite(number) ? fmt::format("{:.3g}", number) : "infinite";
}

std::string errorsText(double absolute, double relative)
{
    return fmt::format("largest difference {}, relative {}", numberText(absolute), numberText(relative));
}

std::size_t countOf(const report::Equivalence &equivalence)
{
    return equivalence.byOutput.size() + static_cast<std::size_t>(equivalence.moreOutputs);
}

/// What "bitwise" holds for, where that is more than one thing.
std::string eachText(const report::Equivalence &equivalence)
{
    const std::size_t count = countOf(equivalence);
    return count > 1 ? fmt::format(", each of {} outputs", count) : "";
}

std::string firstText(const std::optional<report::Divergence> &first)
{
    if (!first)
        return "";
    return fmt::format("{} (stage {}, microbatch {})", first->nodeName, first->stage.value, first->microbatch.value);
}

std::string toleranceText(const report::OutputEquivalence &output)
{
    return output.rtol && output.atol ? fmt::format("rtol {:.3g}, atol {:.3g}", *output.rtol, *output.atol) : "bitwise";
}

void addRow(TextTable &table, const report::OutputEquivalence &output)
{
    const report::Difference &difference = output.difference;
    table.addRow({output.name, difference.equal ? "within tolerance" : "no", difference.kind,
                  numberText(difference.maxAbsError), numberText(difference.maxRelError), toleranceText(output),
                  output.worst.valid() ? std::to_string(output.worst.value) : "", firstText(output.first)});
}

/// A row for each output that is not bitwise equal, and how many there are besides; those that are not equal first
/// where there are too many.
std::string outputsText(const report::Equivalence &equivalence)
{
    std::vector<const report::OutputEquivalence *> shown;
    for (const report::OutputEquivalence &output : equivalence.byOutput)
        if (!output.difference.bitwise)
            shown.push_back(&output);
    if (shown.empty())
        return "";
    const std::size_t different = shown.size();
    if (different > MostOutputsShown) {
        std::stable_partition(shown.begin(), shown.end(), [](const auto *output) { return !output->difference.equal; });
        shown.resize(MostOutputsShown);
    }
    TextTable table({{"output", Align::Left},
                     {"equal", Align::Left},
                     {"kind", Align::Left},
                     {"largest", Align::Right},
                     {"relative", Align::Right},
                     {"tolerance", Align::Left},
                     {"worst microbatch", Align::Right},
                     {"first difference", Align::Left}});
    for (const report::OutputEquivalence *output : shown)
        addRow(table, *output);
    std::string text = table.toText("  ");
    if (different > shown.size())
        text += fmt::format("  and {} more that are not bitwise equal\n", different - shown.size());
    if (const std::size_t same = equivalence.byOutput.size() - different; same > 0)
        text += fmt::format("  bitwise equal: {}\n", same);
    if (equivalence.moreOutputs > 0)
        text += fmt::format("  and {} more, not listed\n", equivalence.moreOutputs);
    return text;
}

std::string equivalentText(const report::Equivalence &equivalence, const Terminal &terminal)
{
    const report::Difference &overall = equivalence.overall;
    if (overall.equal && overall.bitwise)
        return fmt::format("equivalent: {} (bitwise{})\n", good(terminal, "yes"), eachText(equivalence));
    const std::string errors = errorsText(overall.maxAbsError, overall.maxRelError);
    if (overall.equal)
        return fmt::format("equivalent: {} (within tolerance: {})\n", good(terminal, "yes"), errors) +
               outputsText(equivalence);
    std::string text = fmt::format("equivalent: {}: {} ({})\n", bad(terminal, "no"), overall.kind, errors);
    if (!overall.worst.empty())
        text += fmt::format("  worst: {}\n", shownText(overall.worst));
    if (const auto &first = equivalence.first)
        text += fmt::format("  first difference: stage {}, microbatch {}, {}, value {} ({})\n", first->stage.value,
                            first->microbatch.value, first->nodeName, first->value, first->difference.kind);
    if (!equivalence.explanation.empty())
        text += fmt::format("  {}\n", shownText(equivalence.explanation));
    return text + outputsText(equivalence);
}

/// "largest difference 0.5, relative L2 0.2, noise 1e-07".
std::string sizesText(const report::Separability &found)
{
    return fmt::format("largest difference {}, relative L2 {}, noise {}", numberText(found.maxAbsError),
                       numberText(found.relL2), numberText(found.noiseFloor));
}

/// Which output and column it is, where there are several; outputs that cannot be joined differ by no number.
std::string worstText(const report::Separability &found)
{
    std::string where = found.output == "output" ? "" : found.output;
    if (!found.part.empty())
        where += (where.empty() ? "" : ", ") + found.part;
    const std::string errors = std::isfinite(found.maxAbsError) ? sizesText(found) : std::string();
    const std::string between = where.empty() || errors.empty() ? "" : ": ";
    const std::string text = where + between + errors;
    return text.empty() ? "" : fmt::format(" ({})", text);
}

std::string separableText(const report::RunReport &report, const Terminal &terminal)
{
    if (!report.separabilityUnknown.empty())
        return fmt::format("separable: not known: {}\n", shownText(report.separabilityUnknown));
    if (!report.separability)
        return {};
    const report::Separability &found = *report.separability;
    if (found.holds)
        return fmt::format("separable: {} ({})\n", good(terminal, "yes"), found.bitwise ? "bitwise" : sizesText(found));
    return fmt::format("separable: {}: {}{}\n", bad(terminal, "no"), shownText(found.explanation),
                       shownText(worstText(found)));
}

} // namespace

std::string checkText(const report::RunReport &report, const Terminal &terminal)
{
    return (report.equivalence ? equivalentText(*report.equivalence, terminal) : "") + separableText(report, terminal);
}

std::string stageFilesText(const std::optional<plan::StageFiles> &files, const Terminal &terminal)
{
    using Answer = plan::StageFiles::Answer;
    if (!files)
        return {};
    if (files->answer == Answer::AsWritten)
        return fmt::format("stage files: {} ({} as split wrote them)\n", good(terminal, "yes"),
                           counted(files->files.size(), "file"));
    const std::string answer = files->answer == Answer::Changed ? bad(terminal, "no") : "not looked at";
    return fmt::format("stage files: {}: {}\n", answer, shownText(files->explanation));
}

} // namespace pipescope::app

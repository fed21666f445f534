#include "text_output.h"

#include "base/percent.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

std::string microbatchSizes(const std::vector<std::int64_t> &sizes, std::string_view unit)
{
    if (sizes.empty())
        return "none";
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    const std::string count = sizes.size() == 1 ? "1 microbatch" : fmt::format("{} microbatches", sizes.size());
    if (*least == *most)
        return fmt::format("{} of {}", count, counted(static_cast<std::size_t>(*most), unit));
    return fmt::format("{} of {} {}s", count, fmt::join(sizes, ", "), unit);
}

std::string headText(const report::RunReport &report, const Terminal &terminal)
{
    const plan::Plan &plan = report.plan;
    const std::string specialised =
        plan.specialised.empty() ? "" : fmt::format(", specialised for {}", inputTexts(plan.specialised));
    return fmt::format("{} ({}, {}{})\n{} in {} on {}, {}, {} each\n\n", bold(terminal, plan.model), report.modelClass,
                       plan.method, specialised, report.schedule, counted(report.stages.size(), "stage"),
                       counted(plan.devices.size(), "rank"),
                       microbatchSizes(report.microbatches, plan::microbatchUnit(plan)),
                       counted(static_cast<std::size_t>(plan.threadsPerRank), "thread"));
}

std::string timesText(const report::RunReport &report)
{
    const trace::Stats &stats = report.stats;
    std::string text = fmt::format("makespan: {}", formatSeconds(stats.makespanSeconds));
    if (report.makespans.size() > 1) {
        const auto [least, most] = std::minmax_element(report.makespans.begin(), report.makespans.end());
        text += fmt::format(" (median of {} runs, {} to {})", report.makespans.size(), formatSeconds(*least),
                            formatSeconds(*most));
    }
    text += boundText(stats);
    text += '\n';
    if (report.unsplitSeconds && stats.makespanSeconds > 0)
        text +=
            fmt::format("unsplit: {} for the same microbatches one after another; the pipeline takes {:.2f} of that\n",
                        formatSeconds(*report.unsplitSeconds), stats.makespanSeconds / *report.unsplitSeconds);
    return text + bubbleShareText(stats);
}

std::string writtenText(const WrittenFiles &written)
{
    std::string text;
    if (!written.trace.empty())
        text += fmt::format("trace written to {} (opens in ui.perfetto.dev)\n", shownText(written.trace));
    if (!written.plan.empty())
        text += fmt::format("plan written to {}\n", shownText(written.plan));
    return text;
}

/// "in no stage", or the files that have them.
std::string placeOfUnused(const report::SplitReport &report)
{
    std::vector<std::string> files;
    for (const report::StageFile &file : report.files) {
        const auto hasIt = [&](const std::string &name) {
            return std::binary_search(file.parameters.begin(), file.parameters.end(), name);
        };
        if (std::any_of(report.unused.names.begin(), report.unused.names.end(), hasIt))
            files.push_back(file.file);
    }
    return files.empty() ? "in no stage" : fmt::format("kept in {}", fmt::join(files, " and "));
}

} // namespace

std::string inputTexts(const std::vector<plan::InputSpec> &inputs)
{
    std::string text;
    for (const plan::InputSpec &input : inputs)
        text += (text.empty() ? "" : ", ") + plan::toText(input);
    return text;
}

std::string counted(std::size_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string stageTable(const std::vector<report::StageReport> &stages)
{
    TextTable table({{"stage", Align::Left},
                     {"rank", Align::Right},
                     {"begins at", Align::Left},
                     {"nodes", Align::Right},
                     {"parameters", Align::Right},
                     {"bytes", Align::Right},
                     {"constants", Align::Right},
                     {"per microbatch", Align::Right},
                     {"share", Align::Right},
                     {"sends", Align::Right}});
    double total = 0;
    for (const report::StageReport &stage : stages)
        total += stage.seconds;
    for (const report::StageReport &stage : stages) {
        const bool ran = stage.rank.valid();
        table.addRow(
            {stage.name, ran ? std::to_string(stage.rank.value) : "", stage.first.empty() ? "(beginning)" : stage.first,
             std::to_string(stage.nodes), formatCount(static_cast<double>(stage.parameters)),
             formatBytes(stage.weightBytes()), stage.constantBytes > 0 ? formatBytes(stage.constantBytes) : "",
             ran ? formatSeconds(stage.seconds) : "", ran && total > 0 ? formatPercent(stage.seconds / total) : "",
             ran ? formatBytes(stage.sentBytes) : ""});
    }
    return table.toText();
}

std::string tiesText(const std::vector<partition::Tie> &ties)
{
    std::string text;
    for (const partition::Tie &tie : ties) {
        std::vector<int> stages;
        for (const StageId stage : tie.stages)
            stages.push_back(stage.value);
        text += fmt::format("tied: {} is used in stages {}; each keeps a copy\n", tie.fqn, fmt::join(stages, " and "));
    }
    return text;
}

std::string unusedText(const partition::UnusedTensors &unused, const std::string &method, const std::string &place)
{
    constexpr std::size_t MostNames = 4;
    if (unused.names.empty())
        return {};
    const std::size_t listed = unused.names.size() > MostNames + 1 ? MostNames : unused.names.size();
    std::string text =
        fmt::format("not used by {}: {} ({}), {}: {}", method,
                    counted(static_cast<std::size_t>(unused.tensors), "tensor"), formatBytes(unused.bytes), place,
                    fmt::join(unused.names.begin(), unused.names.begin() + static_cast<std::ptrdiff_t>(listed), ", "));
    if (listed < unused.names.size())
        text += fmt::format(" and {} more names", unused.names.size() - listed);
    return text + '\n';
}

std::string runText(const report::TracedRun &report, const WrittenFiles &written, const Terminal &terminal,
                    std::size_t bubbles)
{
    return headText(report, terminal) + stageTable(report.stages) + tiesText(report.ties) +
           unusedText(report.unused, report.plan.method, "in no stage") + '\n' + timelineText(report.trace, terminal) +
           '\n' + rankTable(report.stats, report.plan.devices) + '\n' +
           bubbleTable(trace::Explanation(report.trace), bubbles) + timesText(report) + checkText(report, terminal) +
           writtenText(written);
}

std::string savedText(const report::SplitReport &report, const Terminal &terminal)
{
    std::string text = fmt::format("{} ({}) in {}\n\n", bold(terminal, report.plan.model), report.plan.method,
                                   counted(report.stages.size(), "stage")) +
                       stageTable(report.stages) + tiesText(report.ties) +
                       unusedText(report.unused, report.plan.method, placeOfUnused(report)) + '\n';
    TextTable table({{"file", Align::Left}, {"takes", Align::Left}, {"gives", Align::Left}});
    for (const report::StageFile &file : report.files)
        table.addRow({file.file, fmt::format("{}", fmt::join(file.inputs, ", ")),
                      fmt::format("{}", fmt::join(file.outputs, ", "))});
    return text + table.toText() +
           fmt::format("\nwritten to {}, with stages.json and {}\n", shownText(report.folder), report.planFile);
}

} // namespace pipescope::app

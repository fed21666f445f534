#include "text_output.h"

#include "base/percent.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "text_table.h"
#include "trace/text_timeline.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

// What a line of the timeline needs besides its time axis.
constexpr int TimelineMargin = 20;
constexpr int LongestAxis = 160;

std::string counted(std::size_t count, std::string_view one)
{
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string microbatchSizes(const std::vector<std::int64_t> &rows)
{
    if (rows.empty())
        return "none";
    const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
    const std::string count = rows.size() == 1 ? "1 microbatch" : fmt::format("{} microbatches", rows.size());
    if (*least == *most)
        return fmt::format("{} of {}", count, counted(static_cast<std::size_t>(*most), "row"));
    return fmt::format("{} of {} rows", count, fmt::join(rows, ", "));
}

std::string headText(const report::RunReport &report, const Terminal &terminal)
{
    const plan::Plan &plan = report.plan;
    return fmt::format("{} ({}, {})\n{} in {} on {}, {}, {} each\n\n", bold(terminal, plan.model), report.modelClass,
                       plan.method, report.schedule, counted(report.stages.size(), "stage"),
                       counted(plan.devices.size(), "rank"), microbatchSizes(report.microbatches),
                       counted(static_cast<std::size_t>(plan.threadsPerRank), "thread"));
}

std::string rankTable(const report::RunReport &report)
{
    std::vector<TextTable::Column> columns{{"rank", Align::Left}, {"device", Align::Left}, {"busy", Align::Right}};
    for (const schedule::ActionKind kind : trace::ComputeKinds)
        columns.push_back({fmt::format("in {}", schedule::kindName(kind)), Align::Right});
    for (const char *title :
         {"waiting", "fill", "for input", "for credit", "for device", "not running", "between", "drain", "peak memory"})
        columns.push_back({title, Align::Right});
    TextTable table(std::move(columns));
    // Where each rank has a device of its own there is nothing to tell.
    const auto waitsForDevice = [](const trace::RankStats &rank) { return rank.waitDeviceSeconds > 0; };
    const bool hasKinds = trace::hasSeveralKinds(report.stats);
    const bool sharesDevice = std::any_of(report.stats.ranks.begin(), report.stats.ranks.end(), waitsForDevice);
    for (std::size_t i = 0; i < report.stats.ranks.size(); ++i) {
        const trace::RankStats &rank = report.stats.ranks[i];
        std::vector<std::string> cells{std::to_string(i), i < report.plan.devices.size() ? report.plan.devices[i] : "",
                                       formatSeconds(rank.busySeconds)};
        for (const schedule::ActionKind kind : trace::ComputeKinds) {
            const double seconds = trace::seconds(rank.kinds, kind);
            cells.push_back(hasKinds && seconds > 0 ? formatSeconds(seconds) : "");
        }
        for (const double seconds :
             {rank.waitSeconds, rank.warmUpSeconds, rank.waitInputSeconds, rank.waitCreditSeconds})
            cells.push_back(formatSeconds(seconds));
        cells.push_back(sharesDevice ? formatSeconds(rank.waitDeviceSeconds) : "");
        for (const double seconds : {rank.notRunningSeconds, rank.betweenActionsSeconds, rank.coolDownSeconds})
            cells.push_back(formatSeconds(seconds));
        cells.push_back(rank.peakBytes > 0 ? formatBytes(rank.peakBytes) : "");
        table.addRow(std::move(cells));
    }
    return table.toText();
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
    if (stats.boundSeconds > 0)
        text += fmt::format("; {:.3f} of its bound, {}", stats.makespanSeconds / stats.boundSeconds,
                            formatSeconds(stats.boundSeconds));
    text += '\n';
    if (report.unsplitSeconds && stats.makespanSeconds > 0)
        text +=
            fmt::format("unsplit: {} for the same microbatches one after another; the pipeline takes {:.2f} of that\n",
                        formatSeconds(*report.unsplitSeconds), stats.makespanSeconds / *report.unsplitSeconds);
    text +=
        fmt::format("bubble share: {} of makespan ({} of rank spans); imbalance {}\n", formatPercent(stats.bubbleShare),
                    formatPercent(stats.bubbleShareOfSpan), formatPercent(stats.imbalance));
    return text;
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

} // namespace

std::string stageTable(const std::vector<report::StageReport> &stages)
{
    TextTable table({{"stage", Align::Left},
                     {"rank", Align::Right},
                     {"begins at", Align::Left},
                     {"nodes", Align::Right},
                     {"parameters", Align::Right},
                     {"bytes", Align::Right},
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
             formatBytes(stage.parameterBytes), ran ? formatSeconds(stage.seconds) : "",
             ran && total > 0 ? formatPercent(stage.seconds / total) : "", ran ? formatBytes(stage.sentBytes) : ""});
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

std::string runText(const report::RunReport &report, const WrittenFiles &written, const Terminal &terminal)
{
    const int axis = std::clamp(terminal.columns - TimelineMargin, TimelineMargin, LongestAxis);
    std::string text = headText(report, terminal) + stageTable(report.stages) + tiesText(report.ties) + '\n';
    text += trace::textTimeline(report.trace, axis, terminal.colour);
    text += '\n' + rankTable(report) + '\n' + timesText(report) + checkText(report, terminal) + writtenText(written);
    return text;
}

std::string savedText(const report::SplitReport &report, const Terminal &terminal)
{
    std::string text = fmt::format("{} ({}) in {}\n\n", bold(terminal, report.plan.model), report.plan.method,
                                   counted(report.stages.size(), "stage")) +
                       stageTable(report.stages) + tiesText(report.ties) + '\n';
    TextTable table({{"file", Align::Left}, {"takes", Align::Left}, {"gives", Align::Left}});
    for (const report::StageFile &file : report.files)
        table.addRow({file.file, fmt::format("{}", fmt::join(file.inputs, ", ")),
                      fmt::format("{}", fmt::join(file.outputs, ", "))});
    return text + table.toText() +
           fmt::format("\nwritten to {}, with stages.json and {}\n", shownText(report.folder), report.planFile);
}

} // namespace pipescope::app

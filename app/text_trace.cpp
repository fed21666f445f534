#include "base/percent.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "text_output.h"
#include "text_table.h"
#include "trace/explain/cause_words.h"
#include "trace/explain/longest_bubbles.h"
#include "trace/text_timeline.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

// What a line of the timeline needs besides its time axis.
constexpr int TimelineMargin = 20;
constexpr int LongestAxis = 160;

} // namespace

std::string timelineText(const trace::Trace &trace, const Terminal &terminal)
{
    const int axis = std::clamp(terminal.columns - TimelineMargin, TimelineMargin, LongestAxis);
    return trace::textTimeline(trace, axis, terminal.colour);
}

std::string rankTable(const trace::Stats &stats, const std::vector<std::string> &devices)
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
    const bool hasKinds = trace::hasSeveralKinds(stats);
    const bool sharesDevice = std::any_of(stats.ranks.begin(), stats.ranks.end(), waitsForDevice);
    for (std::size_t i = 0; i < stats.ranks.size(); ++i) {
        const trace::RankStats &rank = stats.ranks[i];
        std::vector<std::string> cells{std::to_string(i), i < devices.size() ? devices[i] : "",
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

std::string boundText(const trace::Stats &stats)
{
    if (stats.boundSeconds <= 0)
        return {};
    return fmt::format("; {:.3f} of its bound, {}", stats.makespanSeconds / stats.boundSeconds,
                       formatSeconds(stats.boundSeconds));
}

std::string bubbleShareText(const trace::Stats &stats)
{
    return fmt::format("bubble share: {} of makespan ({} of rank spans); imbalance {}\n",
                       formatPercent(stats.bubbleShare), formatPercent(stats.bubbleShareOfSpan),
                       formatPercent(stats.imbalance));
}

std::string bubbleTable(const trace::Explanation &explained, std::size_t bubbles)
{
    const trace::LongestBubbles longest = trace::longestBubbles(explained, bubbles);
    if (longest.told.empty())
        return {};
    TextTable table({{"bubble on rank", Align::Left},
                     {"from", Align::Right},
                     {"length", Align::Right},
                     {"cause", Align::Left},
                     {"came of", Align::Left},
                     {"what helps", Align::Left}});
    for (const trace::ToldBubble &told : longest.told) {
        const trace::CauseWords &words = trace::wordsOf(told.bubble.cause);
        table.addRow(
            {std::to_string(told.rank.value), formatSeconds(trace::secondsBetween(0, told.bubble.time.beginNs)),
             formatSeconds(told.bubble.time.spanNs() * 1e-9), words.name,
             told.chain.links.empty() ? "" : shownText(trace::chainText(explained, told.chain)), words.remedy});
    }
    std::string text = table.toText();
    if (longest.others > 0)
        text += fmt::format("and {} more, {} together\n", longest.others, formatSeconds(longest.othersSeconds));
    return text + '\n';
}

std::string traceText(const trace::Explanation &explained, std::size_t bubbles, const Terminal &terminal)
{
    const trace::Trace &trace = explained.trace();
    const trace::Stats stats = trace::traceStats(explained);
    std::string text = trace.title.empty() ? std::string() : bold(terminal, shownText(trace.title)) + "\n\n";
    text += timelineText(trace, terminal) + '\n' + rankTable(stats, {}) + '\n' + bubbleTable(explained, bubbles);
    return text + "makespan: " + formatSeconds(stats.makespanSeconds) + boundText(stats) + '\n' +
           bubbleShareText(stats);
}

} // namespace pipescope::app

#include "inspector/time_facts.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "session/use_name.h"
#include "trace/explain/span_statistics.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::inspector {

namespace {

using namespace widgets;

QString rankName(const trace::Trace &trace, RankId rank)
{
    return rank.index() < trace.rankNames.size() ? QString::fromStdString(trace.rankNames[rank.index()])
                                                 : rankWords(rank).text;
}

bool hasRank(const Known &known, RankId rank)
{
    return known.run != nullptr && rank.valid() && rank.index() < known.run->stats.ranks.size();
}

void addTime(FactSheet &sheet, const QString &label, double seconds, double whole)
{
    if (seconds > 0)
        addFact(sheet, label, {plain(tr("%1 (%2)").arg(secondsText(seconds), shareText(seconds, whole)))});
}

/// The actions that run in a span, by begin.
std::vector<Words> actionsIn(const trace::SpanStatistics &statistics, RankId rank, const Known &known)
{
    const trace::Explanation &explained = *known.explained;
    const trace::TimeRange &span = statistics.span;
    std::vector<Words> actions;
    for (const std::uint32_t i : explained.index().byTime()) {
        const trace::SliceRef ref = explained.refOf(i);
        if (ref.lane < 0 || (rank.valid() && ref.lane != rank.value))
            continue;
        const trace::Slice &slice = explained.at(ref);
        if (isCompute(slice) && slice.time.beginNs < span.endNs && slice.time.endNs > span.beginNs)
            actions.push_back(actionWords({known.runId, explained.actionOf(ref)}));
    }
    return actions;
}

} // namespace

FactSheet rankFacts(RankId rank, const Known &known)
{
    if (!hasRank(known, rank))
        return {};
    const report::TracedRun &run = *known.run;
    const trace::RankStats &stats = run.stats.ranks[rank.index()];
    const double whole = run.stats.makespanSeconds;
    FactSheet sheet;
    sheet.title = rankName(run.trace, rank);
    std::vector<Words> stages;
    for (std::size_t stage = 0; stage < run.stages.size(); ++stage)
        if (run.stages[stage].rank == rank)
            stages.push_back(stageWords(StageId{static_cast<int>(stage)}));
    sheet.subtitle = stages;
    addTime(sheet, tr("busy"), stats.busySeconds, whole);
    if (trace::hasSeveralKinds(run.stats))
        for (const trace::KindStats &kind : stats.kinds)
            addTime(sheet, tr("busy in %1").arg(QLatin1String(schedule::kindName(kind.kind))), kind.seconds, whole);
    addTime(sheet, tr("sending"), stats.sendSeconds, whole);
    addTime(sheet, tr("receiving"), stats.receiveSeconds, whole);
    addTime(sheet, tr("waiting"), stats.waitSeconds, whole);
    addTime(sheet, session::useName(trace::Use::Fill), stats.warmUpSeconds, whole);
    addTime(sheet, session::useName(trace::Use::Drain), stats.coolDownSeconds, whole);
    addTime(sheet, tr("for input"), stats.waitInputSeconds, whole);
    addTime(sheet, tr("for credit"), stats.waitCreditSeconds, whole);
    addTime(sheet, tr("for device"), stats.waitDeviceSeconds, whole);
    addTime(sheet, session::useName(trace::Use::NotRunning), stats.notRunningSeconds, whole);
    addTime(sheet, session::useName(trace::Use::Runtime), stats.betweenActionsSeconds, whole);
    if (stats.peakBytes > 0)
        addFact(sheet, tr("peak memory"), {plain(bytesText(stats.peakBytes))});
    addRun(sheet, known);
    if (!stages.empty())
        sheet.onward.push_back({tr("Runs"), stages});
    return sheet;
}

FactSheet spanFacts(const session::SelectedSpan &span, const Known &known)
{
    if (known.run == nullptr || known.explained == nullptr || span.endNs < span.beginNs)
        return {};
    const trace::SpanStatistics statistics = spanStatistics(*known.explained, {span.beginNs, span.endNs}, span.rank);
    FactSheet sheet;
    sheet.title = tr("%1 of time").arg(secondsText(trace::secondsBetween(span.beginNs, span.endNs)));
    sheet.subtitle.push_back(span.rank.valid() ? rankWords(span.rank) : plain(tr("all ranks")));
    addFact(sheet, tr("from"), {plain(secondsText(trace::secondsBetween(0, span.beginNs)))});
    addFact(sheet, tr("to"), {plain(secondsText(trace::secondsBetween(0, span.endNs)))});
    for (std::size_t i = 0; i < trace::UseCount; ++i) {
        const auto use = static_cast<trace::Use>(i);
        if (const double ns = statistics.totals.nsOf(use); ns > 0)
            addFact(sheet, session::useName(use),
                    {plain(tr("%1 (%2)").arg(nanosecondsText(ns), percentText(statistics.shareOf(use))))});
    }
    addFact(sheet, tr("bubbles"), {plain(percentText(statistics.bubbleShare()))});
    if (statistics.totals.sentBytes > 0)
        addFact(sheet, tr("sent"),
                {plain(bytesText(static_cast<std::int64_t>(std::min(statistics.totals.sentBytes, 0x1p62))))});
    addRun(sheet, known);
    constexpr std::size_t most = 16;
    if (std::vector<Words> actions = actionsIn(statistics, span.rank, known); !actions.empty())
        sheet.onward.push_back({tr("Actions in it"), folded(std::move(actions), most, tr("and %1 more"))});
    return sheet;
}

} // namespace pipescope::inspector

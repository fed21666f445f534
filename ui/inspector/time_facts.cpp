#include "inspector/time_facts.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

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

/// Seconds inside a span by kind of event, and the actions that lie in it.
struct Inside
{
    std::array<double, 4> seconds{}; ///< of waits, until what was waited for had come
    double notRunning = 0;
    std::vector<Words> actions;
    std::int64_t sentBytes = 0;
};

double sharedNs(trace::TimeRange time, const session::SelectedSpan &span)
{
    const trace::TimeRange shared{std::max(time.beginNs, span.beginNs), std::min(time.endNs, span.endNs)};
    return std::max(0.0, shared.spanNs());
}

Inside inside(const Known &known, const session::SelectedSpan &span)
{
    const trace::Explanation &explained = known.explained->explained();
    Inside sum;
    for (const std::uint32_t i : explained.index().byTime()) {
        const trace::SliceRef ref = explained.refOf(i);
        if (ref.lane < 0 || (span.rank.valid() && ref.lane != span.rank.value))
            continue;
        const trace::Event &event = explained.trace().events[i];
        const double ns = sharedNs(explained.at(ref).time, span);
        if (ns <= 0)
            continue;
        sum.seconds[static_cast<std::size_t>(event.kind)] += ns * 1e-9;
        if (event.kind == trace::EventKind::Compute)
            sum.actions.push_back(actionWords({known.runId, keyOf(event)}));
        if (event.kind == trace::EventKind::Send)
            sum.sentBytes += event.bytes;
    }
    for (const trace::Lane &lane : explained.lanes())
        if (!span.rank.valid() || lane.rank == span.rank)
            for (const trace::Bubble &bubble : lane.bubbles)
                if (bubble.cause == trace::BubbleCause::NotRunning)
                    sum.notRunning += sharedNs(bubble.time, span) * 1e-9;
    return sum;
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
    addTime(sheet, tr("fill"), stats.warmUpSeconds, whole);
    addTime(sheet, tr("drain"), stats.coolDownSeconds, whole);
    addTime(sheet, tr("for input"), stats.waitInputSeconds, whole);
    addTime(sheet, tr("for credit"), stats.waitCreditSeconds, whole);
    addTime(sheet, tr("for device"), stats.waitDeviceSeconds, whole);
    addTime(sheet, tr("not running"), stats.notRunningSeconds, whole);
    addTime(sheet, tr("between actions"), stats.betweenActionsSeconds, whole);
    if (stats.peakBytes > 0)
        addFact(sheet, tr("peak memory"), {plain(bytesText(stats.peakBytes))});
    addRun(sheet, known);
    if (!stages.empty())
        sheet.onward.push_back({tr("Runs"), stages});
    return sheet;
}

FactSheet spanFacts(const session::SelectedSpan &span, const Known &known)
{
    if (known.run == nullptr || span.endNs < span.beginNs)
        return {};
    const double length = trace::secondsBetween(span.beginNs, span.endNs);
    const int ranks = span.rank.valid() ? 1 : known.run->trace.ranks;
    const Inside sum = inside(known, span);
    FactSheet sheet;
    sheet.title = tr("%1 of time").arg(secondsText(length));
    sheet.subtitle.push_back(span.rank.valid() ? rankWords(span.rank) : plain(tr("all ranks")));
    addFact(sheet, tr("from"), {plain(secondsText(trace::secondsBetween(0, span.beginNs)))});
    addFact(sheet, tr("to"), {plain(secondsText(trace::secondsBetween(0, span.endNs)))});
    const QString labels[] = {tr("computing"), tr("sending"), tr("waiting"), tr("receiving")};
    for (std::size_t kind = 0; kind < sum.seconds.size(); ++kind)
        addTime(sheet, labels[kind], sum.seconds[kind], length * ranks);
    addTime(sheet, tr("not running"), sum.notRunning, length * ranks);
    const double told = std::accumulate(sum.seconds.begin(), sum.seconds.end(), sum.notRunning);
    // Less than the clock tells is what adding up leaves.
    if (const double rest = length * ranks - told; rest > 0.5e-9)
        addTime(sheet, tr("otherwise idle"), rest, length * ranks);
    if (sum.sentBytes > 0)
        addFact(sheet, tr("sent"), {plain(bytesText(sum.sentBytes))});
    addRun(sheet, known);
    constexpr std::size_t most = 16;
    if (!sum.actions.empty())
        sheet.onward.push_back({tr("Actions in it"), folded(sum.actions, most, tr("and %1 more"))});
    return sheet;
}

} // namespace pipescope::inspector

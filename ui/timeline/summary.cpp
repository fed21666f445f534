#include "timeline/summary.h"

#include "session/use_name.h"
#include "timeline/describe.h"
#include "timeline/translate.h"
#include "timeline/walk.h"
#include "trace/explain/before_compute.h"
#include "trace/explain/cause_chain.h"
#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::timeline {

namespace {

QString bytes(double count)
{
    return widgets::bytesText(static_cast<std::int64_t>(std::min(count, 0x1p62)));
}

/// The peaks of one rank or of all; empty where nothing was measured.
QString peakOf(const LaneModel &model, RankId rank)
{
    std::int64_t peak = 0;
    for (const trace::Lane &lane : model.lanes())
        if (!rank.valid() || lane.rank == rank)
            peak = std::max(peak, model.look(lane.rank.value).memory.peakBytes());
    return peak > 0 ? widgets::bytesText(peak) : QString();
}

/// One stretch of time of one rank or all, of each run.
class SpanSummary
{
public:
    SpanSummary(const ShownRuns &runs, std::optional<trace::TimeRange> span, RankId rank)
        : m_runs(runs)
        , m_rank(rank)
    {
        for (int run = 0; run < runs.count(); ++run) {
            const LaneModel &model = runs.model(run);
            m_statistics.push_back(spanStatistics(model, span.value_or(model.run()), rank));
        }
    }

    void addTo(Summary &summary) const
    {
        const bool hasTwo = m_statistics.size() > 1;
        for (std::size_t i = 0; i < trace::UseCount; ++i) {
            const auto use = static_cast<trace::Use>(i);
            const double first = m_statistics[0].shareOf(use);
            const std::optional<double> second = hasTwo ? std::optional(m_statistics[1].shareOf(use)) : std::nullopt;
            if (first > 0 || second.value_or(0) > 0)
                summary.shares.push_back({use, first, second});
        }
        if (hasTwo)
            summary.runs = {m_runs[0].name, m_runs[1].name};
        add(summary, tr("bubbles"),
            [](const trace::SpanStatistics &one) { return widgets::percentText(one.bubbleShare()); });
        add(summary, tr("length"),
            [](const trace::SpanStatistics &one) { return widgets::nanosecondsText(one.span.spanNs()); });
        add(summary, tr("actions"),
            [](const trace::SpanStatistics &one) { return QString::number(one.totals.actions); });
        add(summary, tr("transfers"),
            [](const trace::SpanStatistics &one) { return QString::number(one.totals.sends); });
        add(summary, tr("sent"), [](const trace::SpanStatistics &one) { return bytes(one.totals.sentBytes); });
        if (m_rank.valid())
            add(summary, tr("received"),
                [](const trace::SpanStatistics &one) { return bytes(one.totals.receivedBytes); });
    }

    void addPeak(Summary &summary) const
    {
        const QString first = peakOf(m_runs.model(0), m_rank);
        const QString second = m_statistics.size() > 1 ? peakOf(m_runs.model(1), m_rank) : QString();
        if (!first.isEmpty() || !second.isEmpty())
            summary.facts.push_back({tr("peak memory"), first, second});
    }

    [[nodiscard]] const trace::SpanStatistics &first() const { return m_statistics[0]; }

private:
    void add(Summary &summary, const QString &name, const auto &valueOf) const
    {
        summary.facts.push_back(
            {name, valueOf(m_statistics[0]), m_statistics.size() > 1 ? valueOf(m_statistics[1]) : QString()});
    }

    const ShownRuns &m_runs;
    RankId m_rank;
    std::vector<trace::SpanStatistics> m_statistics;
};

Summary ofWhole(const ShownRuns &runs, RankId rank)
{
    Summary summary;
    const SpanSummary spans(runs, std::nullopt, rank);
    spans.addTo(summary);
    spans.addPeak(summary);
    const LaneLook *look = rank.valid() ? runs.look(0, rank.value) : nullptr;
    summary.title = look != nullptr ? QString::fromStdString(look->name) : tr("Whole run");
    const trace::Totals &totals = spans.first().totals;
    summary.subtitle = tr("%1 actions, %2 transfers").arg(totals.actions).arg(totals.sends);
    return summary;
}

Summary ofSpan(const ShownRuns &runs, const session::SelectedSpan &span)
{
    Summary summary;
    const trace::TimeRange time{span.beginNs, span.endNs};
    SpanSummary(runs, time, span.rank).addTo(summary);
    summary.title = tr("%1 selected").arg(widgets::nanosecondsText(time.spanNs()));
    summary.subtitle = whenOf(time) + (span.rank.valid() ? tr(", rank %1").arg(span.rank.value) : QString());
    return summary;
}

QString actionsOf(const LaneModel &model, const std::vector<trace::SliceRef> &refs)
{
    QStringList names;
    for (const trace::SliceRef ref : refs)
        names << nameOf(model, {ref.lane, ref.slice, -1});
    return names.join(QStringLiteral(", "));
}

Summary ofBubble(const ShownRuns &runs, Spot spot)
{
    const LaneModel &model = runs.modelOf(spot);
    const trace::Lane &lane = model.lanes()[static_cast<std::size_t>(spot.lane)];
    const trace::Bubble &bubble = lane.bubbles[static_cast<std::size_t>(spot.bubble)];
    Summary summary;
    summary.title = tr("Bubble on rank %1, %2").arg(spot.lane).arg(widgets::nanosecondsText(bubble.time.spanNs()));
    summary.subtitle = whenOf(bubble.time);
    const double run = model.run().spanNs();
    summary.facts = {{tr("kind"), session::useName(useOf(bubble.cause)), {}},
                     {tr("why"), causeOf(model, bubble), {}},
                     {tr("of the run"), widgets::percentText(run > 0 ? bubble.time.spanNs() / run : 0), {}}};
    if (const std::vector<trace::SliceRef> chain = chainOf(model, lane, bubble); !chain.empty())
        summary.facts.push_back({tr("came of"), chainText(model, chain), {}});
    summary.facts.push_back({tr("what helps"), remedyFor(bubble.cause), {}});
    return summary;
}

void addCompute(const LaneModel &model, Spot spot, Summary &summary)
{
    const trace::SliceRef ref{spot.lane, spot.slice};
    const trace::Slice &slice = model.at(ref);
    summary.facts.push_back(
        {tr("median of stage %1").arg(slice.stage.value), widgets::nanosecondsText(medianNsLike(model, ref)), {}});
    summary.facts.push_back({tr("waited"), widgets::nanosecondsText(waitedNs(model, ref)), {}});
    if (const QString awaited = waitedFor(model, ref); !awaited.isEmpty())
        summary.facts.push_back({tr("waited for"), awaited, {}});
    const auto add = [&](const QString &name, const std::vector<trace::SliceRef> &refs) {
        if (!refs.empty())
            summary.facts.push_back({name, actionsOf(model, refs), {}});
    };
    const trace::Dependencies &dependencies = model.dependencies();
    add(tr("needs"), dependencies.producersOf(model, ref));
    if (const auto giver = dependencies.giverOf(model, ref))
        add(tr("credit from"), {*giver});
    add(tr("needed by"), dependencies.consumersOf(model, ref));
    add(tr("gave credit to"), dependencies.takersOf(model, ref));
    if (const double in = bytesInto(model, ref); in > 0)
        summary.facts.push_back({tr("bytes in"), bytes(in), {}});
}

Summary ofSlice(const ShownRuns &runs, Spot spot)
{
    const LaneModel &model = runs.modelOf(spot);
    const trace::Slice &slice = model.at({spot.lane, spot.slice});
    Summary summary;
    summary.title = nameOf(model, spot);
    summary.subtitle =
        tr("rank %1, stage %2, microbatch %3").arg(spot.lane).arg(slice.stage.value).arg(slice.microbatch.value);
    summary.facts = {{tr("duration"), widgets::nanosecondsText(slice.time.spanNs()), {}},
                     {tr("when"), whenOf(slice.time), {}}};
    if (slice.kind == trace::EventKind::Compute)
        addCompute(model, spot, summary);
    else if (slice.kind != trace::EventKind::Wait)
        summary.facts.push_back({tr("bytes"), bytes(static_cast<double>(model.eventOf(slice).bytes)), {}});
    return summary;
}

} // namespace

Summary summaryOf(const ShownRuns &runs, const session::Selected &selected, const std::optional<Spot> &current)
{
    if (runs.isEmpty())
        return {};
    Summary summary;
    if (current) {
        summary = current->slice < 0 ? ofBubble(runs, *current) : ofSlice(runs, *current);
        summary.run = runs[current->run].listed;
        return summary;
    }
    const auto *span = std::get_if<session::SelectedSpan>(&selected);
    summary = span != nullptr ? ofSpan(runs, *span) : ofWhole(runs, session::idIn<RankId>(selected));
    QStringList listed;
    for (const ShownRun &run : runs.all())
        listed << run.listed;
    summary.run = listed.join(QStringLiteral(" · "));
    return summary;
}

} // namespace pipescope::timeline

// The part of TimelineView that keeps what is outlined and what is selected for all views the same.
#include "timeline/describe.h"
#include "timeline/timeline_view.h"
#include "timeline/walk.h"

#include <cmath>

namespace pipescope::timeline {

namespace {

session::SelectedSpan spanOf(const LaneModel &model, Spot bubble)
{
    const trace::TimeRange time = timeOf(model, bubble);
    return {RankId{bubble.lane}, time.beginNs, time.endNs};
}

bool selects(const session::Selected &selected, const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return selected.span == spanOf(model, spot);
    const trace::Slice &slice = model.at({spot.lane, spot.slice});
    return selected.action == session::SelectedAction{slice.stage, slice.microbatch};
}

std::optional<Spot> bubbleOf(const ShownRuns &runs, const session::SelectedSpan &span)
{
    for (int run = 0; run < runs.count(); ++run) {
        const trace::Lane *lane = span.rank.valid() ? runs.lane(run, span.rank.value) : nullptr;
        if (lane == nullptr)
            continue;
        const auto bubble =
            std::lower_bound(lane->bubbles.begin(), lane->bubbles.end(), span.beginNs,
                             [](const trace::Bubble &one, std::int64_t ns) { return one.time.beginNs < ns; });
        if (bubble != lane->bubbles.end() && bubble->time == trace::TimeRange{span.beginNs, span.endNs})
            return Spot{span.rank.value, -1, static_cast<int>(bubble - lane->bubbles.begin()), run};
    }
    return std::nullopt;
}

} // namespace

void TimelineView::setHovered(std::optional<Spot> spot)
{
    if (spot == m_hovered)
        return;
    m_hovered = spot;
    m_plot.changeOverlay();
    Q_EMIT hovered(spot ? describe(m_runs.modelOf(*spot), *spot) : QString());
}

void TimelineView::setCurrent(std::optional<Spot> spot)
{
    if (spot == m_current)
        return;
    m_current = spot;
    if (spot)
        setAccessibleDescription(describe(m_runs.modelOf(*spot), *spot));
    m_plot.changeOverlay();
    Q_EMIT currentChanged();
}

void TimelineView::select(std::optional<Spot> spot)
{
    setCurrent(spot);
    if (!spot) {
        m_selection.clear();
        return;
    }
    ensureSeen(*spot);
    const LaneModel &model = m_runs.modelOf(*spot);
    if (spot->slice < 0) {
        m_selection.selectSpan(spanOf(model, *spot));
        return;
    }
    const trace::Slice &slice = model.at({spot->lane, spot->slice});
    m_selection.selectAction({slice.stage, slice.microbatch});
}

void TimelineView::selectSpan(double oneNs, double otherNs)
{
    const trace::TimeRange run = m_runs.time();
    const auto within = [&](double ns) {
        return std::clamp(static_cast<std::int64_t>(std::clamp(std::round(ns), -0x1p62, 0x1p62)), run.beginNs,
                          run.endNs);
    };
    const std::int64_t one = within(oneNs);
    const std::int64_t other = within(otherNs);
    setCurrent(std::nullopt);
    m_selection.selectSpan({{}, std::min(one, other), std::max(one, other)});
    setAccessibleDescription(tr("Selected %1").arg(whenOf({std::min(one, other), std::max(one, other)})));
}

void TimelineView::measure()
{
    if (m_runs.isEmpty())
        return;
    if (!m_current)
        return selectSpan(m_seen.beginNs, m_seen.endNs());
    const trace::TimeRange time = timeOf(m_runs.modelOf(*m_current), *m_current);
    selectSpan(static_cast<double>(time.beginNs), static_cast<double>(time.endNs));
}

std::optional<Spot> TimelineView::spotOf(const session::Selected &selected) const
{
    if (selected.span)
        return bubbleOf(m_runs, *selected.span);
    if (!selected.action)
        return std::nullopt;
    for (int run = 0; run < m_runs.count(); ++run)
        if (const auto ref = m_runs.model(run).computeOf(selected.action->stage, selected.action->microbatch))
            return Spot{ref->lane, ref->slice, -1, run};
    return std::nullopt;
}

void TimelineView::setRelate(Relate relate)
{
    m_relate = std::move(relate);
    this->relate();
}

void TimelineView::relate()
{
    std::vector<session::Related> byRun;
    for (const ShownRun &run : m_runs.all())
        byRun.push_back(m_relate ? m_relate(run.model->trace()) : session::relatedTo(m_selection.current()));
    if (byRun == m_related.byRun())
        return;
    m_related.set(std::move(byRun));
    m_plot.changeOverlay();
    Q_EMIT relatedChanged();
}

void TimelineView::followSelection()
{
    relate();
    const session::Selected &selected = m_selection.current();
    m_plot.changeOverlay();
    // A send of the action that is selected stays outlined, rather than its compute.
    if (m_runs.isEmpty() || (m_current && selects(selected, m_runs.modelOf(*m_current), *m_current)))
        return;
    const std::optional<Spot> spot = spotOf(selected);
    setCurrent(spot);
    if (spot)
        ensureSeen(*spot);
}

} // namespace pipescope::timeline

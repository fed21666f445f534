// The part of TimelineView that keeps what is outlined and what is selected for all views the same.
#include "timeline/describe.h"
#include "timeline/timeline_view.h"
#include "timeline/walk.h"

#include <cmath>

namespace pipescope::timeline {

namespace {

session::SelectedSpan spanOf(const ShownRuns &runs, Spot bubble)
{
    const trace::TimeRange time = timeOf(runs.modelOf(bubble), bubble);
    return {runs[bubble.run].id, RankId{bubble.lane}, time.beginNs, time.endNs};
}

session::SelectedAction actionOf(const ShownRuns &runs, Spot slice)
{
    return {runs[slice.run].id, runs.modelOf(slice).actionOf({slice.lane, slice.slice})};
}

bool selects(const session::Selected &selected, const ShownRuns &runs, Spot spot)
{
    if (!runs.isMeant(spot.run, session::runIn(selected)))
        return false;
    if (const auto *action = std::get_if<session::SelectedAction>(&selected))
        return spot.slice >= 0 && action->key == actionOf(runs, spot).key;
    const auto *span = std::get_if<session::SelectedSpan>(&selected);
    return span != nullptr && spot.slice < 0 && span->rank == RankId{spot.lane} &&
           trace::TimeRange{span->beginNs, span->endNs} == timeOf(runs.modelOf(spot), spot);
}

std::optional<Spot> bubbleOf(const ShownRuns &runs, const session::SelectedSpan &span)
{
    for (int run = 0; run < runs.count(); ++run) {
        const trace::Lane *lane = span.rank.valid() ? runs.lane(run, span.rank.value) : nullptr;
        if (lane == nullptr || !runs.isMeant(run, span.run))
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
    if (spot->slice < 0)
        m_selection.select(spanOf(m_runs, *spot));
    else
        m_selection.select(actionOf(m_runs, *spot));
}

void TimelineView::selectSpan(double oneNs, double otherNs, int row)
{
    const trace::TimeRange run = m_runs.time();
    const auto within = [&](double ns) {
        return std::clamp(static_cast<std::int64_t>(std::clamp(std::round(ns), -0x1p62, 0x1p62)), run.beginNs,
                          run.endNs);
    };
    const std::int64_t one = within(oneNs);
    const std::int64_t other = within(otherNs);
    setCurrent(std::nullopt);
    m_selection.select(session::SelectedSpan{m_runs[row].id, {}, std::min(one, other), std::max(one, other)});
    setAccessibleDescription(tr("Selected %1").arg(whenOf({std::min(one, other), std::max(one, other)})));
}

void TimelineView::measure()
{
    if (m_runs.isEmpty())
        return;
    if (!m_current)
        return selectSpan(m_seen.beginNs, m_seen.endNs(), 0);
    const trace::TimeRange time = timeOf(m_runs.modelOf(*m_current), *m_current);
    selectSpan(static_cast<double>(time.beginNs), static_cast<double>(time.endNs), m_current->run);
}

std::optional<Spot> TimelineView::spotOf(const session::Selected &selected) const
{
    if (const auto *span = std::get_if<session::SelectedSpan>(&selected))
        return bubbleOf(m_runs, *span);
    const auto *action = std::get_if<session::SelectedAction>(&selected);
    for (int run = 0; action != nullptr && run < m_runs.count(); ++run)
        if (const auto ref = m_runs.model(run).computeOf(action->key); ref && m_runs.isMeant(run, action->run))
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
    if (m_runs.isEmpty() || (m_current && selects(selected, m_runs, *m_current)))
        return;
    const std::optional<Spot> spot = spotOf(selected);
    setCurrent(spot);
    if (spot)
        ensureSeen(*spot);
}

} // namespace pipescope::timeline

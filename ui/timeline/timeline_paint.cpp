// The part of TimelineView that says what is plotted, on the screen and elsewhere.
#include "timeline/timeline_view.h"

#include "timeline/describe.h"

#include <QPainter>
#include <QRegularExpression>

namespace pipescope::timeline {

Scene TimelineView::scene() const
{
    return {m_runs, *m_theme, geometryOfLanes(), m_seen, font()};
}

Overlay TimelineView::overlay() const
{
    const session::Selected &selected = m_selection.current();
    Overlay overlay{m_current, m_hovered, session::idIn<RankId>(selected), m_measured, {}, hasFocus()};
    if (const auto *span = std::get_if<session::SelectedSpan>(&selected);
        span != nullptr && !m_measured && !m_current) {
        overlay.measured = {static_cast<double>(span->beginNs), static_cast<double>(span->endNs)};
        if (span->rank.valid() && span->rank.value < m_runs.laneCount())
            overlay.measuredRank = span->rank;
    }
    overlay.related = &m_related;
    if (m_hovered && m_hovered->bubble >= 0)
        overlay.card = describe(m_runs.modelOf(*m_hovered), *m_hovered);
    return overlay;
}

QSizeF TimelineView::drawnSize() const
{
    if (m_runs.laneCount() == 0)
        return {};
    // Wide enough that a microbatch's number fits into its bar, within what a page can hold.
    constexpr double perMicrobatch = 48;
    constexpr double least = 1200;
    constexpr double most = 4000;
    const LaneGeometry tall = geometryOf({least, 1e6}, 0);
    const int stages = m_runs.model(0).trace().microbatches + m_runs.laneCount();
    return {std::clamp(perMicrobatch * stages + LaneGeometry::HeaderWidth, least, most),
            std::ceil(LaneGeometry::RulerHeight + tall.contentHeight() + 8)};
}

void TimelineView::draw(QPainter &painter) const
{
    if (m_runs.laneCount() == 0)
        return;
    const LaneGeometry geometry = geometryOf(drawnSize(), 0);
    const Scene all{m_runs, *m_theme, geometry, fitted(m_runs.time(), geometry.axisWidth()), font()};
    m_plot.draw(painter, all);
}

QString TimelineView::drawnName() const
{
    const QString title = m_runs.isEmpty() ? QString() : QString::fromStdString(m_runs.model(0).trace().title);
    static const QRegularExpression others(QStringLiteral("[^\\w]+"), QRegularExpression::UseUnicodePropertiesOption);
    QString name = title.left(60).toLower().replace(others, QStringLiteral("-"));
    name.remove(QRegularExpression(QStringLiteral("^-+|-+$")));
    return name.isEmpty() ? QStringLiteral("timeline") : name + "-timeline";
}

} // namespace pipescope::timeline

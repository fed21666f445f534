#include "timeline/lane_row.h"

#include <cmath>

namespace pipescope::timeline {

using trace::EventKind;

QRect wholePixels(const QRectF &rect)
{
    const int left = qRound(rect.left());
    const int top = qRound(rect.top());
    return {left, top, qRound(rect.right()) - left, qRound(rect.bottom()) - top};
}

void LaneRow::stand(const Scene &scene, int lane, int run)
{
    m_scene = &scene;
    m_lane = lane;
    m_run = run;
    m_body = wholePixels(scene.geometry.body(lane, run));
    for (const EventKind kind : {EventKind::Compute, EventKind::Send, EventKind::Wait, EventKind::Receive})
        m_strips[static_cast<std::size_t>(kind)] = wholePixels(scene.geometry.strip(lane, kind, run));
    m_rgbs = {}; // of another theme, it may be
}

void LaneRow::collect()
{
    thread_local std::vector<Bar> found; // kept to save memory requests
    const LaneLook &look = *m_scene->runs.look(m_run, m_lane);
    m_columns.begin(m_body);
    for (const Track track : {Track::Work, Track::Transfer}) {
        std::vector<Bar> &wide = m_bars[static_cast<std::size_t>(track)];
        wide.clear();
        found.clear();
        m_taken = m_body.left();
        (track == Track::Work ? look.work : look.transfers).collect(m_scene->seen, found);
        for (const Bar &bar : found)
            take(bar, wide);
    }
}

void LaneRow::take(const Bar &bar, std::vector<Bar> &wide)
{
    // A narrow wait is the bubble it lies in. Several slices in one bar have neither a label nor an end of their own.
    if (bar.kind == EventKind::Wait) {
        if (rectOf(bar).width() >= PatternedFrom)
            wide.push_back(bar);
    } else if (bar.slice < 0) {
        QRect rect = columnsOf(bar);
        rect.setLeft(std::max(rect.left(), m_taken));
        m_columns.fill(rect, rgbOf(bar));
    } else {
        const QRect rect = rectOf(bar);
        m_taken = rect.right() + 1;
        if (rect.width() <= GapFrom)
            m_columns.fill(rect, rgbOf(bar));
        else
            wide.push_back(bar);
    }
}

QRect LaneRow::columnsOf(const Bar &bar) const
{
    // They begin and end with pixels; there are so many of them that each step counts.
    QRect rect = m_strips[static_cast<std::size_t>(bar.kind)];
    if (bar.kind == EventKind::Compute && bar.quarters < 4)
        rect.setTop(rect.top() + rect.height() * (4 - bar.quarters) / 4);
    const int left = rect.left() + static_cast<int>(bar.left);
    const int least = trackOf(bar.kind) == Track::Transfer ? static_cast<int>(LaneGeometry::LeastMark) : 1;
    rect.setLeft(left);
    rect.setRight(left + std::max(least, static_cast<int>(bar.right - bar.left)) - 1);
    return rect;
}

QRect LaneRow::rectOf(const Bar &bar) const
{
    QRect rect = m_strips[static_cast<std::size_t>(bar.kind)];
    // Far beyond what is seen, whole numbers would not hold a slice's end.
    const int left = qRound(std::max(-16.0, bar.left));
    const int right = qRound(std::min(m_scene->seen.width + 16, bar.right));
    const int least = trackOf(bar.kind) == Track::Transfer ? static_cast<int>(LaneGeometry::LeastMark) : 1;
    rect.setLeft(rect.left() + left);
    rect.setWidth(std::max(least, right - left));
    return rect;
}

QRgb LaneRow::rgbOf(const Bar &bar)
{
    const int key = bar.kind == EventKind::Compute ? bar.stage.value : -2 - static_cast<int>(bar.kind);
    // Stages of a rank are often a power of two apart: their last bits would not tell them from one another.
    Rgb &kept = m_rgbs[static_cast<std::uint32_t>(key) * 0x9E3779B1U >> 28];
    if (kept.key != key)
        kept = {key, colourOf(bar).rgb()};
    return kept.rgb;
}

QColor LaneRow::colourOf(const Bar &bar) const
{
    if (bar.kind == EventKind::Send)
        return m_scene->theme.colour(style::ActionColour::Send);
    if (bar.kind == EventKind::Receive)
        return m_scene->theme.colour(style::ActionColour::Receive);
    return m_scene->theme.colour(bar.stage);
}

} // namespace pipescope::timeline

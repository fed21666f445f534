#include "graphview/split_overlay.h"

#include <algorithm>
#include <cstddef>

namespace pipescope::graphview {

namespace {

constexpr double PillInset = SplitOverlay::Side + 4;
constexpr double LineReach = 5;
constexpr QSizeF PillSize(58, 18);
static_assert(SplitOverlay::PillMargin > PillInset + PillSize.width());

} // namespace

void SplitOverlay::set(std::shared_ptr<const session::SplitTable> table, std::vector<int> cuts)
{
    m_table = std::move(table);
    m_cuts = std::move(cuts);
    m_inside = m_scene ? splitsInside(*m_scene, m_cuts) : std::vector<SplitInside>();
    hide();
}

void SplitOverlay::setScene(const GraphScene *scene)
{
    m_scene = scene;
    m_places = scene ? splitPlaces(*scene) : std::vector<SplitPlace>();
    m_inside = scene ? splitsInside(*scene, m_cuts) : std::vector<SplitInside>();
    m_heights.clear();
    hide();
}

bool SplitOverlay::isCut(int position) const
{
    return std::binary_search(m_cuts.begin(), m_cuts.end(), position);
}

QString SplitOverlay::idOf(int position) const
{
    const partition::SplitPoint *point = m_table ? m_table->at(position) : nullptr;
    return point ? QString::fromStdString(point->id) : QString();
}

int SplitOverlay::nextFree(int position, int step) const
{
    for (int at = position + step; m_table && m_table->at(at); at += step) {
        if (isCut(at))
            return -1;
        if (m_table->at(at)->cut.legal && placeOf(m_places, at))
            return at;
    }
    return -1;
}

StageId SplitOverlay::stageAt(int position) const
{
    const auto after = std::upper_bound(m_cuts.begin(), m_cuts.end(), position);
    return StageId{static_cast<int>(after - m_cuts.begin())};
}

int SplitOverlay::boxAround(int position) const
{
    const SplitInside *inside = insideOf(m_inside, position);
    return inside ? inside->box : -1;
}

int SplitOverlay::countInside(int box) const
{
    return static_cast<int>(
        std::count_if(m_inside.begin(), m_inside.end(), [&](const SplitInside &split) { return split.box == box; }));
}

bool SplitOverlay::isOnNotch(const Viewport &viewport, QPointF screen, int position) const
{
    const SplitInside *inside = insideOf(m_inside, position);
    if (!inside)
        return false;
    const auto notches = notchesOf(*m_scene, *inside);
    return std::any_of(notches.begin(), notches.end(), [&](const QLineF &notch) {
        return QRectF(viewport.toScreen(notch.p1()), viewport.toScreen(notch.p2()))
            .adjusted(0, -LineReach, 0, LineReach)
            .contains(screen);
    });
}

int SplitOverlay::lineAt(const Viewport &viewport, QPointF screen) const
{
    const std::vector<QRectF> pills = pillsShown(viewport);
    for (std::size_t i = 0; i < pills.size(); ++i)
        if (pills[i].contains(screen)) // whichever line it covers
            return m_cuts[i];
    for (const int cut : m_cuts) {
        const SplitPlace *place = placeOf(m_places, cut);
        const bool onLine = place && place->straight() &&
                            std::abs(viewport.toScreen(QPointF(0, place->y())).y() - screen.y()) <= LineReach &&
                            screen.x() >= Side && screen.x() <= viewport.size().width() - Side;
        if (onLine || isOnNotch(viewport, screen, cut))
            return cut;
    }
    return -1;
}

int SplitOverlay::placeAt(const Viewport &viewport, QPointF screen, int edge) const
{
    if (!m_table || !m_scene || viewport.zoom() < detail::Text)
        return -1;
    const QPointF scene = viewport.toScene(screen);
    if (const SplitPlace *gap = gapAt(m_places, scene); gap && m_table->at(gap->position))
        return gap->position;
    if (edge < 0)
        return -1;
    const auto [first, last] = positionsOf(*m_scene, m_scene->edges[static_cast<std::size_t>(edge)]);
    const SplitPlace *place = nearestPlace(m_places, scene.y(), first, last);
    return place && m_table->at(place->position) ? place->position : -1;
}

int SplitOverlay::dropAt(const Viewport &viewport, QPointF screen) const
{
    const int positions = m_scene && !m_scene->tree.boxes.empty() ? m_scene->tree.boxes[0].end : 0;
    const SplitPlace *place = nearestPlace(m_places, viewport.toScene(screen).y(), 1, positions);
    return m_table && place && m_table->at(place->position) ? place->position : -1;
}

double SplitOverlay::heightOf(const SplitPlace &place) const
{
    if (place.straight() || !m_scene)
        return place.y();
    if (const auto known = m_heights.find(place.position); known != m_heights.end())
        return known->second;
    std::vector<double> marks;
    for (const SceneEdge &edge : m_scene->edges)
        if (goesOver(*m_scene, edge, place.position))
            marks.push_back(markOf(*m_scene, edge).y());
    const auto middle = marks.begin() + static_cast<std::ptrdiff_t>(marks.size() / 2);
    if (!marks.empty())
        std::nth_element(marks.begin(), middle, marks.end());
    return m_heights[place.position] = marks.empty() ? place.y() : *middle;
}

QRectF SplitOverlay::wishedPill(const Viewport &viewport, double y) const
{
    return {QPointF(PillInset, viewport.toScreen(QPointF(0, y)).y() - PillSize.height() / 2), PillSize};
}

std::vector<QRectF> SplitOverlay::pillsOf(const Viewport &viewport) const
{
    std::vector<QRectF> pills(m_cuts.size());
    const auto stand = [&](std::size_t i, double y) { pills[i] = clearOf(pills, wishedPill(viewport, y)); };
    // Those on a line first, so that each stands on its own, and those that have the least to be found by last.
    for (const bool isStraight : {true, false}) {
        for (std::size_t i = 0; i < m_cuts.size(); ++i)
            if (const SplitPlace *place = placeOf(m_places, m_cuts[i]); place && place->straight() == isStraight)
                stand(i, heightOf(*place));
    }
    for (std::size_t i = 0; i < m_cuts.size(); ++i) {
        if (const SplitInside *inside = insideOf(m_inside, m_cuts[i]))
            stand(i, notchesOf(*m_scene, *inside).front().y1());
    }
    return pills;
}

std::vector<QRectF> SplitOverlay::pillsShown(const Viewport &viewport) const
{
    return viewport.zoom() >= detail::Text ? pillsOf(viewport) : std::vector<QRectF>();
}

QRectF SplitOverlay::pillOf(const Viewport &viewport, int position) const
{
    const std::vector<QRectF> pills = pillsOf(viewport);
    const auto cut = std::lower_bound(m_cuts.begin(), m_cuts.end(), position);
    if (cut != m_cuts.end() && *cut == position)
        return pills[static_cast<std::size_t>(cut - m_cuts.begin())];
    const SplitPlace *place = placeOf(m_places, position);
    return place ? clearOf(pills, wishedPill(viewport, heightOf(*place))) : QRectF();
}

void SplitOverlay::show(int position, std::optional<int> moved, QPointF beside)
{
    if (!m_table)
        return;
    const bool same = m_shown && m_shown->preview.position == position && m_shown->moved == moved;
    if (same) // the card stays where it came up
        return;
    m_shown = Shown{m_table->preview(m_cuts, position, moved), moved, beside};
    m_card.set(m_shown->preview, cardText(*m_table, m_shown->preview, moved ? stageAt(*moved) : StageId{}));
}

QRectF SplitOverlay::cardRect(const Viewport &viewport) const
{
    constexpr double margin = 12;
    const QRectF room = QRectF({0, 0}, viewport.size()).adjusted(margin, margin, -margin, -margin);
    return m_shown ? cardPlace(room, m_shown->beside, m_card.size()) : QRectF();
}

} // namespace pipescope::graphview

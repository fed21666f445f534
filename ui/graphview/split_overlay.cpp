#include "graphview/split_overlay.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstddef>
#include <span>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr double Side = 8; // of the canvas, left and right of a line
constexpr double PillInset = Side + 4;
constexpr double Reach = 5;
constexpr QSizeF PillSize(58, 18);
static_assert(SplitOverlay::PillMargin > PillInset + PillSize.width());

QString tr(const char *text)
{
    return QCoreApplication::translate("pipescope::graphview::SplitOverlay", text);
}

/// Where a cut is marked on an edge, in the scene.
QPointF markOf(std::span<const QPointF> points)
{
    const std::size_t to = std::max<std::size_t>(1, points.size() / 2);
    return (points[to - 1] + points[to]) / 2;
}

void paintPill(QPainter &painter, TextCache &texts, const QRectF &pill, const QString &text, const QPen &border,
               const QColor &ground, const QColor &ink)
{
    painter.setPen(border);
    painter.setBrush(ground);
    painter.drawRoundedRect(pill, 4, 4);
    texts.drawCentred(painter, pill.center(), text, TextRole::Title, ink);
}

} // namespace

void SplitOverlay::set(std::shared_ptr<const session::SplitTable> table, std::vector<int> cuts)
{
    m_table = std::move(table);
    m_cuts = std::move(cuts);
    hide();
}

void SplitOverlay::setScene(const GraphScene *scene)
{
    m_scene = scene;
    m_places = scene ? splitPlaces(*scene) : std::vector<SplitPlace>();
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

int SplitOverlay::lineAt(const Viewport &viewport, QPointF screen) const
{
    const bool hasLabels = viewport.zoom() >= detail::Text;
    for (const int cut : m_cuts) {
        const SplitPlace *place = placeOf(m_places, cut);
        if (!place)
            continue;
        const bool onLine = place->straight() &&
                            std::abs(viewport.toScreen(QPointF(0, place->y())).y() - screen.y()) <= Reach &&
                            screen.x() >= Side && screen.x() <= viewport.size().width() - Side;
        if (onLine || (hasLabels && pillOf(viewport, cut).contains(screen)))
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
            marks.push_back(markOf(m_scene->pointsOf(edge)).y());
    const auto middle = marks.begin() + static_cast<std::ptrdiff_t>(marks.size() / 2);
    if (!marks.empty())
        std::nth_element(marks.begin(), middle, marks.end());
    return m_heights[place.position] = marks.empty() ? place.y() : *middle;
}

QRectF SplitOverlay::pillOf(const Viewport &viewport, int position) const
{
    const SplitPlace *place = placeOf(m_places, position);
    if (!place)
        return {};
    const double y = viewport.toScreen(QPointF(0, heightOf(*place))).y();
    return {QPointF(PillInset, y - PillSize.height() / 2), PillSize};
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

void SplitOverlay::paintLine(QPainter &painter, const Viewport &viewport, const SplitPlace &place,
                             const QPen &pen) const
{
    if (!place.straight())
        return;
    const double y = viewport.toScreen(QPointF(0, place.y())).y();
    painter.setPen(pen);
    painter.drawLine(QPointF(Side, y), QPointF(viewport.size().width() - Side, y));
}

void SplitOverlay::paintLines(QPainter &painter, const Viewport &viewport, const Look &look, int selected) const
{
    for (const int cut : m_cuts) {
        const SplitPlace *place = placeOf(m_places, cut);
        if (!place)
            continue;
        QColor colour = look.theme->colour(stageAt(cut));
        if (moved() == cut)
            colour.setAlphaF(0.35F);
        paintLine(painter, viewport, *place, QPen(colour, cut == selected ? 3 : 2, Qt::DashLine));
    }
    if (const SplitPlace *place = m_shown ? placeOf(m_places, m_shown->preview.position) : nullptr;
        place && !isCut(place->position)) {
        const bool legal = m_shown->preview.legal;
        paintLine(painter, viewport, *place,
                  QPen(look.theme->colour(legal ? Token::Accent : Token::Bad), 2, legal ? Qt::DashLine : Qt::DotLine));
    }
}

// A short line across each edge that the cut goes through, where no straight line can part the picture.
void SplitOverlay::paintTicks(QPainter &painter, const Picture &picture, const Viewport &viewport, int position,
                              const QColor &colour) const
{
    constexpr double half = 8;
    painter.setPen(QPen(colour, 3));
    for (const int index : picture.index.edgesIn(viewport.visible())) {
        const SceneEdge &edge = picture.scene.edges[static_cast<std::size_t>(index)];
        if (!goesOver(picture.scene, edge, position))
            continue;
        const QPointF middle = viewport.toScreen(markOf(picture.scene.pointsOf(edge)));
        painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0));
    }
}

void SplitOverlay::paintPills(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                              const Look &look, int selected) const
{
    if (viewport.zoom() < detail::Text)
        return;
    for (const int cut : m_cuts) {
        const SplitPlace *place = placeOf(m_places, cut);
        if (!place)
            continue;
        QColor colour = look.theme->colour(stageAt(cut));
        if (moved() == cut)
            colour.setAlphaF(0.35F);
        if (!place->straight())
            paintTicks(painter, picture, viewport, cut, colour);
        const QPen border = cut == selected ? QPen(look.theme->colour(Token::Accent), 2) : QPen(Qt::NoPen);
        paintPill(painter, texts, pillOf(viewport, cut), tr("split %1").arg(stageAt(cut).value), border, colour,
                  look.theme->colour(Token::Ink));
    }
    if (m_shown && !isCut(m_shown->preview.position))
        paintPreview(painter, texts, picture, viewport, look);
}

void SplitOverlay::paintPreview(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                                const Look &look) const
{
    const SplitPlace *place = placeOf(m_places, m_shown->preview.position);
    if (!place)
        return;
    const bool legal = m_shown->preview.legal;
    const QColor colour = look.theme->colour(legal ? Token::Accent : Token::Bad);
    if (!place->straight())
        paintTicks(painter, picture, viewport, place->position, colour);
    const QRectF pill = pillOf(viewport, place->position);
    if (legal)
        paintPill(painter, texts, pill, tr("split %1").arg(m_shown->preview.stage), QPen(Qt::NoPen), colour,
                  look.theme->colour(Token::Canvas));
    else
        paintPill(painter, texts, pill, tr("no split"), QPen(colour, 1), look.theme->colour(Token::Panel), colour);
}

void SplitOverlay::paintCard(QPainter &painter, TextCache &texts, const Viewport &viewport, const Look &look) const
{
    if (m_shown)
        m_card.paint(painter, texts, *look.theme, cardRect(viewport));
}

} // namespace pipescope::graphview

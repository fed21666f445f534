// How splits look on the canvas.
#include "graphview/split_overlay.h"

#include "graphview/translate.h"

namespace pipescope::graphview {

using style::Token;

namespace {

void paintPill(QPainter &painter, TextCache &texts, const QRectF &pill, const QString &text, const QPen &border,
               const QColor &ground, const QColor &ink)
{
    painter.setPen(border);
    painter.setBrush(ground);
    painter.drawRoundedRect(pill, 4, 4);
    texts.drawCentred(painter, pill.center(), text, TextRole::Title, ink);
}

} // namespace

void SplitOverlay::paintLine(QPainter &painter, const Viewport &viewport, const SplitPlace &place,
                             const QPen &pen) const
{
    if (!place.straight())
        return;
    const double y = viewport.toScreen(QPointF(0, place.y())).y();
    painter.setPen(pen);
    painter.drawLine(QPointF(Side, y), QPointF(viewport.size().width() - Side, y));
}

void SplitOverlay::paintNotches(QPainter &painter, const Viewport &viewport, const SplitInside &split,
                                const QPen &pen) const
{
    painter.setPen(pen);
    for (const QLineF &notch : notchesOf(*m_scene, split))
        painter.drawLine(viewport.toScreen(notch.p1()), viewport.toScreen(notch.p2()));
}

void SplitOverlay::paintLines(QPainter &painter, const Viewport &viewport, const Look &look, int selected) const
{
    for (const int cut : m_cuts) {
        const SplitPlace *place = placeOf(m_places, cut);
        const SplitInside *inside = place ? nullptr : insideOf(m_inside, cut);
        if (!place && !inside)
            continue;
        QColor colour = look.theme->colour(stageAt(cut));
        if (moved() == cut)
            colour.setAlphaF(0.35F);
        if (inside)
            paintNotches(painter, viewport, *inside, QPen(colour, cut == selected ? 5 : 4));
        else
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
        const QPointF middle = viewport.toScreen(markOf(picture.scene, edge));
        painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0));
    }
}

void SplitOverlay::paintPills(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                              const Look &look, int selected) const
{
    if (viewport.zoom() < detail::Text)
        return;
    const std::vector<QRectF> pills = pillsShown(viewport);
    for (std::size_t i = 0; i < m_cuts.size(); ++i) {
        const int cut = m_cuts[i];
        const SplitPlace *place = placeOf(m_places, cut);
        if (pills[i].isEmpty())
            continue;
        QColor colour = look.theme->colour(stageAt(cut));
        if (moved() == cut)
            colour.setAlphaF(0.35F);
        if (place && !place->straight())
            paintTicks(painter, picture, viewport, cut, colour);
        // One inside a closed box is only framed: its line is not to be seen.
        QPen border = place ? QPen(Qt::NoPen) : QPen(colour, 2);
        if (cut == selected)
            border = QPen(look.theme->colour(Token::Accent), 2);
        paintPill(painter, texts, pills[i], tr("split %1").arg(stageAt(cut).value), border,
                  place ? colour : look.theme->colour(Token::Panel),
                  look.theme->colour(place ? Token::Ink : Token::Text));
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

// How the canvas looks: on the screen, and drawn for a file.
#include "graphview/graph_canvas.h"

namespace pipescope::graphview {

// From afar the graph is many small things: panning moves what was drawn before and draws the borders that came into
// sight. Not so near that values are written beside their edges, as where depends on all that is seen.
void GraphCanvas::paintGround(QPainter &painter)
{
    constexpr double lines = 4;   // their width reaches out of an edge's bounds
    constexpr double texts = 120; // those of ports reach out of their boxes
    const double zoom = m_viewport.zoom();
    if (zoom >= detail::Shapes)
        m_painter.paint(painter, *m_picture, m_viewport, m_look);
    else
        m_ground.paint(
            painter, m_viewport, zoom < detail::Text ? lines : texts,
            [this](QPainter &inside, const Viewport &part) { m_painter.paint(inside, *m_picture, part, m_look); });
}

QSizeF GraphCanvas::drawnSize() const
{
    return m_picture ? m_picture->scene.bounds.size() : QSizeF();
}

void GraphCanvas::draw(QPainter &painter) const
{
    if (!m_picture)
        return;
    Look look = m_look;
    look.current = look.hovered = look.cut = -1;
    look.value = {};
    look.stage = {};
    look.crossing = nullptr;
    look.matches = nullptr;
    Viewport whole;
    whole.setSize(drawnSize());
    whole.hold(m_picture->scene.bounds.topLeft(), {0, 0});
    painter.fillRect(QRectF({0, 0}, drawnSize()), look.theme->colour(style::Token::Canvas));
    painter.setRenderHint(QPainter::Antialiasing);
    GraphPainter graphPainter(m_fonts);
    SplitOverlay splits = m_splits;
    splits.hide();
    paintStageBands(painter, whole, look, m_bands);
    graphPainter.paint(painter, *m_picture, whole, look);
    splits.paintLines(painter, whole, look, -1);
    paintStageTitles(painter, graphPainter.texts(), *m_picture, whole, look, m_bands, m_titles,
                     splits.pillsShown(whole));
    splits.paintPills(painter, graphPainter.texts(), *m_picture, whole, look, -1);
}

QString GraphCanvas::drawnName() const
{
    const std::string name = m_graph ? m_graph->modelClass : std::string();
    return name.empty() ? QStringLiteral("graph") : QString::fromStdString(name).toLower() + QStringLiteral("-graph");
}

void GraphCanvas::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_look.theme->colour(style::Token::Canvas));
    if (!m_picture) {
        painter.setPen(m_look.theme->colour(style::Token::Dim));
        painter.drawText(rect(), Qt::AlignCenter, m_graph ? tr("Laying out the graph") : tr("No model is open"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintStageBands(painter, m_viewport, m_look, m_bands);
    paintGround(painter);
    m_splits.paintLines(painter, m_viewport, m_look, selectedCut());
    paintStageTitles(painter, m_painter.texts(), *m_picture, m_viewport, m_look, m_bands, m_titles,
                     m_splits.pillsShown(m_viewport));
    m_splits.paintPills(painter, m_painter.texts(), *m_picture, m_viewport, m_look, selectedCut());
    m_legend.paint(painter, m_painter.texts(), m_viewport, m_look, static_cast<int>(m_bands.size()));
    m_minimap.paint(painter, *m_picture, m_viewport, m_look);
    m_splits.paintCard(painter, m_painter.texts(), m_viewport, m_look);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(m_look.theme->colour(style::Token::Accent));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace pipescope::graphview

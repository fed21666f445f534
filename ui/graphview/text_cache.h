// Texts shaped once: drawing a text from scratch is most of a frame's time, and the same few come again in every frame.
#pragma once

#include "graphview/graph_fonts.h"

#include <QColor>
#include <QHash>
#include <QPainter>
#include <QStaticText>

namespace pipescope::graphview {

class TextCache
{
public:
    explicit TextCache(const GraphFonts &fonts)
        : m_fonts(fonts)
    {
    }

    /// Draws a text whose upper left corner is `at`.
    void draw(QPainter &painter, QPointF at, const QString &text, TextRole role, const QColor &colour);
    /// Draws it to the left of `at`.
    void drawRight(QPainter &painter, QPointF at, const QString &text, TextRole role, const QColor &colour);
    void drawCentred(QPainter &painter, QPointF at, const QString &text, TextRole role, const QColor &colour);
    [[nodiscard]] QSizeF size(const QString &text, TextRole role) { return shaped(text, role).size(); }

private:
    QStaticText &shaped(const QString &text, TextRole role);

    GraphFonts m_fonts;
    QHash<QString, QStaticText> m_texts[3]; // by role
};

} // namespace pipescope::graphview

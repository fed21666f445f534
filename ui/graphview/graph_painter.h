// Paints the part of a picture that a viewport shows, with less detail the farther away: no text below zoom 0.4, edges
// straight below 0.15 and none below 0.05.
#pragma once

#include "graphview/picture.h"
#include "graphview/text_cache.h"
#include "graphview/viewport.h"
#include "style/theme.h"

#include <QPainter>
#include <set>

namespace pipescope::graphview {

/// What a picture looks like besides where things stand.
struct Look
{
    const style::Theme *theme = nullptr;
    Overlay overlay = Overlay::Stage;
    const std::vector<StageSpan> *stages = nullptr; ///< by box
    double largest = 0;                             ///< amount that fills a meter
    int current = -1;                               ///< box
    int hovered = -1;                               ///< box
    ValueId value;                                  ///< selected
    StageId stage;                                  ///< selected: boxes of others stand back; invalid: none do
    int cut = -1;                                   ///< position of a split that is shown before it is made
    const std::vector<ValueId> *crossing = nullptr; ///< ascending: what crosses there
    const std::set<int> *matches = nullptr;         ///< boxes that a search found
};

namespace detail {
inline constexpr double Text = 0.4;
inline constexpr double Curves = 0.15;
inline constexpr double Edges = 0.05;
inline constexpr double Shapes = 0.7; ///< of values, beside their edges
inline constexpr double Round = 0.7;  ///< corners and arrows; smaller ones cost much and show little
} // namespace detail

class GraphPainter
{
public:
    explicit GraphPainter(const GraphFonts &fonts)
        : m_texts(fonts)
    {
    }

    void paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look);
    [[nodiscard]] TextCache &texts() { return m_texts; }

private:
    struct Frame; // what one call of paint() works with

    void paintFar(const Frame &frame) const;
    void paintGroups(const Frame &frame);
    void paintEdges(const Frame &frame) const;
    void paintBoxes(const Frame &frame);
    void paintBox(const Frame &frame, int index);
    /// Of an open box's title row, as wide as its text.
    [[nodiscard]] QRectF chipRect(const QRectF &rect, const StageSpan &span);
    [[nodiscard]] static QColor patternInk(const Frame &frame);
    void paintStrip(const Frame &frame, const QRectF &rect, const StageSpan &span);
    void paintStripText(const Frame &frame, const QRectF &rect, const StageSpan &span, int parts);
    void paintTexts(const Frame &frame, int index, const QRectF &rect);
    void paintShapes(const Frame &frame);
    void paintPorts(const Frame &frame);

    TextCache m_texts;
};

/// "mask, cos and 2 more".
[[nodiscard]] QString portText(const Picture &picture, const ScenePort &port);

/// Where a port's text stands, in the scene.
[[nodiscard]] QRectF portRect(const ScenePort &port, QSizeF text);

} // namespace pipescope::graphview

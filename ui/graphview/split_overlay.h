// The splits on the canvas: lines and pills of those that are there, and the one that a click or a drop would make,
// with its card. Knows what is where; who owns the canvas tells it of the pointer and acts.
#pragma once

#include "graphview/graph_painter.h"
#include "graphview/split_card.h"
#include "graphview/split_inside.h"
#include "graphview/split_places.h"

#include <map>

namespace pipescope::graphview {

class SplitOverlay
{
public:
    /// Pills stand in so many pixels at the left of the canvas, with some room beside them.
    static constexpr double PillMargin = 78;
    /// Of the canvas, left and right of a line.
    static constexpr double Side = 8;

    explicit SplitOverlay(const GraphFonts &fonts)
        : m_card(fonts)
    {
    }

    /// Cuts are ascending positions.
    void set(std::shared_ptr<const session::SplitTable> table, std::vector<int> cuts);
    void setScene(const GraphScene *scene);
    void setFonts(const GraphFonts &fonts) { m_card = SplitCard(fonts); }

    [[nodiscard]] const session::SplitTable *table() const { return m_table.get(); }
    [[nodiscard]] const std::vector<int> &cuts() const { return m_cuts; }
    [[nodiscard]] bool isCut(int position) const;
    [[nodiscard]] const std::vector<SplitPlace> &places() const { return m_places; }
    /// The word of --split for a position; "" for none.
    [[nodiscard]] QString idOf(int position) const;
    /// The next place that can be cut and is not, up (-1) or down (1) from a position, before any other split; -1.
    [[nodiscard]] int nextFree(int position, int step) const;

    /// The closed box that a split is inside of; -1 where it has a place of its own.
    [[nodiscard]] int boxAround(int position) const;
    /// How many splits are inside a closed box.
    [[nodiscard]] int countInside(int box) const;

    /// The split whose line, marks on a closed box or pill is under the pointer; -1.
    [[nodiscard]] int lineAt(const Viewport &viewport, QPointF screen) const;
    /// The position where a click would split: in a gap between two boxes, or on an edge (`edge`: index or -1); -1.
    [[nodiscard]] int placeAt(const Viewport &viewport, QPointF screen, int edge) const;
    /// The place that a split dragged there would fall on; -1 for none.
    [[nodiscard]] int dropAt(const Viewport &viewport, QPointF screen) const;
    /// Where its pill stands, in the scene: on its line, or where no straight line can part the picture, beside the
    /// middle one of the marks on the edges it goes through.
    [[nodiscard]] double heightOf(const SplitPlace &place) const;
    /// On the screen; empty for a position not shown. That of a split inside a closed box is beside the box. No two
    /// cover one another: the later gives way, up or down.
    [[nodiscard]] QRectF pillOf(const Viewport &viewport, int position) const;

    /// Those of all splits, in their order; none from so far away that they are not painted.
    [[nodiscard]] std::vector<QRectF> pillsShown(const Viewport &viewport) const;

    /// The card of a split at a position, or of one moved there; beside a point of the screen.
    void show(int position, std::optional<int> moved, QPointF beside);
    void hide() { m_shown.reset(); }
    /// Null while nothing is shown.
    [[nodiscard]] const session::SplitPreview *shown() const { return m_shown ? &m_shown->preview : nullptr; }
    [[nodiscard]] std::optional<int> moved() const { return m_shown ? m_shown->moved : std::nullopt; }
    /// Of the card that is shown.
    [[nodiscard]] const CardText &text() const { return m_card.text(); }
    [[nodiscard]] QRectF cardRect(const Viewport &viewport) const;

    /// Under the graph, over it, and over everything. `selected` is a position or -1.
    void paintLines(QPainter &painter, const Viewport &viewport, const Look &look, int selected) const;
    void paintPills(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                    const Look &look, int selected) const;
    void paintCard(QPainter &painter, TextCache &texts, const Viewport &viewport, const Look &look) const;

private:
    struct Shown
    {
        session::SplitPreview preview;
        std::optional<int> moved;
        QPointF beside;
    };

    [[nodiscard]] StageId stageAt(int position) const;
    void paintLine(QPainter &painter, const Viewport &viewport, const SplitPlace &place, const QPen &pen) const;
    void paintTicks(QPainter &painter, const Picture &picture, const Viewport &viewport, int position,
                    const QColor &colour) const;
    /// Of all splits, in their order. Those on a line of their own stand first, those inside closed boxes last.
    [[nodiscard]] std::vector<QRectF> pillsOf(const Viewport &viewport) const;
    [[nodiscard]] QRectF wishedPill(const Viewport &viewport, double y) const;
    [[nodiscard]] bool isOnNotch(const Viewport &viewport, QPointF screen, int position) const;
    void paintNotches(QPainter &painter, const Viewport &viewport, const SplitInside &split, const QPen &pen) const;
    void paintPreview(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                      const Look &look) const;

    std::shared_ptr<const session::SplitTable> m_table;
    std::vector<int> m_cuts;
    const GraphScene *m_scene = nullptr;
    std::vector<SplitPlace> m_places;
    std::vector<SplitInside> m_inside;       ///< of the cuts
    mutable std::map<int, double> m_heights; ///< by position, of those asked for
    std::optional<Shown> m_shown;
    SplitCard m_card;
};

} // namespace pipescope::graphview

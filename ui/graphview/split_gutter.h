// The program order beside the graph: a row for each box, and between rows the places for splits. Shows before it acts:
// a gap under the pointer says what would cross, or why it cannot be cut. Only asks for changes; who owns the plan
// makes them and hands the new cuts back.
#pragma once

#include "graphview/graph_fonts.h"
#include "graphview/split_rows.h"
#include "session/split_preview.h"
#include "style/theme.h"
#include "widgets/drawable.h"

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

namespace pipescope::graphview {

class SplitGutter : public QAbstractScrollArea, public widgets::Drawable
{
    Q_OBJECT

public:
    explicit SplitGutter(QWidget *parent = nullptr);

    /// Null clears. Rows are the graph's nodes until setRows().
    void setTable(std::shared_ptr<const session::SplitTable> table);
    /// splitRows() of what the canvas shows.
    void setRows(std::vector<SplitRow> rows);
    /// Ascending positions, as partition::Partition's cuts.
    void setCuts(std::vector<int> cuts);
    /// Whether rows belong to stages; those of a model that was only read do not yet. They do at first.
    void setStaged(bool isStaged);
    /// Lights the rows that run order[begin, end), what is selected, and brings the first of them into view; none where
    /// that is empty.
    void setSelected(int begin, int end);
    void setTheme(const style::Theme &theme);

    [[nodiscard]] const std::vector<SplitRow> &rows() const { return m_rows; }
    [[nodiscard]] bool isSelected(int row) const;
    /// The gap (above the row of this number) that the keyboard is at; -1 for none.
    [[nodiscard]] int currentGap() const { return m_current; }
    /// Where a row and a gap are on the viewport.
    [[nodiscard]] QRect rowRect(int row) const;
    [[nodiscard]] QRect gapRect(int gap) const;
    /// The gap nearest to a point of the viewport; -1 when there is none.
    [[nodiscard]] int gapAt(QPoint at) const;
    /// What hovering a gap says, or dropping the split there that is being dragged.
    [[nodiscard]] QString gapText(int gap) const;
    /// Lights the gap of a position that the pointer is at in another view; -1 for none.
    void highlight(int position);

    /// All rows, as wide as it takes to write them out.
    [[nodiscard]] QSizeF drawnSize() const override;
    void draw(QPainter &painter) const override;
    [[nodiscard]] QString drawnName() const override;

    [[nodiscard]] QSize sizeHint() const override { return {280, 600}; }

Q_SIGNALS:
    void splitPlaced(const QString &id);
    void splitMoved(const QString &from, const QString &to);
    void splitRemoved(const QString &id);
    /// The position of the gap under the pointer or the keyboard, for other views, -1 for none; the position of the
    /// split that is being dragged there, or -1; where that is on this widget.
    void previewed(int position, int moved, int y);
    void rowActivated(const pipescope::graphview::BoxKey &key);

protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    static constexpr int RowHeight = 24;

    [[nodiscard]] const partition::SplitPoint *pointAt(int gap) const;
    [[nodiscard]] bool isCut(int gap) const;
    /// The stage that begins at or before a position.
    [[nodiscard]] StageId stageAt(int position) const;
    [[nodiscard]] QString idAt(int gap) const;
    [[nodiscard]] int rowTop(int row) const;
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] int movedPosition() const;
    void layOut();
    void preview(int gap);
    void abortDrag();
    void toggle(int gap);
    void move(int from, int to);
    void moveCurrent(int step);
    void setCurrent(int gap);
    void updateScrolling();
    void revealSelected();
    /// Scrolls as far as is needed to see from `top` to `bottom` of the viewport.
    void ensureSeen(int top, int bottom);
    /// What is painted of it.
    struct Pass
    {
        int width = 0;
        bool hasSelection = false;
        int hovered = -1; // gaps
        int current = -1;
    };
    /// Of a row, from its left end.
    [[nodiscard]] int titleLeft(int row) const;
    [[nodiscard]] int drawnWidth() const;
    void paintRow(QPainter &painter, int row, const Pass &pass) const;
    void paintKind(QPainter &painter, const QRect &room, const QString &kind) const;
    void paintStage(QPainter &painter, const QRectF &strip, StageId first, StageId last) const;
    void paintGap(QPainter &painter, int gap, const Pass &pass) const;

    std::shared_ptr<const session::SplitTable> m_table;
    std::vector<SplitRow> m_rows;
    std::vector<int> m_tops; // by row, and the end: a split takes room of its own
    std::vector<int> m_cuts;
    bool m_isStaged = true;
    const style::Theme *m_theme = &style::Theme::dark();
    GraphFonts m_fonts;
    int m_selectedBegin = 0; // of the order
    int m_selectedEnd = 0;
    int m_hovered = -1; // gaps
    int m_current = -1;
    int m_pressed = -1;
    bool m_dragging = false; // a split, from m_pressed
};

} // namespace pipescope::graphview

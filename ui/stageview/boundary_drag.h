// Dragging the line between two rows of the stage table: how far, in places, and when it is let go.
#pragma once

#include <QObject>

class QTableView;

namespace pipescope::stageview {

class BoundaryDrag : public QObject
{
    Q_OBJECT

public:
    /// A boundary moves one place for so many pixels.
    static constexpr int PixelsPerStep = 8;

    /// The table, which has its model already, owns this. Nothing is moved here: the signals say what the user wants.
    explicit BoundaryDrag(QTableView *table);

    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    /// While the button is down; 0 steps is where it was.
    void dragged(int boundary, int steps);
    void dropped(int boundary, int steps);
    /// Escape while dragging, or other rows in place of those that the line was between.
    void givenUp();

private:
    void giveUp();
    [[nodiscard]] int boundaryAt(int y) const; ///< -1 away from any line
    [[nodiscard]] int stepsTo(int y) const { return (y - m_from) / PixelsPerStep; }

    QTableView &m_table;
    int m_boundary = -1; ///< that is dragged
    int m_from = 0;
};

} // namespace pipescope::stageview

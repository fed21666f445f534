// The whole of the runs in a narrow strip below the lanes, with a frame around what the lanes show: to be dragged, or
// pulled at its edges.
#pragma once

#include "timeline/timeline_view.h"

#include <QPixmap>
#include <QWidget>

namespace pipescope::timeline {

class OverviewStrip : public QWidget
{
    Q_OBJECT

public:
    /// `view` outlives the strip.
    explicit OverviewStrip(TimelineView &view, QWidget *parent = nullptr);

    /// Of what the view shows, in this widget's pixels.
    [[nodiscard]] QRectF frame() const;

    [[nodiscard]] QSize sizeHint() const override { return {320, 52}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    enum class Drag { None, Frame, Begin, End };

    /// Where the runs stand: below the view's axis and as wide as it.
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] Coordinates coordinates() const;
    [[nodiscard]] Drag dragAt(double x) const;
    void repaintRuns();
    void paintRuns(QPainter &painter) const;

    TimelineView &m_view;
    QPixmap m_runs; // null when it is out of date
    Drag m_drag = Drag::None;
    double m_pressedNs = 0;
    Coordinates m_seenWhenPressed;
};

} // namespace pipescope::timeline

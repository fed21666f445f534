// The timeline of a run: lanes to look at, zoom into and walk through. Shows a lane model it shares with others, and
// one selection for all views; computes nothing itself.
//
// A plain widget rather than QCustomPlot's axes: what is hard here are bars in pixels (slice_pyramid.h), which a
// plottable would have to paint by hand as well, and the ruler is forty lines.
#pragma once

#include "session/selection.h"
#include "style/theme.h"
#include "timeline/lane_painter.h"

#include <QAbstractScrollArea>
#include <QPixmap>
#include <memory>
#include <optional>

namespace pipescope::timeline {

class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// `selection` outlives the view.
    explicit TimelineView(session::Selection &selection, QWidget *parent = nullptr);

    /// Shows all of it. Null shows that there is none. Building a model of a long trace is best done elsewhere.
    void setModel(std::shared_ptr<const LaneModel> model);
    void setTrace(std::shared_ptr<const trace::Trace> trace);
    void setTheme(const style::Theme &theme);

    [[nodiscard]] const std::shared_ptr<const LaneModel> &model() const { return m_model; }
    [[nodiscard]] const Coordinates &coordinates() const { return m_seen; }
    [[nodiscard]] LaneGeometry geometryOfLanes() const;
    /// The slice or bubble that is outlined.
    [[nodiscard]] std::optional<Spot> current() const { return m_current; }

public Q_SLOTS:
    void fitRun();
    /// With a little room around it.
    void fitCurrent();
    void zoomBack();
    /// Outlines it, brings it into what is seen and selects it for all views.
    void select(std::optional<pipescope::timeline::Spot> spot);

Q_SIGNALS:
    /// What a card says of what the pointer is on; empty when it is on nothing.
    void hovered(const QString &text);
    void coordinatesChanged();
    void currentChanged();

protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Drag { None, Measure, Pan };

    [[nodiscard]] Scene scene() const;
    /// A jump can be taken back; small steps count as one jump with those before them.
    enum class Move { Jump, SmallStep };
    void goTo(const Coordinates &coordinates, Move move);
    void setHovered(std::optional<Spot> spot);
    void setCurrent(std::optional<Spot> spot);
    void followSelection();
    void ensureSeen(Spot spot);
    bool walk(int key);
    bool moveBy(int key);
    void updateScrollBar();
    void repaintLanes();
    /// The time at a point; an edge of a slice where one is near.
    [[nodiscard]] double measuredAt(const QPointF &point) const;
    [[nodiscard]] double axisPixel(const QPointF &point) const;
    [[nodiscard]] double pointerPixel() const;

    session::Selection &m_selection;
    std::shared_ptr<const LaneModel> m_model;
    const style::Theme *m_theme = &style::Theme::dark();
    Coordinates m_seen;
    ZoomHistory m_history;
    bool m_isStepping = false; // the last move was a small step
    std::optional<Spot> m_current;
    std::optional<Spot> m_hovered;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    Coordinates m_seenWhenPressed;
    double m_scrollWhenPressed = 0;
    std::optional<std::pair<double, double>> m_measured;
    QPixmap m_lanes; // painted once for many overlays; null when it is out of date
};

} // namespace pipescope::timeline

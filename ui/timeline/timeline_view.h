// The timeline of a run, or of several above one another: lanes to look at, zoom into and walk through. Shows lane
// models it shares with others, and one selection for all views; computes nothing itself. Its viewport is the plot
// (timeline_plot.h); what is done with pointer, wheel and keys is decided here.
#pragma once

#include "session/selection.h"
#include "style/theme.h"
#include "timeline/lane_painter.h"
#include "timeline/related_slices.h"
#include "timeline/timeline_plot.h"
#include "widgets/drawable.h"

#include <QAbstractScrollArea>
#include <functional>
#include <memory>
#include <optional>

namespace pipescope::timeline {

class TimelineView : public QAbstractScrollArea, public widgets::Drawable
{
    Q_OBJECT

public:
    /// `selection` outlives the view.
    explicit TimelineView(session::Selection &selection, QWidget *parent = nullptr);

    /// Shows all of them on one time axis, the first on top. None shows that there is none. Building a model of a long
    /// trace is best done elsewhere.
    void setRuns(std::vector<ShownRun> runs);
    /// The first run is the same as before, only more of it, or beside others now: what is seen stays, except that all
    /// of it is seen again where all was.
    void updateRuns(std::vector<ShownRun> runs);
    /// One run without a name; null is none.
    void setModel(std::shared_ptr<const LaneModel> model);
    void setTrace(std::shared_ptr<const trace::Trace> trace);
    void setTheme(const style::Theme &theme);

    [[nodiscard]] const ShownRuns &runs() const { return m_runs; }
    /// Of the first run; null where there is none.
    [[nodiscard]] std::shared_ptr<const LaneModel> model() const;
    [[nodiscard]] const style::Theme &theme() const { return *m_theme; }
    [[nodiscard]] const Coordinates &coordinates() const { return m_seen; }
    [[nodiscard]] bool isFitted() const;
    [[nodiscard]] LaneGeometry geometryOfLanes() const;
    /// The slice or bubble that is outlined.
    [[nodiscard]] std::optional<Spot> current() const { return m_current; }
    /// What belongs to the selection in a run, of which models are known elsewhere; without, a stage is one by its
    /// number. All of it is outlined in every run.
    using Relate = std::function<session::Related(const trace::Trace &)>;
    void setRelate(Relate relate);
    /// In the first run, by lane.
    [[nodiscard]] const SlicesByLane &related() const { return m_related.of(m_runs, 0); }
    /// "W A S D move and zoom · F fit · ...", for a status bar.
    [[nodiscard]] static QString keysHint();

    [[nodiscard]] QSizeF drawnSize() const override;
    void draw(QPainter &painter) const override;
    [[nodiscard]] QString drawnName() const override;

public Q_SLOTS:
    /// Asks again what belongs to the selection.
    void relate();
    void fitRun();
    /// What is selected, an action, bubble or span, with a little room around it.
    void fitCurrent();
    void zoomBack();
    /// Selects the span of what is outlined, or of all that is seen.
    void measure();
    /// So much time from there on, as near as can be; one step with those just before.
    void showTimes(double beginNs, double spanNs);
    /// Outlines it, brings it into what is seen and selects it for all views.
    void select(std::optional<pipescope::timeline::Spot> spot);

Q_SIGNALS:
    /// What a card says of what the pointer is on; empty when it is on nothing.
    void hovered(const QString &text);
    void coordinatesChanged();
    void currentChanged();
    void relatedChanged();
    void runsChanged();
    void themeChanged();

protected:
    bool viewportEvent(QEvent *event) override;
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
    enum class Drag { None, Measure, Zoom, Pan };

    [[nodiscard]] Scene scene() const;
    [[nodiscard]] Overlay overlay() const;
    [[nodiscard]] LaneGeometry geometryOf(QSizeF size, double scroll) const;
    /// A jump can be taken back; small steps count as one jump with those before them.
    enum class Move { Jump, SmallStep };
    void goTo(const Coordinates &coordinates, Move move);
    void setHovered(std::optional<Spot> spot);
    void setCurrent(std::optional<Spot> spot);
    /// Of the run of that row.
    void selectSpan(double oneNs, double otherNs, int row);
    /// Of what is selected elsewhere too.
    [[nodiscard]] std::optional<Spot> spotOf(const session::Selected &selected) const;
    void followSelection();
    void ensureSeen(Spot spot);
    void endDrag();
    bool walk(int key);
    bool moveBy(int key);
    bool stretchSpan(int key);
    bool stepOutward();
    void updateScrollBar();
    /// What is said at a point of a lane's memory; empty elsewhere.
    [[nodiscard]] QString memoryTextAt(const QPointF &point) const;
    [[nodiscard]] QString textAt(const QPointF &point) const;
    /// The time at a point; an edge of a slice where one is near.
    [[nodiscard]] double measuredAt(const QPointF &point) const;
    [[nodiscard]] double axisPixel(const QPointF &point) const;
    [[nodiscard]] double pointerPixel() const;

    session::Selection &m_selection;
    ShownRuns m_runs;
    Relate m_relate;
    RelatedSlices m_related;
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
    std::optional<std::pair<double, double>> m_measured; // by the drag under way
    TimelinePlot m_plot;
};

} // namespace pipescope::timeline

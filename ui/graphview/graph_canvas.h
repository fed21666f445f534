// The graph of a model as a picture to walk in: open and close modules, zoom, pan, search, select. Follows and sets the
// window's selection. Layout runs beside; until it is done the picture before it stays.
#pragma once

#include "graphview/canvas_chrome.h"
#include "graphview/layout_worker.h"
#include "session/selection.h"

#include <QWidget>

namespace pipescope::graphview {

class GraphCanvas : public QWidget
{
    Q_OBJECT

public:
    /// The selection must outlive the canvas.
    explicit GraphCanvas(session::Selection &selection, QWidget *parent = nullptr);

    /// Null clears. What is open is kept where the new graph has the same calls, as after profiling.
    void setGraph(std::shared_ptr<const graph::ModelGraph> graph);
    /// partition::Partition's stageOf; empty for none.
    void setStages(std::vector<StageId> stageOf);
    void setTheme(const style::Theme &theme);
    void setOverlay(Overlay overlay);
    [[nodiscard]] Overlay overlay() const { return m_look.overlay; }

    void setOpen(OpenBoxes open);
    [[nodiscard]] const OpenBoxes &open() const { return m_open; }
    void openEverything();
    void closeEverything() { setOpen({}); }
    void toggle(const BoxKey &key);

    /// Of the picture shown; null before the first.
    [[nodiscard]] const Picture *picture() const { return m_picture.get(); }
    [[nodiscard]] bool isLayingOut() const { return m_worker.busy(); }
    [[nodiscard]] const Viewport &viewport() const { return m_viewport; }
    void fit();
    void zoomBy(double factor);
    /// Opens what is around it and brings it into view.
    void showNode(NodeId node);

    /// The box that the keyboard is at; -1 for none.
    [[nodiscard]] int current() const { return m_look.current; }

    /// How many modules and nodes match the regular expression; -1 when it is none. "" ends the search.
    int search(const QString &pattern);
    void showNextMatch() { showMatch(1); }
    void showPreviousMatch() { showMatch(-1); }
    /// The one shown, from 0; -1 before the first.
    [[nodiscard]] int currentMatch() const { return m_match; }

    [[nodiscard]] QSize sizeHint() const override { return {800, 600}; }

Q_SIGNALS:
    void pictureChanged();
    void overlayChanged();
    void matchChanged();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    enum class Drag { None, Pressed, Pan, Map };

    void layOut();
    void take(std::shared_ptr<const Picture> picture);
    void placeAfter(const Picture *before);
    void restage();
    void remeasure();
    void followSelection();
    void markMatches();
    void showMatch(int step);
    void reveal(const BoxKey &key);
    void setCurrent(int box);
    void select(int box);
    void clickAt(QPointF screen);
    [[nodiscard]] int portAt(QPointF scene);
    void jump(const ScenePort &port);
    void hover(QPointF screen);
    void moved();
    void step(int by);
    void stepIn();
    void stepOut();
    bool viewKey(int key);
    bool walkKey(int key, Qt::KeyboardModifiers modifiers);
    bool escape();
    [[nodiscard]] QString describe(int box) const;

    session::Selection &m_selection;
    std::shared_ptr<const graph::ModelGraph> m_graph;
    OpenBoxes m_open;
    std::vector<StageId> m_stageOf;
    LayoutWorker m_worker;
    std::shared_ptr<const Picture> m_picture;
    std::vector<StageSpan> m_stages; // by box
    std::vector<StageBand> m_bands;  // by stage
    Viewport m_viewport;
    GraphFonts m_fonts;
    GraphPainter m_painter;
    Minimap m_minimap;
    Legend m_legend;
    Look m_look;
    BoxKey m_currentKey;              // of m_look.current, in whatever picture comes next
    std::optional<BoxKey> m_toReveal; // in the next picture
    std::optional<BoxKey> m_toHold;   // stays where it is on the screen
    std::vector<BoxKey> m_matches;
    std::set<int> m_matchBoxes;
    int m_match = -1;
    Drag m_drag = Drag::None;
    QPointF m_pressedAt;
    QPointF m_lastAt;
    bool m_selecting = false; // by this canvas
};

} // namespace pipescope::graphview

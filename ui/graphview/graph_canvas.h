// The graph of a model as a picture to walk in: open and close modules, zoom, pan, search, select. Follows and sets the
// window's selection. Layout runs beside; until it is done the picture before it stays.
#pragma once

#include "graphview/canvas_chrome.h"
#include "graphview/ground_cache.h"
#include "graphview/layout_worker.h"
#include "graphview/split_overlay.h"
#include "graphview/stage_bands.h"
#include "session/selection.h"
#include "widgets/drawable.h"

#include <QWidget>

class QMenu;

namespace pipescope::graphview {

class GraphCanvas : public QWidget, public widgets::Drawable
{
    Q_OBJECT

public:
    /// The selection must outlive the canvas.
    explicit GraphCanvas(session::Selection &selection, QWidget *parent = nullptr);

    /// Null clears. What is open, current, searched for and on its way into view is kept where the new graph is of the
    /// same program (graph/same_program.h), as after profiling; else all of that is forgotten with the graph before.
    void setGraph(std::shared_ptr<const graph::ModelGraph> graph);
    /// partition::Partition's stageOf; empty for none.
    void setStages(std::vector<StageId> stageOf);
    /// Where splits may be and are (ascending positions); null for a canvas where none can be made.
    void setSplits(std::shared_ptr<const session::SplitTable> table, std::vector<int> cuts);
    [[nodiscard]] const SplitOverlay &splits() const { return m_splits; }
    /// The line and card of a split at a position that the pointer is at in another view, or of one moved there, as
    /// high up as `y` on the canvas; -1 for none.
    void previewSplit(int position, int moved, double y);
    void setTheme(const style::Theme &theme);
    void setOverlay(Overlay overlay);
    [[nodiscard]] Overlay overlay() const { return m_look.overlay; }

    void setOpen(OpenBoxes open);
    [[nodiscard]] const OpenBoxes &open() const { return m_open; }
    void openEverything();
    void closeEverything() { setOpen({}); }
    void toggle(const BoxKey &key);
    /// Every operator by itself, without modules around.
    void setFlat(bool flat);
    [[nodiscard]] bool isFlat() const { return m_nesting == Nesting::Flat; }

    /// Of the picture shown; null before the first.
    [[nodiscard]] const Picture *picture() const { return m_picture.get(); }
    [[nodiscard]] bool isLayingOut() const { return m_worker.busy(); }
    [[nodiscard]] const Viewport &viewport() const { return m_viewport; }
    [[nodiscard]] const Minimap &minimap() const { return m_minimap; }
    void fit();
    void zoomBy(double factor);
    /// Opens what is around it and brings it into view.
    void showNode(NodeId node);

    /// The box that the keyboard is at; -1 for none.
    [[nodiscard]] int current() const { return m_look.current; }
    /// Name, what it is, stage and whether it is open, as screen readers say it.
    [[nodiscard]] QString describe(int box) const;
    /// All that is known of a box, a line each.
    [[nodiscard]] QString hoverText(int box) const;

    /// How many modules and nodes match the regular expression; -1 when it is none. "" ends the search. It is
    /// made anew on every graph that follows.
    int search(const QString &pattern);
    void showNextMatch() { showMatch(1); }
    void showPreviousMatch() { showMatch(-1); }
    /// The one shown, from 0; -1 before the first.
    [[nodiscard]] int currentMatch() const { return m_match; }
    [[nodiscard]] int matchCount() const { return static_cast<int>(m_matches.size()); }

    [[nodiscard]] QSizeF drawnSize() const override;
    void draw(QPainter &painter) const override;
    [[nodiscard]] QString drawnName() const override;

    [[nodiscard]] QSize sizeHint() const override { return {800, 600}; }

Q_SIGNALS:
    void pictureChanged();
    void overlayChanged();
    void matchChanged();
    /// What the user asks for; who owns the plan does it and calls setSplits() again.
    void splitPlaced(const QString &id);
    void splitMoved(const QString &from, const QString &to);
    void splitRemoved(const QString &id);
    /// The position that the pointer is at; -1 for none.
    void splitPreviewed(int position);

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
    void showEvent(QShowEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    enum class Drag { None, Pressed, Pan, Map, Split };

    void forgetGraph();
    void layOut();
    void take(std::shared_ptr<const Picture> picture);
    void placeAfter(const Picture *before);
    void showStart();
    /// Nobody has looked elsewhere yet.
    [[nodiscard]] bool seesStart() const;
    void paintGround(QPainter &painter);
    void repaintGround()
    {
        m_ground.reset();
        update();
    }
    void restage();
    void remeasure();
    void followSelection();
    /// Of what is selected: the innermost box shown that it is in; -1 for none.
    [[nodiscard]] int boxOfSelection() const;
    /// That or an action's; invalid for none, and while the model is one stage.
    [[nodiscard]] StageId selectedStage() const;
    /// Where it begins; -1 for none.
    [[nodiscard]] int firstBoxOfStage() const;
    void revealSelection();
    void searchAgain();
    void markMatches();
    void showMatch(int step);
    void reveal(const BoxKey &key);
    void setCurrent(int box);
    void select(int box);
    void clickAt(QPointF screen, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] int portAt(QPointF scene);
    [[nodiscard]] int edgeAt(QPointF screen) const;
    void jump(const ScenePort &port);
    void hover(QPointF screen);
    void moved();
    void step(int by);
    void stepIn();
    void stepOut();
    bool viewKey(int key);
    bool walkKey(int key, Qt::KeyboardModifiers modifiers);
    bool escape();
    void pressSplit(QPointF screen);
    bool startSplitDrag();
    void dragSplit(QPointF screen);
    void dropSplit();
    void abortDrag();
    bool clickSplit(QPointF screen, Qt::KeyboardModifiers modifiers);
    bool hoverSplit(QPointF screen);
    void showSplit(int position, std::optional<int> moved, QPointF beside);
    bool splitKey(int key, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] int selectedCut() const;
    void openInside(const BoxKey &key);
    void openMenu(QPoint at, int box, int position);
    void openCurrentMenu();
    [[nodiscard]] QString nameOf(int box) const;
    void addSplitTo(QMenu &menu, int position);
    void addBoxTo(QMenu &menu, int box);

    session::Selection &m_selection;
    std::shared_ptr<const graph::ModelGraph> m_graph;
    OpenBoxes m_open;
    Nesting m_nesting = Nesting::Modules;
    std::vector<StageId> m_stageOf;
    LayoutWorker m_worker;
    std::shared_ptr<const Picture> m_picture;
    std::vector<StageSpan> m_stages;  // by box
    std::vector<StageBand> m_bands;   // by stage
    std::vector<StageTitle> m_titles; // by stage
    Viewport m_viewport;
    Viewport m_start; // as showStart() left it
    GraphFonts m_fonts;
    GraphPainter m_painter;
    GroundCache m_ground;
    Minimap m_minimap;
    Legend m_legend;
    SplitOverlay m_splits;
    Look m_look;
    BoxKey m_currentKey;              // of m_look.current, in whatever picture comes next
    std::optional<BoxKey> m_toReveal; // in the next picture
    std::optional<BoxKey> m_toHold;   // stays where it is on the screen
    QString m_pattern;                // that was searched for
    std::vector<BoxKey> m_matches;
    std::set<int> m_matchBoxes;
    int m_match = -1;
    Drag m_drag = Drag::None;
    int m_pressedCut = -1;   // position of the split that was pressed
    int m_pressedPlace = -1; // of the edge, where a split may be drawn from
    QPointF m_pressedAt;
    QPointF m_lastAt;
    bool m_selecting = false;  // by this canvas
    bool m_mustReveal = false; // what was selected while the canvas was hidden
};

} // namespace pipescope::graphview

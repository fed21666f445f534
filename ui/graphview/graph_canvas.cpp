#include "graphview/graph_canvas.h"

#include "graph/same_program.h"
#include "graphview/canvas_accessible.h"
#include "graphview/start_open.h"
#include "graphview/start_view.h"
#include "widgets/export_actions.h"

#include <QMenu>
#include <algorithm>

namespace pipescope::graphview {

GraphCanvas::GraphCanvas(session::Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_fonts(font())
    , m_painter(m_fonts)
    , m_splits(m_fonts)
{
    installCanvasAccessibility(); // before anybody asks for the interface
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Model graph"));
    widgets::addDrawingActions(*this, *this);
    setContextMenuPolicy(Qt::DefaultContextMenu); // they are part of a menu of its own
    m_look.theme = &style::Theme::dark();
    m_look.stages = &m_stages;
    m_look.matches = &m_matchBoxes;
    connect(&m_worker, &LayoutWorker::finished, this, &GraphCanvas::take);
    connect(&m_selection, &session::Selection::changed, this, &GraphCanvas::followSelection);
}

void GraphCanvas::setGraph(std::shared_ptr<const graph::ModelGraph> graph)
{
    if (!graph || !m_graph || !graph::isSameProgram(*graph, *m_graph)) {
        forgetGraph();
        m_open = graph ? startOpen(*graph) : OpenBoxes();
    }
    m_graph = std::move(graph);
    searchAgain();
    if (m_graph)
        layOut();
}

/// All that is kept by a node, a call, a value, a position or a box: in another graph it would be another one.
void GraphCanvas::forgetGraph()
{
    if (auto *menu = findChild<QMenu *>(QStringLiteral("graphMenu")))
        menu->close(); // it is about boxes that are gone
    abortDrag();
    m_toReveal.reset();
    m_toHold.reset();
    m_currentKey = {};
    m_open.clear();
    m_stageOf.clear();
    m_splits.set(nullptr, {});
    m_splits.setScene(nullptr);
    m_titles.clear();
    m_look.cut = -1;
    m_look.crossing = nullptr;
    m_look.current = m_look.hovered = -1;
    m_look.value = {};
    m_look.stage = {};
    m_matches.clear();
    m_match = -1;
    m_matchBoxes.clear();
    m_picture.reset();
    m_stages.clear();
    m_bands.clear();
    m_minimap.reset();
    m_ground.reset();
    announceBoxes(*this);
    update();
}

void GraphCanvas::setFlat(bool flat)
{
    if (flat == isFlat())
        return;
    m_nesting = flat ? Nesting::Flat : Nesting::Modules;
    if (m_graph)
        layOut();
}

void GraphCanvas::setStages(std::vector<StageId> stageOf)
{
    m_stageOf = std::move(stageOf);
    m_titles = m_graph && m_stageOf.size() == m_graph->order.size() ? stageTitles(*m_graph, m_stageOf)
                                                                    : std::vector<StageTitle>();
    restage();
}

void GraphCanvas::setTheme(const style::Theme &theme)
{
    m_look.theme = &theme;
    m_minimap.reset();
    m_ground.reset();
    update();
}

void GraphCanvas::setOverlay(Overlay overlay)
{
    if (overlay == m_look.overlay)
        return;
    m_look.overlay = overlay;
    remeasure();
    repaintGround();
    Q_EMIT overlayChanged();
}

void GraphCanvas::setOpen(OpenBoxes open)
{
    if (open == m_open || !m_graph)
        return;
    m_open = std::move(open);
    layOut();
}

void GraphCanvas::openEverything()
{
    if (m_graph)
        setOpen(everythingOpen(*m_graph));
}

void GraphCanvas::toggle(const BoxKey &key)
{
    OpenBoxes open = m_open;
    if (open.erase(key) == 0)
        open.insert(key);
    m_toHold = key;
    setOpen(std::move(open));
}

void GraphCanvas::layOut()
{
    m_worker.request(m_graph, m_open, m_nesting, m_fonts.widths());
}

void GraphCanvas::take(std::shared_ptr<const Picture> picture)
{
    if (picture->graph != m_graph) // cleared, or another model, in the meantime
        return;
    const std::shared_ptr<const Picture> before = std::exchange(m_picture, std::move(picture));
    m_look.hovered = -1;
    m_splits.setScene(&m_picture->scene);
    showSplit(-1, {}, {});
    restage();
    remeasure();
    markMatches();
    placeAfter(before.get());
    // What was current may be inside a closed box now: then that one is.
    m_look.current = before && m_look.current >= 0 ? m_picture->find(m_currentKey) : -1;
    if (m_look.current < 0)
        followSelection();
    if (m_toReveal)
        reveal(*std::exchange(m_toReveal, std::nullopt));
    announceBoxes(*this);
    repaintGround();
    Q_EMIT pictureChanged();
}

// Opening a box must not make the world jump: its corner, or else what is in the middle, stays where it is.
void GraphCanvas::placeAfter(const Picture *before)
{
    const std::optional<BoxKey> hold = std::exchange(m_toHold, std::nullopt);
    if (!before || (!hold && seesStart())) {
        showStart();
        return;
    }
    const auto keep = [&](const BoxKey &key) {
        const int was = before->find(key);
        const int is = m_picture->find(key);
        if (was <= 0 || is <= 0)
            return false;
        m_viewport.hold(m_picture->scene.rects[static_cast<std::size_t>(is)].topLeft(),
                        m_viewport.toScreen(before->scene.rects[static_cast<std::size_t>(was)].topLeft()));
        return true;
    };
    if (hold && keep(*hold))
        return;
    int middle = before->index.boxAt(before->scene, m_viewport.visible().center());
    for (; middle > 0; middle = before->scene.tree.boxes[static_cast<std::size_t>(middle)].parent) {
        if (keep(before->scene.tree.boxes[static_cast<std::size_t>(middle)].key))
            return;
    }
}

// The beginning of the program is where reading begins, also where a wide picture has it at the side.
void GraphCanvas::showStart()
{
    m_minimap.resetCorner();
    m_viewport.setCovered(m_minimap.place(m_viewport));
    m_viewport.showStart(m_picture->scene.bounds);
    const GraphScene &scene = m_picture->scene;
    if (scene.rects.size() > 1 && scene.bounds.width() > m_viewport.columnsSeen(SplitOverlay::PillMargin)) {
        const double columns = m_viewport.columnsClear(SplitOverlay::PillMargin);
        std::vector<QRectF> seen; // what a move to either side could show
        for (std::size_t i = 1; i < scene.rects.size(); ++i) {
            if (scene.tree.boxes[i].group < 0 && scene.rects[i].bottom() < m_viewport.visible().bottom())
                seen.push_back(scene.rects[i]);
        }
        m_viewport.beginAt(fullestColumns(seen, scene.rects[1], columns), SplitOverlay::PillMargin);
    }
    m_minimap.chooseCorner(*m_picture, m_viewport);
    m_viewport.setCovered(m_minimap.place(m_viewport));
    m_start = m_viewport;
}

bool GraphCanvas::seesStart() const
{
    return m_viewport.origin() == m_start.origin() && m_viewport.zoom() == m_start.zoom();
}

void GraphCanvas::restage()
{
    if (m_picture) {
        m_stages = stagesOf(*m_graph, m_picture->scene.tree, m_stageOf);
        m_bands = stageBands(m_picture->scene, m_stages);
        m_look.stage = selectedStage();
    }
    m_minimap.reset();
    m_ground.reset();
    update();
}

void GraphCanvas::remeasure()
{
    m_look.largest = 0;
    if (!m_picture)
        return;
    for (std::size_t i = 1; i < m_picture->costs.size(); ++i) {
        if (m_picture->scene.tree.boxes[i].group < 0)
            m_look.largest = std::max(m_look.largest, amount(m_picture->costs[i], m_look.overlay).value_or(0));
    }
}

void GraphCanvas::fit()
{
    if (m_picture)
        m_viewport.fit(m_picture->scene.bounds);
    update();
}

void GraphCanvas::zoomBy(double factor)
{
    m_viewport.zoomAt({m_viewport.size().width() / 2, m_viewport.size().height() / 2}, factor);
    update();
}

QString GraphCanvas::describe(int box) const
{
    const Box &of = m_picture->scene.tree.boxes[static_cast<std::size_t>(box)];
    QString text = QString::fromStdString(of.title);
    if (!of.detail.empty())
        text += QStringLiteral(", ") + QString::fromStdString(of.detail);
    if (const StageSpan &span = m_stages[static_cast<std::size_t>(box)]; span.first.valid()) {
        text += span.first == span.last ? tr(", stage %1").arg(span.first.value)
                                        : tr(", stages %1 to %2").arg(span.first.value).arg(span.last.value);
    }
    if (const int inside = m_splits.countInside(box); inside > 0)
        text += inside == 1 ? tr(", a split inside") : tr(", %1 splits inside").arg(inside);
    if (of.canOpen)
        text += of.group >= 0 ? tr(", open") : tr(", closed");
    return text;
}

} // namespace pipescope::graphview

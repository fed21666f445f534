#include "graphview/graph_canvas.h"

#include "graphview/canvas_accessible.h"
#include "graphview/graph_search.h"
#include "graphview/start_open.h"

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
    m_look.theme = &style::Theme::dark();
    m_look.stages = &m_stages;
    m_look.matches = &m_matchBoxes;
    connect(&m_worker, &LayoutWorker::finished, this, &GraphCanvas::take);
    connect(&m_selection, &session::Selection::changed, this, &GraphCanvas::followSelection);
}

void GraphCanvas::setGraph(std::shared_ptr<const graph::ModelGraph> graph)
{
    if (!graph || !m_graph || graph->calls != m_graph->calls || graph->nodes.size() != m_graph->nodes.size()) {
        m_open = graph ? startOpen(*graph) : OpenBoxes();
        m_stageOf.clear();
        m_splits.set(nullptr, {});
        m_splits.setScene(nullptr);
        m_titles.clear();
        m_look.cut = -1;
        m_look.crossing = nullptr;
        m_matches.clear();
        m_match = -1;
        m_picture.reset();
        m_stages.clear();
        m_bands.clear();
        m_matchBoxes.clear();
        m_look.current = m_look.hovered = -1;
        m_minimap.reset();
        m_ground.reset();
        announceBoxes(*this);
        update();
    }
    m_graph = std::move(graph);
    if (m_graph)
        layOut();
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
    if (!before) {
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
    m_viewport.showStart(m_picture->scene.bounds);
    if (m_picture->scene.rects.size() > 1)
        m_viewport.reveal(m_picture->scene.rects[1]);
    m_start = m_viewport;
}

void GraphCanvas::restage()
{
    if (m_picture) {
        m_stages = stagesOf(*m_graph, m_picture->scene.tree, m_stageOf);
        m_bands = stageBands(m_picture->scene, m_stages);
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
    m_viewport.zoomAt({width() / 2.0, height() / 2.0}, factor);
    update();
}

void GraphCanvas::showNode(NodeId node)
{
    if (!m_graph || !node.valid())
        return;
    reveal({m_graph->node(node).children.empty() ? BoxKind::Node : BoxKind::Block, node.value});
}

// Now, or when the modules around it are open.
void GraphCanvas::reveal(const BoxKey &key)
{
    const int box = m_picture ? m_picture->find(key) : -1;
    if (box >= 0) {
        m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(box)]);
        select(box);
        return;
    }
    const NodeId node = key.kind == BoxKind::Module
                            ? m_graph->at(m_graph->calls[static_cast<std::size_t>(key.index)].begin).id
                            : NodeId{key.index};
    OpenBoxes open = m_open;
    OpenBoxes around = aroundNode(*m_graph, node);
    if (key.kind == BoxKind::Module) // those outside of it begin earlier in the list of calls
        std::erase_if(around, [&](const BoxKey &each) { return each >= key; });
    open.merge(around);
    if (open == m_open && !m_worker.busy())
        return;
    m_toReveal = key;
    setOpen(std::move(open));
}

void GraphCanvas::followSelection()
{
    if (m_selecting || !m_picture)
        return;
    const session::Selected &selected = m_selection.current();
    m_look.value = selected.value;
    m_ground.reset();
    int box = -1;
    if (selected.node.valid() && selected.node.index() < m_graph->nodes.size())
        box = m_picture->scene.tree.boxOfNode[selected.node.index()];
    else if (selected.value.valid() && selected.value.index() < m_graph->values.size())
        box = m_picture->sourceOf(selected.value);
    setCurrent(box);
    if (box > 0 && isVisible())
        m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(box)]);
    if (const SplitPlace *place = placeOf(m_splits.places(), selectedCut()); place && isVisible())
        m_viewport.reveal(QRectF(place->left, place->y() - 20, place->right - place->left, 40));
    update();
}

void GraphCanvas::setCurrent(int box)
{
    m_look.current = box;
    m_currentKey = box >= 0 ? m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].key : BoxKey{};
    setAccessibleDescription(box >= 0 ? describe(box) : QString());
    announceCurrent(*this);
    repaintGround();
}

void GraphCanvas::select(int box)
{
    setCurrent(box);
    const Box &chosen = m_picture->scene.tree.boxes[static_cast<std::size_t>(box)];
    m_look.value = chosen.value;
    m_selecting = true; // or a module's box would give way to that of its first node
    if (chosen.value.valid())
        m_selection.selectValue(chosen.value);
    else
        m_selection.selectNode(chosen.node);
    m_selecting = false;
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
    if (of.canOpen)
        text += of.group >= 0 ? tr(", open") : tr(", closed");
    return text;
}

int GraphCanvas::search(const QString &pattern)
{
    const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
    m_match = -1;
    m_matches = m_graph ? searchGraph(*m_graph, expression) : std::vector<BoxKey>();
    markMatches();
    repaintGround();
    Q_EMIT matchChanged();
    return expression.isValid() ? static_cast<int>(m_matches.size()) : -1;
}

// Those without a box of their own are marked by the box that they are in.
void GraphCanvas::markMatches()
{
    m_matchBoxes.clear();
    if (!m_picture || m_matches.empty())
        return;
    const std::set<BoxKey> wanted(m_matches.begin(), m_matches.end());
    const BoxTree &tree = m_picture->scene.tree;
    for (std::size_t i = 0; i < tree.boxes.size(); ++i) {
        if (wanted.contains(tree.boxes[i].key))
            m_matchBoxes.insert(static_cast<int>(i));
    }
    for (const BoxKey &key : m_matches) {
        const int box = key.kind == BoxKind::Module ? 0 : tree.boxOfNode[static_cast<std::size_t>(key.index)];
        if (box > 0 && tree.boxes[static_cast<std::size_t>(box)].group < 0)
            m_matchBoxes.insert(box);
    }
}

void GraphCanvas::showMatch(int step)
{
    if (m_matches.empty())
        return;
    const int count = static_cast<int>(m_matches.size());
    m_match = m_match < 0 ? (step > 0 ? 0 : count - 1) : (m_match + step + count) % count;
    reveal(m_matches[static_cast<std::size_t>(m_match)]);
    Q_EMIT matchChanged();
}

// From afar the graph is many small things: panning moves what was drawn before and draws the borders that came into
// sight. Not so near that values are written beside their edges, as where depends on all that is seen.
void GraphCanvas::paintGround(QPainter &painter)
{
    constexpr double lines = 4;   // their width reaches out of an edge's bounds
    constexpr double texts = 120; // those of ports reach out of their boxes
    const double zoom = m_viewport.zoom();
    if (zoom >= detail::Shapes)
        m_painter.paint(painter, *m_picture, m_viewport, m_look);
    else
        m_ground.paint(
            painter, m_viewport, zoom < detail::Text ? lines : texts,
            [this](QPainter &inside, const Viewport &part) { m_painter.paint(inside, *m_picture, part, m_look); });
}

QSizeF GraphCanvas::drawnSize() const
{
    return m_picture ? m_picture->scene.bounds.size() : QSizeF();
}

void GraphCanvas::draw(QPainter &painter) const
{
    if (!m_picture)
        return;
    Look look = m_look;
    look.current = look.hovered = look.cut = -1;
    look.value = {};
    look.crossing = nullptr;
    look.matches = nullptr;
    Viewport whole;
    whole.setSize(drawnSize());
    whole.hold(m_picture->scene.bounds.topLeft(), {0, 0});
    painter.fillRect(QRectF({0, 0}, drawnSize()), look.theme->colour(style::Token::Canvas));
    painter.setRenderHint(QPainter::Antialiasing);
    GraphPainter graphPainter(m_fonts);
    SplitOverlay splits = m_splits;
    splits.hide();
    paintStageBands(painter, whole, look, m_bands);
    graphPainter.paint(painter, *m_picture, whole, look);
    splits.paintLines(painter, whole, look, -1);
    paintStageTitles(painter, graphPainter.texts(), *m_picture, whole, look, m_bands, m_titles);
    splits.paintPills(painter, graphPainter.texts(), *m_picture, whole, look, -1);
}

QString GraphCanvas::drawnName() const
{
    const std::string name = m_graph ? m_graph->modelClass : std::string();
    return name.empty() ? QStringLiteral("graph") : QString::fromStdString(name).toLower() + QStringLiteral("-graph");
}

void GraphCanvas::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_look.theme->colour(style::Token::Canvas));
    if (!m_picture) {
        painter.setPen(m_look.theme->colour(style::Token::Dim));
        painter.drawText(rect(), Qt::AlignCenter, m_graph ? tr("Laying out the graph") : tr("No model is open"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintStageBands(painter, m_viewport, m_look, m_bands);
    paintGround(painter);
    m_splits.paintLines(painter, m_viewport, m_look, selectedCut());
    paintStageTitles(painter, m_painter.texts(), *m_picture, m_viewport, m_look, m_bands, m_titles);
    m_splits.paintPills(painter, m_painter.texts(), *m_picture, m_viewport, m_look, selectedCut());
    m_legend.paint(painter, m_painter.texts(), m_viewport, m_look, static_cast<int>(m_bands.size()));
    m_minimap.paint(painter, *m_picture, m_viewport, m_look);
    m_splits.paintCard(painter, m_painter.texts(), m_viewport, m_look);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(m_look.theme->colour(style::Token::Accent));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace pipescope::graphview

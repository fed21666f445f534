#include "graphview/canvas_accessible.h"

#include "graphview/graph_canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <unordered_map>

namespace pipescope::graphview {

namespace {

class CanvasInterface;

// One box of the picture that the canvas shows. Lives until the picture is another.
class BoxInterface : public QAccessibleInterface
{
public:
    BoxInterface(CanvasInterface &canvas, int box)
        : m_canvas(canvas)
        , m_box(box)
    {
    }

    [[nodiscard]] bool isValid() const override;
    [[nodiscard]] QObject *object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface *parent() const override;
    [[nodiscard]] QAccessibleInterface *child(int /*index*/) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface *childAt(int /*x*/, int /*y*/) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface * /*child*/) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text /*kind*/, const QString & /*text*/) override {}
    [[nodiscard]] QRect rect() const override;
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QAccessible::State state() const override;

    [[nodiscard]] int box() const { return m_box; }

private:
    CanvasInterface &m_canvas;
    int m_box;
};

class CanvasInterface : public QAccessibleWidget
{
public:
    explicit CanvasInterface(GraphCanvas *canvas)
        : QAccessibleWidget(canvas, QAccessible::List)
    {
    }
    ~CanvasInterface() override { forget(); }
    CanvasInterface(const CanvasInterface &) = delete;
    CanvasInterface &operator=(const CanvasInterface &) = delete;
    CanvasInterface(CanvasInterface &&) = delete;
    CanvasInterface &operator=(CanvasInterface &&) = delete;

    [[nodiscard]] GraphCanvas *canvas() const { return static_cast<GraphCanvas *>(object()); }
    [[nodiscard]] int boxes() const
    {
        return canvas() && canvas()->picture() ? static_cast<int>(canvas()->picture()->scene.rects.size()) : 0;
    }
    // The model's own box is the canvas.
    [[nodiscard]] int childCount() const override { return std::max(0, boxes() - 1); }
    [[nodiscard]] QAccessibleInterface *child(int index) const override { return ofBox(index + 1); }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface *child) const override
    {
        const auto *box = dynamic_cast<const BoxInterface *>(child);
        return box ? box->box() - 1 : -1;
    }
    [[nodiscard]] QAccessibleInterface *focusChild() const override
    {
        return canvas() && canvas()->hasFocus() ? ofBox(canvas()->current()) : nullptr;
    }
    [[nodiscard]] QAccessibleInterface *childAt(int x, int y) const override
    {
        if (!canvas() || !canvas()->picture())
            return nullptr;
        const QPointF scene = canvas()->viewport().toScene(canvas()->mapFromGlobal(QPoint(x, y)));
        return ofBox(canvas()->picture()->index.boxAt(canvas()->picture()->scene, scene));
    }
    [[nodiscard]] QAccessibleInterface *ofBox(int box) const
    {
        if (box < 1 || box >= boxes())
            return nullptr;
        const auto found = m_ids.find(box);
        if (found != m_ids.end())
            return QAccessible::accessibleInterface(found->second);
        auto *made = new BoxInterface(const_cast<CanvasInterface &>(*this), box); // Qt's cache owns it
        m_ids.emplace(box, QAccessible::registerAccessibleInterface(made));
        return made;
    }
    void forget()
    {
        for (const auto &[box, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
        m_ids.clear();
    }

private:
    mutable std::unordered_map<int, QAccessible::Id> m_ids; // by box, of those asked for
};

bool BoxInterface::isValid() const
{
    return m_canvas.canvas() && m_box < m_canvas.boxes();
}

QAccessibleInterface *BoxInterface::parent() const
{
    return &m_canvas;
}

QString BoxInterface::text(QAccessible::Text kind) const
{
    if (!isValid())
        return {};
    if (kind == QAccessible::Name)
        return m_canvas.canvas()->describe(m_box);
    return kind == QAccessible::Description ? m_canvas.canvas()->hoverText(m_box) : QString();
}

QRect BoxInterface::rect() const
{
    if (!isValid())
        return {};
    const GraphCanvas &canvas = *m_canvas.canvas();
    const QRectF &scene = canvas.picture()->scene.rects[static_cast<std::size_t>(m_box)];
    const QRect seen = canvas.viewport().toScreen(scene).toAlignedRect();
    return {canvas.mapToGlobal(seen.topLeft()), seen.size()};
}

QAccessible::State BoxInterface::state() const
{
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const GraphCanvas &canvas = *m_canvas.canvas();
    const Box &box = canvas.picture()->scene.tree.boxes[static_cast<std::size_t>(m_box)];
    state.selectable = true;
    state.focusable = true;
    state.selected = canvas.current() == m_box;
    state.focused = state.selected && canvas.hasFocus();
    state.expandable = box.canOpen;
    state.expanded = box.canOpen && box.group >= 0;
    state.collapsed = box.canOpen && box.group < 0;
    state.offscreen =
        !QRectF({0, 0}, canvas.viewport().size())
             .intersects(canvas.viewport().toScreen(canvas.picture()->scene.rects[static_cast<std::size_t>(m_box)]));
    return state;
}

QAccessibleInterface *makeInterface(const QString &className, QObject *object)
{
    auto *canvas = className == QLatin1String(GraphCanvas::staticMetaObject.className())
                       ? qobject_cast<GraphCanvas *>(object)
                       : nullptr;
    return canvas ? new CanvasInterface(canvas) : nullptr;
}

} // namespace

void installCanvasAccessibility()
{
    static const bool once = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    static_cast<void>(once);
}

void announceCurrent(GraphCanvas &canvas)
{
    if (!QAccessible::isActive() || canvas.current() < 1 || !canvas.hasFocus())
        return;
    QAccessibleEvent focus(&canvas, QAccessible::Focus);
    focus.setChild(canvas.current() - 1);
    QAccessible::updateAccessibility(&focus);
}

void announceBoxes(GraphCanvas &canvas)
{
    if (!QAccessible::isActive())
        return;
    if (auto *canvasInterface = dynamic_cast<CanvasInterface *>(QAccessible::queryAccessibleInterface(&canvas)))
        canvasInterface->forget();
    QAccessibleEvent changed(&canvas, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&changed);
}

} // namespace pipescope::graphview

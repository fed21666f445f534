// The canvas's context menu: what can be done with the box or the split it was asked for at.
#include "graphview/graph_canvas.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

namespace pipescope::graphview {

namespace {

/// What is longer is cut in the menu and whole in the tool tip.
constexpr qsizetype LongestReason = 90;

template <class Do>
QAction *add(QMenu &menu, const char *name, const QString &text, const Do &action)
{
    QAction *made = menu.addAction(text, action);
    made->setObjectName(name);
    return made;
}

QString shortened(const QString &text)
{
    return text.size() <= LongestReason ? text : text.left(LongestReason - 1) + QChar(u'…');
}

} // namespace

void GraphCanvas::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
    const QPointF at = event->pos();
    if (!isMouse || !m_picture) {
        openCurrentMenu();
        return;
    }
    if (const int cut = m_splits.lineAt(m_viewport, at); cut >= 0) {
        m_selection.select(session::SelectedCut{cut});
        openMenu(event->globalPos(), -1, cut);
        return;
    }
    const bool isBeside = Legend::place(m_viewport).contains(at) || m_minimap.place(m_viewport).contains(at);
    const int box = isBeside ? -1 : m_picture->index.boxAt(m_picture->scene, m_viewport.toScene(at));
    if (box > 0)
        select(box);
    openMenu(event->globalPos(), box, -1);
}

// For the keyboard: of the split that is selected, else of the box that it is at, where that is seen.
void GraphCanvas::openCurrentMenu()
{
    const int cut = m_picture ? selectedCut() : -1;
    QRect place = rect();
    if (m_picture && cut < 0 && m_look.current > 0)
        place &= m_viewport.toScreen(m_picture->scene.rects[static_cast<std::size_t>(m_look.current)]).toAlignedRect();
    else if (cut >= 0)
        place &= m_splits.pillOf(m_viewport, cut).toAlignedRect();
    openMenu(mapToGlobal((place.isEmpty() ? rect() : place).center()), cut < 0 ? m_look.current : -1, cut);
}

void GraphCanvas::openMenu(QPoint at, int box, int position)
{
    auto *menu = new QMenu(this);
    menu->setObjectName("graphMenu");
    menu->setAccessibleName(tr("Graph"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // why something cannot be done
    if (position >= 0)
        addSplitTo(*menu, position);
    else if (box > 0)
        addBoxTo(*menu, box);
    if (!menu->isEmpty())
        menu->addSeparator();
    if (m_picture) {
        if (box <= 0 && position < 0) {
            add(*menu, "openAll", tr("Open &all modules"), [this] { openEverything(); });
            add(*menu, "closeAll", tr("&Close all modules"), [this] { closeEverything(); });
        }
        add(*menu, "fit", tr("&Fit all of the model") + QStringLiteral("\tF"), [this] { fit(); });
        menu->addSeparator();
    }
    for (QAction *action : actions()) // to export it
        menu->addAction(action);
    menu->popup(at);
}

void GraphCanvas::addSplitTo(QMenu &menu, int position)
{
    if (m_splits.isCut(position)) {
        add(menu, "removeSplit", tr("&Remove split"),
            [this, id = m_splits.idOf(position)] { Q_EMIT splitRemoved(id); });
        return;
    }
    const partition::SplitPoint *point = m_splits.table() ? m_splits.table()->at(position) : nullptr;
    const bool isLegal = point != nullptr && point->cut.legal;
    const QString reason = point                               ? QString::fromStdString(point->cut.reason)
                           : m_splits.table() && position == 0 ? tr("the model begins here")
                                                               : tr("no split can be made here");
    const QString text = isLegal ? tr("&Split before this") + QStringLiteral("\tS")
                                 : tr("Split before this: %1").arg(shortened(reason).replace('&', "&&"));
    QAction *split = add(menu, "split", text, [this, id = m_splits.idOf(position)] { Q_EMIT splitPlaced(id); });
    split->setEnabled(isLegal);
    split->setToolTip(QStringLiteral("<p>%1</p>").arg(isLegal ? tr("Begin a stage here") : reason.toHtmlEscaped()));
}

void GraphCanvas::addBoxTo(QMenu &menu, int box)
{
    const std::vector<Box> &boxes = m_picture->scene.tree.boxes;
    const Box &of = boxes[static_cast<std::size_t>(box)];
    if (of.begin < of.end) {
        addSplitTo(menu, of.begin);
        menu.addSeparator();
    }
    const bool isModule = of.key.kind == BoxKind::Module;
    if (of.canOpen) {
        add(menu, "toggle", of.group >= 0 ? tr("&Close") : tr("&Open"), [this, key = of.key] { toggle(key); });
        add(menu, "openInside", tr("Open &all inside"), [this, key = of.key] { openInside(key); });
    }
    int around = of.parent;
    while (around > 0 && boxes[static_cast<std::size_t>(around)].key.kind != BoxKind::Module)
        around = boxes[static_cast<std::size_t>(around)].parent;
    QAction *module = add(menu, "selectModule", isModule ? tr("Select the &module around") : tr("Select its &module"),
                          [this, key = boxes[static_cast<std::size_t>(around)].key] { reveal(key); });
    module->setEnabled(around > 0);
    module->setToolTip(around > 0 ? QString::fromStdString(boxes[static_cast<std::size_t>(around)].title)
                                  : tr("It is part of the model itself"));
    add(menu, "copyName", tr("Copy &name"), [name = nameOf(box)] { QApplication::clipboard()->setText(name); });
}

// As --split and the search take it: FQN of a module, name of a node or value.
QString GraphCanvas::nameOf(int box) const
{
    const Box &of = m_picture->scene.tree.boxes[static_cast<std::size_t>(box)];
    if (of.key.kind == BoxKind::Module && of.key.index >= 0 && of.key.index < std::ssize(m_graph->calls))
        return QString::fromStdString(m_graph->calls[static_cast<std::size_t>(of.key.index)].fqn);
    return QString::fromStdString(of.value.valid()  ? m_graph->value(of.value).name
                                  : of.node.valid() ? m_graph->node(of.node).name
                                                    : of.title);
}

void GraphCanvas::openInside(const BoxKey &key)
{
    if (!m_graph)
        return;
    OpenBoxes open = m_open;
    open.merge(everythingInside(*m_graph, key));
    m_toHold = key;
    setOpen(std::move(open));
}

} // namespace pipescope::graphview

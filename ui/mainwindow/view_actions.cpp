// The rows about what is seen: perspectives, the canvases, layouts of docks.

#include "graphview/graph_canvas.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/window_actions.h"
#include "timeline/timeline_view.h"

#include <QCoreApplication>
#include <QInputDialog>

namespace pipescope::mainwindow {

using actions::MenuId;

void WindowActions::addPerspectives()
{
    int key = Qt::Key_1;
    for (const PerspectiveRow &row : perspectives())
        m_table.add({.id = row.action,
                     .text = QCoreApplication::translate("Perspectives", row.text),
                     .menu = MenuId::View,
                     .keys = {QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key++))},
                     .hint = QCoreApplication::translate("Perspectives", row.hint),
                     .done =
                         [this, &row] {
                             m_to.show(row.perspective);
                             // Its keys are wanted next.
                             row.focus({m_to.graph, m_to.timeline, m_to.shards}).setFocus(Qt::ShortcutFocusReason);
                         },
                     .isChecked = [this, &row] { return m_to.docks.perspective() == row.perspective; }});
}

void WindowActions::addGraphView()
{
    const auto noGraph = [this] { return m_to.workspace.document.model() ? QString() : tr("No model is open."); };
    m_table.add({.id = "zoomIn",
                 .text = tr("Zoom &in"),
                 .menu = MenuId::View,
                 .begins = true,
                 .keys = {QKeySequence::ZoomIn},
                 .done = [this] { m_to.graph.canvas().zoomBy(1.25); },
                 .whyNot = noGraph});
    m_table.add({.id = "zoomOut",
                 .text = tr("Zoom &out"),
                 .menu = MenuId::View,
                 .keys = {QKeySequence::ZoomOut},
                 .done = [this] { m_to.graph.canvas().zoomBy(0.8); },
                 .whyNot = noGraph});
    m_table.add({.id = "fitGraph",
                 .text = tr("&Fit the graph"),
                 .menu = MenuId::View,
                 .icon = "fit",
                 .done = [this] { m_to.graph.canvas().fit(); },
                 .whyNot = noGraph});
    m_table.add({.id = "openModules",
                 .text = tr("Open &all modules"),
                 .menu = MenuId::View,
                 .done = [this] { m_to.graph.canvas().openEverything(); },
                 .whyNot = noGraph});
    m_table.add({.id = "closeModules",
                 .text = tr("&Close all modules"),
                 .menu = MenuId::View,
                 .done = [this] { m_to.graph.canvas().closeEverything(); },
                 .whyNot = noGraph});
}

void WindowActions::addTimelineView()
{
    const auto noTimeline = [this] {
        return m_to.timeline.view().model() ? QString() : tr("There is no run and no trace yet.");
    };
    m_table.add({.id = "fitTimeline",
                 .text = tr("Fit t&he run"),
                 .menu = MenuId::View,
                 .begins = true,
                 .done = [this] { m_to.timeline.view().fitRun(); },
                 .whyNot = noTimeline});
    m_table.add({.id = "zoomBack",
                 .text = tr("Zoom &back"),
                 .menu = MenuId::View,
                 .hint = tr("To what the timeline showed before"),
                 .done = [this] { m_to.timeline.view().zoomBack(); },
                 .whyNot = noTimeline});
}

void WindowActions::addSelection()
{
    m_table.add({.id = "clearSelection",
                 .text = tr("Select &nothing"),
                 .menu = MenuId::View,
                 .begins = true,
                 .done = [this] { m_to.workspace.selection.clear(); },
                 .whyNot =
                     [this] {
                         return m_to.workspace.selection.current() == session::Selected() ? tr("Nothing is selected.")
                                                                                          : QString();
                     }});
}

void WindowActions::addLayouts()
{
    const auto noDocks = [this] { return m_to.docks.whyNoLayout(); };
    const auto noLayout = [this] {
        return m_to.docks.layouts().isEmpty() ? tr("No layout was saved under a name.") : QString();
    };
    const auto noneToRestore = [noDocks, noLayout] {
        const QString why = noDocks();
        return why.isEmpty() ? noLayout() : why;
    };
    const auto ask = [this](const QString &title) {
        bool isChosen = false;
        const QString name =
            QInputDialog::getItem(&m_to.window, title, tr("Layout"), m_to.docks.layouts(), 0, false, &isChosen);
        return isChosen ? name : QString();
    };
    m_table.add({.id = "resetLayout",
                 .text = tr("&Reset layout"),
                 .menu = MenuId::Layout,
                 .hint = tr("Docks as they were at first"),
                 .done = [this] { m_to.docks.reset(); },
                 .whyNot = noDocks});
    m_table.add({.id = "saveLayout",
                 .text = tr("&Save layout as..."),
                 .menu = MenuId::Layout,
                 .begins = true,
                 .hint = tr("Keep where docks stand under a name"),
                 .done =
                     [this] {
                         const QString name = QInputDialog::getText(&m_to.window, tr("Save layout"), tr("Name"));
                         if (!name.trimmed().isEmpty())
                             m_to.docks.saveLayout(name.trimmed());
                         m_table.refresh();
                     },
                 .whyNot = noDocks});
    m_table.add({.id = "restoreLayout",
                 .text = tr("R&estore layout..."),
                 .menu = MenuId::Layout,
                 .done =
                     [this, ask] {
                         if (const QString name = ask(tr("Restore layout")); !name.isEmpty())
                             m_to.reports.tell(m_to.docks.restoreLayout(name));
                     },
                 .whyNot = noneToRestore});
    m_table.add({.id = "deleteLayout",
                 .text = tr("&Delete layout..."),
                 .menu = MenuId::Layout,
                 .done =
                     [this, ask] {
                         m_to.docks.deleteLayout(ask(tr("Delete layout")));
                         m_table.refresh();
                     },
                 .whyNot = noLayout});
}

} // namespace pipescope::mainwindow

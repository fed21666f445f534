#include "mainwindow/current_table.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>
#include <algorithm>

namespace pipescope::mainwindow {

namespace {

/// A dock behind another one is there, and nothing of it is seen. What a widget's own parts cover is seen by them: of a
/// table without a frame nothing is left beside its cells.
bool isSeen(const QWidget &widget)
{
    if (!widget.isVisible())
        return false;
    const QObjectList &parts = widget.children();
    return !widget.visibleRegion().isEmpty() || std::any_of(parts.begin(), parts.end(), [](const QObject *part) {
        const auto *inside = qobject_cast<const QWidget *>(part);
        return inside != nullptr && !inside->isWindow() && isSeen(*inside);
    });
}

QTableView *firstSeen(const QWidget &where)
{
    for (QTableView *table : where.findChildren<QTableView *>())
        if (isSeen(*table))
            return table;
    return nullptr;
}

} // namespace

CurrentTable::CurrentTable(QMainWindow &window)
    : QObject(&window)
    , m_window(window)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { use(now); });
    connect(&m_window, &QMainWindow::tabifiedDockWidgetActivated, this, &CurrentTable::use);
    // A click on a tab does not give it the keyboard.
    for (QTabWidget *tabs : m_window.findChildren<QTabWidget *>())
        connect(tabs, &QTabWidget::tabBarClicked, this, [this, tabs] { use(tabs); });
}

QWidget *CurrentTable::paneOf(QWidget *widget) const
{
    for (; widget != nullptr && widget != &m_window; widget = widget->parentWidget())
        if (widget == m_window.centralWidget() || qobject_cast<QDockWidget *>(widget) != nullptr)
            return widget;
    return nullptr;
}

void CurrentTable::use(QWidget *widget)
{
    QWidget *pane = paneOf(widget);
    if (pane == nullptr)
        return;
    m_pane = pane;
    for (QWidget *at = widget; at != pane; at = at->parentWidget())
        if (auto *table = qobject_cast<QTableView *>(at))
            m_table = table;
}

QTableView *CurrentTable::find() const
{
    if (m_pane != nullptr && isSeen(*m_pane)) {
        if (m_table != nullptr && m_pane->isAncestorOf(m_table) && isSeen(*m_table))
            return m_table;
        if (QTableView *table = firstSeen(*m_pane))
            return table;
    }
    return firstSeen(m_window);
}

} // namespace pipescope::mainwindow

#include "mainwindow/window_menus.h"

#include <QDockWidget>
#include <QMenuBar>

namespace pipescope::mainwindow {

using actions::MenuId;

RecentMenu::RecentMenu(QWidget *parent)
    : QMenu(tr("Open &recent"), parent)
{
    setObjectName("recentMenu");
    setToolTipsVisible(true);
}

void RecentMenu::setFiles(const std::vector<session::RecentFile> &files)
{
    clear();
    for (const session::RecentFile &file : files) {
        QAction *action = addAction(file.name + "  \u2013  " + file.folder);
        action->setEnabled(file.whyNot.isEmpty());
        action->setToolTip(file.whyNot.isEmpty() ? file.path : file.path + '\n' + file.whyNot);
        connect(action, &QAction::triggered, this, [this, path = file.path] { Q_EMIT asked(path); });
    }
    setEnabled(!files.empty());
}

RecentMenu &fillMenus(QMenuBar &bar, actions::ActionTable &table, const DockSet &docks)
{
    QMenu &file = *bar.addMenu(RecentMenu::tr("&File"));
    table.fill(file, MenuId::File);
    auto *recent = new RecentMenu(&file);
    file.insertMenu(&table.action("openExample"), recent);
    auto *exports = new QMenu(RecentMenu::tr("&Export"), &file);
    table.fill(*exports, MenuId::Export);
    // What can be exported depends on what is seen, of which nobody tells.
    QObject::connect(exports, &QMenu::aboutToShow, &table, &actions::ActionTable::refresh);
    file.insertMenu(file.actions().at(file.actions().size() - 2), exports);
    table.fill(*bar.addMenu(RecentMenu::tr("&Edit")), MenuId::Edit);
    QMenu &view = *bar.addMenu(RecentMenu::tr("&View"));
    table.fill(view, MenuId::View);
    view.addSeparator();
    QMenu &shown = *view.addMenu(RecentMenu::tr("&Docks"));
    for (const QDockWidget *dock : docks.docks())
        shown.addAction(dock->toggleViewAction());
    table.fill(*view.addMenu(RecentMenu::tr("&Layout")), MenuId::Layout);
    table.fill(*bar.addMenu(RecentMenu::tr("&Plan")), MenuId::Plan);
    table.fill(*bar.addMenu(RecentMenu::tr("&Run")), MenuId::Run);
    table.fill(*bar.addMenu(RecentMenu::tr("&Help")), MenuId::Help);
    return *recent;
}

} // namespace pipescope::mainwindow

// The menu bar, made of the table of actions.
#pragma once

#include "actions/action_table.h"
#include "mainwindow/dock_set.h"
#include "session/recent_files.h"

#include <QMenu>
#include <vector>

class QMenuBar;

namespace pipescope::mainwindow {

/// The files that were opened last.
class RecentMenu : public QMenu
{
    Q_OBJECT

public:
    explicit RecentMenu(QWidget *parent = nullptr);

    void setFiles(const std::vector<session::RecentFile> &files);

Q_SIGNALS:
    void asked(const QString &path);
};

/// Adds the menus, with one of the docks. The menu of recent files, which the bar owns.
[[nodiscard]] RecentMenu &fillMenus(QMenuBar &bar, actions::ActionTable &table, const DockSet &docks);

} // namespace pipescope::mainwindow

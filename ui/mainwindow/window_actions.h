// What can be done in the window: one row each. Menus, toolbar, palette and the sheet of shortcuts are made of them. To
// add an action, add a row; to add a menu, a value of MenuId and a line in window_menus.cpp.
#pragma once

#include "actions/action_table.h"
#include "mainwindow/current_table.h"
#include "mainwindow/dock_set.h"
#include "mainwindow/file_commands.h"
#include "mainwindow/plan_commands.h"
#include "mainwindow/reports.h"
#include "mainwindow/stage_commands.h"
#include "mainwindow/workspace.h"

#include <QMainWindow>
#include <QObject>
#include <functional>

namespace pipescope::shardview {
class ShardPage;
}

namespace pipescope::mainwindow {

class GraphPage;
class TimelinePage;

/// What actions act on.
struct ActionTargets
{
    Workspace &workspace;
    Reports &reports;
    FileCommands &files;
    PlanCommands &plan;
    DockSet &docks;
    GraphPage &graph;
    TimelinePage &timeline;
    shardview::ShardPage &shards;
    QMainWindow &window;                   ///< closed by Quit; dialogs stand over it
    std::function<void(Perspective)> show; ///< goes to a perspective
    std::function<void()> openPalette;
    std::function<void()> openSettings;
};

class WindowActions : public QObject
{
    Q_OBJECT

public:
    /// Adds all rows. The table and what the targets name must outlive this.
    WindowActions(actions::ActionTable &table, ActionTargets targets);

private:
    void addFile();
    void addEdit();
    void addPlan();
    void addRun();
    void addEngine();
    void addHelp();

    // view_actions.cpp
    void addPerspectives();
    void addGraphView();
    void addTimelineView();
    void addSelection();
    void addLayouts();

    [[nodiscard]] QString whyNoModel() const;
    [[nodiscard]] QString whyNotRun() const;
    [[nodiscard]] QString whyNoStages() const;

    actions::ActionTable &m_table;
    const ActionTargets m_to;
    StageCommands m_stages;
    CurrentTable m_currentTable;
};

} // namespace pipescope::mainwindow

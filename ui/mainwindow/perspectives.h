// The perspectives of the window: one table of their names, their canvases and the docks that stand around them. To add
// one, add a value of Perspective and a row: its action, its button, its canvas and its layout follow.
#pragma once

#include <QString>
#include <Qt>
#include <optional>
#include <span>

class QWidget;

namespace pipescope::shardview {
class ShardPage;
}

namespace pipescope::mainwindow {

class GraphPage;
class TimelinePage;

/// In the table's order.
enum class Perspective { Split, Timeline, Shards };

/// What has to be open for a perspective to have something to show.
enum class Shows { WhatIsOpen, Always };

/// The pages that perspectives have their canvases from.
struct CanvasPages
{
    GraphPage &graph;
    TimelinePage &timeline;
    shardview::ShardPage &shards;
};

struct DockPlace
{
    const char *dock; ///< its id
    Qt::DockWidgetArea area;
};

struct PerspectiveRow
{
    Perspective perspective;
    const char *name;                            ///< "Split": as settings and the command line have it
    const char *action;                          ///< the id of the action that goes there, by Ctrl+1, Ctrl+2, ...
    const char *text;                            ///< the action's, not translated
    const char *hint;                            ///< likewise
    QWidget &(*page)(const CanvasPages &pages);  ///< fills the window
    QWidget &(*focus)(const CanvasPages &pages); ///< in it: gets the keyboard
    std::span<const DockPlace> docks;            ///< those that are shown at first
    Shows shows = Shows::WhatIsOpen;             ///< always: also in place of the start page, then without docks
};

/// By perspective.
[[nodiscard]] std::span<const PerspectiveRow> perspectives();
[[nodiscard]] const PerspectiveRow &rowOf(Perspective perspective);
/// By its name; nullopt where there is none.
[[nodiscard]] std::optional<Perspective> findPerspective(const QString &name);
/// "Split, Timeline or Shards".
[[nodiscard]] QString perspectiveNames();

} // namespace pipescope::mainwindow

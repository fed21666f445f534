#include "mainwindow/perspectives.h"

#include "graphview/graph_canvas.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/timeline_page.h"
#include "shardview/shard_page.h"
#include "timeline/timeline_view.h"

#include <QStringList>
#include <cstddef>

namespace pipescope::mainwindow {

namespace {

constexpr DockPlace SplitDocks[] = {
    {"inspectorDock", Qt::RightDockWidgetArea}, {"runDock", Qt::RightDockWidgetArea},
    {"stagesDock", Qt::BottomDockWidgetArea},   {"checkDock", Qt::BottomDockWidgetArea},
    {"logDock", Qt::BottomDockWidgetArea},      {"splitDock", Qt::BottomDockWidgetArea},
};

constexpr DockPlace TimelineDocks[] = {
    {"summaryDock", Qt::RightDockWidgetArea},
    {"inspectorDock", Qt::RightDockWidgetArea},
    {"runDock", Qt::RightDockWidgetArea},
    {"checkDock", Qt::RightDockWidgetArea},
};

constexpr DockPlace ShardsDocks[] = {
    {"inspectorDock", Qt::RightDockWidgetArea},
};

constexpr PerspectiveRow Rows[] = {
    {.perspective = Perspective::Split,
     .name = "Split",
     .action = "showGraph",
     .text = QT_TRANSLATE_NOOP("Perspectives", "&Split"),
     .hint = QT_TRANSLATE_NOOP("Perspectives", "The model, and where it is split"),
     .page = [](const CanvasPages &pages) -> QWidget & { return pages.graph; },
     .focus = [](const CanvasPages &pages) -> QWidget & { return pages.graph.canvas(); },
     .docks = SplitDocks},
    {.perspective = Perspective::Timeline,
     .name = "Timeline",
     .action = "showTimeline",
     .text = QT_TRANSLATE_NOOP("Perspectives", "&Timeline"),
     .hint = QT_TRANSLATE_NOOP("Perspectives", "What happened in a run"),
     .page = [](const CanvasPages &pages) -> QWidget & { return pages.timeline; },
     .focus = [](const CanvasPages &pages) -> QWidget & { return pages.timeline.view(); },
     .docks = TimelineDocks},
    {.perspective = Perspective::Shards,
     .name = "Shards",
     .action = "showShards",
     .text = QT_TRANSLATE_NOOP("Perspectives", "Sha&rds"),
     .hint = QT_TRANSLATE_NOOP("Perspectives", "A tensor over a mesh of ranks"),
     .page = [](const CanvasPages &pages) -> QWidget & { return pages.shards; },
     .focus = [](const CanvasPages &pages) -> QWidget & { return pages.shards.canvas(); },
     .docks = ShardsDocks,
     .shows = Shows::Always},
};

} // namespace

std::span<const PerspectiveRow> perspectives()
{
    return Rows;
}

const PerspectiveRow &rowOf(Perspective perspective)
{
    return Rows[static_cast<std::size_t>(perspective)];
}

std::optional<Perspective> findPerspective(const QString &name)
{
    for (const PerspectiveRow &row : Rows)
        if (name == QLatin1String(row.name))
            return row.perspective;
    return std::nullopt;
}

QString perspectiveNames()
{
    QStringList names;
    for (const PerspectiveRow &row : Rows)
        names << QLatin1String(row.name);
    const QString last = names.takeLast();
    return names.join(QStringLiteral(", ")) + QStringLiteral(" or ") + last;
}

} // namespace pipescope::mainwindow

#include "window_bench.h"

#include "graphview/graph_canvas.h"
#include "models.h"
#include "samples.h"

#include <QApplication>
#include <QImage>
#include <QTest>
#include <fmt/format.h>

namespace pipescope::bench {

namespace {

constexpr int Drags = 300;

/// Drags the graph by a step with the mouse, as a hand does.
void drag(graphview::GraphCanvas &canvas, const QPoint &by)
{
    const QPoint at = canvas.rect().center();
    QTest::mousePress(&canvas, Qt::LeftButton, {}, at);
    QTest::mouseMove(&canvas, at + by / 2);
    QTest::mouseMove(&canvas, at + by);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, at + by);
}

/// Pans down and up again at the zoom there is.
void pan(graphview::GraphCanvas &canvas, const std::string &what, std::vector<Row> &rows)
{
    QImage image(canvas.size(), QImage::Format_RGB32);
    Frames frames;
    for (int i = 0; i < Drags; ++i) {
        drag(canvas, {i % 2 == 0 ? 12 : -12, i / 50 % 2 == 0 ? -32 : 32});
        frames.add([&] { canvas.render(&image); });
    }
    const auto fresh = frames.rows(fmt::format("pan over {}, zoom {:.3g}", what, canvas.viewport().zoom()));
    rows.insert(rows.end(), fresh.begin(), fresh.end());
}

void panAtEachDetail(graphview::GraphCanvas &canvas, const std::shared_ptr<const graph::ModelGraph> &graph,
                     const std::string &what, std::vector<Row> &rows)
{
    canvas.setGraph(graph);
    canvas.openEverything();
    while (canvas.isLayingOut())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    canvas.setStages(equalStages(*graph, 16));
    const std::string name = fmt::format("{} nodes, {}", graph->nodes.size(), what);
    // Everything written out, text just gone, boxes as specks; and all of it at once.
    canvas.fit();
    for (const double zoom : {1.0, 0.4, 0.1}) {
        canvas.zoomBy(zoom / canvas.viewport().zoom());
        pan(canvas, name, rows);
    }
    canvas.fit();
    pan(canvas, name + ", all in view", rows);
}

} // namespace

Result<std::vector<Row>> graphFrames()
{
    session::Selection selection;
    graphview::GraphCanvas canvas(selection);
    canvas.resize(1600, 1000);
    canvas.show();
    std::vector<Row> rows;
    panAtEachDetail(canvas, longModel(50'000, Modules::None), "long", rows);
    panAtEachDetail(canvas, wideModel(220, 227), "wide", rows);
    return rows;
}

} // namespace pipescope::bench

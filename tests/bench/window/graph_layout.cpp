#include "window_bench.h"

#include "graphview/graph_canvas.h"
#include "models.h"
#include "samples.h"

#include <QApplication>
#include <QImage>
#include <fmt/format.h>

namespace pipescope::bench {

namespace {

constexpr int Operators = 10'000;
constexpr int Repeats = 7;

double layoutMilliseconds(const graph::ModelGraph &graph)
{
    const graphview::OpenBoxes open = graphview::everythingOpen(graph);
    std::vector<double> samples;
    for (int i = 0; i < Repeats; ++i)
        samples.push_back(millisecondsOf([&] {
            graphview::LayoutCache cache;
            (void)graphview::layOutGraph(graphview::buildBoxTree(graph, open), graphview::estimatedWidth, cache);
        }));
    return median(std::move(samples));
}

/// From handing the graph over until it is painted, layout in its thread included.
double firstPictureMilliseconds(const std::shared_ptr<const graph::ModelGraph> &graph)
{
    std::vector<double> samples;
    for (int i = 0; i < Repeats; ++i) {
        session::Selection selection;
        graphview::GraphCanvas canvas(selection);
        canvas.resize(1600, 1000);
        canvas.show();
        QApplication::processEvents();
        QImage image(canvas.size(), QImage::Format_RGB32);
        samples.push_back(millisecondsOf([&] {
            canvas.setGraph(graph);
            canvas.openEverything();
            while (canvas.isLayingOut())
                QApplication::processEvents(QEventLoop::WaitForMoreEvents);
            canvas.render(&image);
        }));
    }
    return median(std::move(samples));
}

} // namespace

Result<std::vector<Row>> graphLayout()
{
    const auto flat = longModel(Operators, Modules::None);
    const auto nested = longModel(Operators, Modules::OfLayers);
    const std::string size = fmt::format("{} operators with hubs", flat->nodes.size());
    return std::vector<Row>{
        rowAtMost("layout of " + size + ", in one group", layoutMilliseconds(*flat), "ms", 100),
        rowAtMost("layout of the same in modules, all open", layoutMilliseconds(*nested), "ms", 100),
        rowAtMost("first picture of " + size, firstPictureMilliseconds(flat), "ms", 1000),
        rowAtMost("first picture of the same in modules, all open", firstPictureMilliseconds(nested), "ms", 1000),
    };
}

} // namespace pipescope::bench

// A canvas on the screen with a model of layers, and where things are on it.
#pragma once

#include "graphview/graph_canvas.h"
#include "partition/split_point.h"
#include "support/graph_builder.h"

#include <QColor>
#include <QTest>

namespace pipescope::tests {

/// Layers of two operators each.
inline std::string layersText(int count)
{
    std::string text = "in v0\n";
    for (int i = 0; i < count; ++i) {
        const std::string x = "v" + std::to_string(i);
        const std::string y = "v" + std::to_string(i + 1);
        text += "call layers." + std::to_string(i) + "\na" + y + " = aten::linear " + x + " @0.002\n" + y +
                " = aten::add a" + y + " " + x + " @0.001\nend\n";
    }
    return text + "return v" + std::to_string(count) + "\n";
}

/// A canvas 800 x 600 with all modules closed.
class ShownCanvas
{
public:
    explicit ShownCanvas(const std::string &text = layersText(4))
        : graph(std::make_shared<graph::ModelGraph>(graphFromText(text)))
        , canvas(selection)
    {
        canvas.resize(800, 600);
        canvas.show();
        canvas.setGraph(graph);
        canvas.closeEverything();
        await();
    }

    /// As the page does: what is asked for is done.
    void allowSplits(std::vector<int> cuts = {})
    {
        table = std::make_shared<session::SplitTable>(
            graph, std::make_shared<session::SplitTable::Points>(partition::splitPoints(*graph)));
        canvas.setSplits(table, std::move(cuts));
    }
    [[nodiscard]] QPoint between(const std::string &above, const std::string &below) const
    {
        return (at(above) + at(below)) / 2;
    }
    [[nodiscard]] QPoint pill(int position) const
    {
        return canvas.splits().pillOf(canvas.viewport(), position).center().toPoint();
    }

    void await()
    {
        QTRY_VERIFY(!canvas.isLayingOut());
        QVERIFY(canvas.picture());
    }

    [[nodiscard]] int box(const std::string &title) const
    {
        const std::vector<graphview::Box> &boxes = canvas.picture()->scene.tree.boxes;
        const auto found =
            std::find_if(boxes.begin(), boxes.end(), [&](const graphview::Box &b) { return b.title == title; });
        return found == boxes.end() ? -1 : static_cast<int>(found - boxes.begin());
    }
    [[nodiscard]] QPoint at(const std::string &title) const
    {
        const QRectF &rect = canvas.picture()->scene.rects[static_cast<std::size_t>(box(title))];
        return canvas.viewport().toScreen(rect.center()).toPoint();
    }
    [[nodiscard]] QPoint cornerOf(const std::string &title) const
    {
        const QRectF &rect = canvas.picture()->scene.rects[static_cast<std::size_t>(box(title))];
        return canvas.viewport().toScreen(rect.topLeft()).toPoint();
    }
    QColor pixel(QPoint at) { return canvas.grab().toImage().pixelColor(at); }

    session::Selection selection;
    std::shared_ptr<graph::ModelGraph> graph;
    std::shared_ptr<session::SplitTable> table;
    graphview::GraphCanvas canvas;
};

} // namespace pipescope::tests

#include "window_bench.h"

#include "samples.h"
#include "shard/layout_text.h"
#include "shardview/shard_canvas.h"

#include <QApplication>
#include <QImage>
#include <QTest>
#include <fmt/format.h>

namespace pipescope::bench {

namespace {

constexpr int Repeats = 100;

struct Shards
{
    const char *what;
    const char *mesh;
    const char *placements;
};

/// The square of 10 000 rows and columns.
std::shared_ptr<const shardview::ShardScene> sceneOf(const Shards &shards)
{
    const shard::Sizes shape{10'000, 10'000};
    const shard::Layout layout = *shard::Layout::make(
        {*shard::parseMesh(shards.mesh), *shard::parsePlacements(shards.placements), shape, {}, {}});
    return std::make_shared<const shardview::ShardScene>(layout, shardview::usualView(shape));
}

/// A frame of all of it at each move of the pointer, and of a part at each turn of the zoom.
void measure(shardview::ShardCanvas &canvas, const Shards &shards, std::vector<Row> &rows)
{
    canvas.setScene(sceneOf(shards));
    QImage image(canvas.size(), QImage::Format_RGB32);
    Frames moved;
    Frames zoomed;
    for (int i = 0; i < Repeats; ++i) {
        QTest::mouseMove(&canvas, canvas.frame()->plot().topLeft().toPoint() + QPoint(5 + i * 37 % 600, 5 + i * 5));
        moved.add([&] { canvas.render(&image); });
    }
    for (int i = 0; i < Repeats; ++i) {
        if (i % 20 == 0)
            canvas.fit();
        canvas.zoomBy(1.25);
        zoomed.add([&] { canvas.render(&image); });
    }
    for (const auto &fresh : {moved.rows(fmt::format("shards: {}, all in view, pointer moving", shards.what)),
                              zoomed.rows(fmt::format("shards: {}, zooming in", shards.what))})
        rows.insert(rows.end(), fresh.begin(), fresh.end());
}

} // namespace

Result<std::vector<Row>> shardFrames()
{
    shardview::ShardCanvas canvas("Before");
    canvas.resize(1000, 900);
    canvas.show();
    QApplication::processEvents();
    std::vector<Row> rows;
    for (const Shards &shards :
         {Shards{"10 000 x 10 000 on 16 x 16 ranks", "16,16", "S0,S1"},
          Shards{"the same on 64 x 64 ranks", "64,64", "S0,S1"},
          Shards{"the same on 16 x 16 ranks in 1250 bands each way", "16,16", "SS(0,1250),SS(1,1250)"},
          Shards{"the same, Partial over 16 and sharded over 16", "16,16", "P,S0"}})
        measure(canvas, shards, rows);
    return rows;
}

} // namespace pipescope::bench

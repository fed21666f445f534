#include "timeline/lane_rows.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <random>

using namespace pipescope;
using namespace pipescope::timeline;

namespace {

constexpr int Ranks = 24;
constexpr int Height = 24 * Ranks;

trace::Trace denseTrace(int ranks, int slices)
{
    std::mt19937 random(5);
    tests::TraceBuilder builder(ranks, 2 * ranks, slices);
    for (int rank = 0; rank < ranks; ++rank) {
        std::int64_t at = rank * 100;
        for (int i = 0; i < slices; ++i) {
            const int stage = rank + static_cast<int>(random() % 2) * ranks;
            const std::int64_t end = at + 20 + random() % (i % 50 == 0 ? 20'000 : 800);
            builder.compute(rank, stage, i, at, end).send(rank, stage, i, (stage + 1) % ranks, end, end + 90);
            at = end + 100 + random() % 300;
        }
    }
    return builder.build();
}

Scene sceneOf(const ShownRuns &runs, const style::Theme &theme, Coordinates seen)
{
    LaneGeometry geometry;
    geometry.lanes = runs.laneCount();
    geometry.rows = runs.count();
    geometry.width = LaneGeometry::HeaderWidth + seen.width;
    geometry.height = LaneGeometry::RulerHeight + Height;
    return {runs, theme, geometry, seen, QGuiApplication::font()};
}

QImage columnsOf(std::span<const LaneRow> rows)
{
    QImage image(1000, 700, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    for (const LaneRow &row : rows)
        row.columns().paint(painter);
    return image;
}

/// One after another, with nothing that was kept.
std::vector<LaneRow> alone(const Scene &scene)
{
    std::vector<LaneRow> rows;
    for (int lane = scene.geometry.firstLane(); lane < scene.geometry.endLane(); ++lane)
        for (int run = 0; run < scene.runs.count(); ++run) {
            rows.emplace_back();
            rows.back().stand(scene, lane, run);
            rows.back().collect();
        }
    return rows;
}

bool isSame(std::span<const LaneRow> rows, std::span<const LaneRow> others)
{
    const auto isSameRow = [](const LaneRow &row, const LaneRow &other) {
        return row.lane() == other.lane() && row.run() == other.run() && row.body() == other.body() &&
               std::ranges::equal(row.bars(Track::Work), other.bars(Track::Work)) &&
               std::ranges::equal(row.bars(Track::Transfer), other.bars(Track::Transfer));
    };
    return std::ranges::equal(rows, others, isSameRow) && columnsOf(rows) == columnsOf(others);
}

} // namespace

class TestLaneRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void rowsFoundAtOnceAreThoseFoundOneByOne()
    {
        const ShownRuns runs = tests::shown(tests::modelOf(denseTrace(Ranks, 3000)));
        LaneRows rows;
        const double span = runs.time().spanNs();
        for (double zoom = 1; zoom < 3000; zoom *= 1.7) {
            const Scene scene = sceneOf(runs, style::Theme::dark(), {span / 3 * (1 - 1 / zoom), span / zoom, 800});
            rows.collect(scene);
            QCOMPARE(rows.rows().size(), std::size_t{Ranks});
            QVERIFY2(isSame(rows.rows(), alone(scene)), qPrintable(QString::number(zoom)));
        }
    }

    void nothingStaysOfWhatWasShownBefore()
    {
        const ShownRuns many = tests::shown(tests::modelOf(denseTrace(Ranks, 500)));
        const ShownRuns few = tests::shown(tests::modelOf(denseTrace(3, 500)));
        LaneRows rows;
        for (const ShownRuns *runs : {&many, &few, &many})
            for (const style::Theme *theme : {&style::Theme::dark(), &style::Theme::light()})
                for (const double span : {runs->time().spanNs(), 5'000.0}) {
                    const Scene scene = sceneOf(*runs, *theme, {0, span, 800});
                    rows.collect(scene);
                    QVERIFY(isSame(rows.rows(), alone(scene)));
                }
        const ShownRuns none;
        rows.collect(sceneOf(none, style::Theme::dark(), {0, 1000, 800}));
        QVERIFY(rows.rows().empty());
    }

    void stagesAPowerOfTwoApartKeepTheirColours()
    {
        tests::TraceBuilder builder(1, 64, 1);
        for (int i = 0; i < 64; ++i)
            builder.compute(0, i, 0, i * 10, i * 10 + 10);
        const ShownRuns runs = tests::shown(tests::modelOf(builder.build()));
        const Scene scene = sceneOf(runs, style::Theme::light(), {0, 10 * 800 / 2, 800}); // two pixels a slice
        LaneRows rows;
        rows.collect(scene);
        const QImage image = columnsOf(rows.rows());
        const int middle = rows.rows().front().body().center().y();
        for (int i = 0; i < 64; ++i)
            QCOMPARE(image.pixelColor(static_cast<int>(LaneGeometry::HeaderWidth) + 2 * i, middle),
                     style::Theme::light().colour(StageId{i}));
    }
};

PIPESCOPE_WIDGET_TEST(TestLaneRows)
#include "tst_lane_rows.moc"

#include "shardview/shard_frame.h"

#include "scenes.h"
#include "support/test_program.h"

#include <QFont>
#include <QFontMetricsF>
#include <QTest>

using namespace pipescope;
using namespace pipescope::shardview;
using tests::sceneOf;

namespace {

ShardFrame frameIn(const ShardScene &scene, const QRectF &room, const ShardZoom &zoom = {})
{
    return {scene, room, QFontMetricsF(QFont()), zoom};
}

} // namespace

class TestShardFrame : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePictureHasTheFormOfTheTensorWithinReason_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<double>("ratio");
        QTest::newRow("square") << 100 << 100 << 1.0;
        QTest::newRow("wide") << 100 << 200 << 2.0;
        QTest::newRow("a long one is not a line") << 1 << 100'000 << 2.5;
        QTest::newRow("nor is a high one") << 100'000 << 1 << 0.4;
    }
    void thePictureHasTheFormOfTheTensorWithinReason()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(double, ratio);
        const auto scene = sceneOf("2", "R", {rows, columns});
        const QRectF plot = frameIn(*scene, {0, 0, 700, 600}).plot();
        QVERIFY2(std::abs(plot.width() / plot.height() - ratio) < 0.02,
                 qPrintable(QString::number(plot.width() / plot.height())));
        QVERIFY(QRectF(0, 0, 700, 600).contains(plot));
    }

    void aPointIsThePlaceOfTheTensorThatIsDrawnThere()
    {
        const auto scene = sceneOf("4", "S0", {10, 7}); // with padding of two rows
        const ShardFrame frame = frameIn(*scene, {0, 0, 500, 500});
        for (std::int64_t row = 0; row < scene->rows().extent(); ++row)
            for (std::int64_t column = 0; column < 7; ++column) {
                const QPointF middle = frame.rect({row, row + 1}, {column, column + 1}).center();
                const auto spot = frame.spotAt(*scene, middle);
                QVERIFY(spot);
                QCOMPARE(spot->row, scene->rows().spotAt(row));
                QCOMPARE(spot->column, scene->columns().spotAt(column));
            }
        QVERIFY(!frame.spotAt(*scene, frame.plot().topLeft() - QPointF(1, 0)));
        QVERIFY(!frame.spotAt(*scene, frame.plot().bottomRight() + QPointF(1, 1)));
    }

    void whatIsUnderThePointerStaysThereWhileItIsZoomed()
    {
        const auto scene = sceneOf("4", "S0", {1000, 1000});
        ShardZoom zoom;
        const QPointF place(0.3, 0.8);
        for (int notch = 0; notch < 12; ++notch)
            zoom = zoomedAt(zoom, place, 1.3);
        const ShardFrame frame = frameIn(*scene, {0, 0, 500, 500}, zoom);
        QVERIFY(frame.rows().span() < 60);
        QVERIFY(std::abs(frame.y(800) - frame.plot().top() - 0.8 * frame.plot().height()) < 1);
        QVERIFY(std::abs(frame.x(300) - frame.plot().left() - 0.3 * frame.plot().width()) < 1);
    }

    void nothingBeyondTheTensorIsSeen()
    {
        const ShardZoom close = zoomedAt({}, {0, 0}, 4);
        const auto scene = sceneOf("4", "S0", {100, 100});
        const SeenPositions corner{0, 25};
        QCOMPARE(frameIn(*scene, {0, 0, 500, 500}, close).rows(), corner);
        QCOMPARE(frameIn(*scene, {0, 0, 500, 500}, panned(close, {0.5, 0.5})).rows(), corner);
        QCOMPARE(zoomedAt(close, {1, 1}, 0.01), ShardZoom());
        const ShardFrame other = frameIn(*scene, {0, 0, 500, 500}, panned(close, {-9, -9}));
        QVERIFY(std::abs(other.rows().end - 100) < 1e-9);
    }

    void sheetsBehindHaveRoom()
    {
        QCOMPARE(frameIn(*sceneOf("4", "S0", {8, 8}), {0, 0, 400, 400}).behind(), 0);
        QCOMPARE(frameIn(*sceneOf("2", "R", {8, 8}), {0, 0, 400, 400}).behind(), 1);
        const ShardFrame many = frameIn(*sceneOf("64", "R", {8, 8}), {0, 0, 400, 400});
        QCOMPARE(many.behind(), MostBehind);
        QVERIFY(many.plot().bottom() + MostBehind * SheetStep < 400);
    }

    void noRoomIsNoCrash()
    {
        const ShardFrame frame = frameIn(*sceneOf("4", "S0", {8, 8}), {0, 0, 3, 3});
        QVERIFY(frame.plot().width() >= 1 && frame.plot().height() >= 1);
    }
};

PIPESCOPE_WIDGET_TEST(TestShardFrame)
#include "tst_shard_frame.moc"

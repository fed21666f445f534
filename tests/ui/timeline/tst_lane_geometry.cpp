#include "timeline/lane_geometry.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using timeline::Coordinates;
using timeline::LaneGeometry;
using timeline::Spot;
using trace::EventKind;

namespace {

LaneGeometry geometryOf(double width, double height, int lanes)
{
    LaneGeometry geometry;
    geometry.width = LaneGeometry::HeaderWidth + width;
    geometry.height = LaneGeometry::RulerHeight + height;
    geometry.lanes = lanes;
    return geometry;
}

QPointF at(double x, double y)
{
    return {LaneGeometry::HeaderWidth + x, LaneGeometry::RulerHeight + y};
}

} // namespace

class TestLaneGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void lanesShareTheHeightThereIsWithinLimits()
    {
        QCOMPARE(geometryOf(100, 200, 4).laneHeight(), 50.0);
        QCOMPARE(geometryOf(100, 4000, 4).laneHeight(), LaneGeometry::MostLane);
        QCOMPARE(geometryOf(100, 200, 100).laneHeight(), LaneGeometry::LeastLane);
        QCOMPARE(geometryOf(100, 200, 100).contentHeight(), 1300.0);
    }

    void barsStandInTheirLaneAndTransfersAtItsEdges()
    {
        const LaneGeometry geometry = geometryOf(100, 200, 4);
        QVERIFY(geometry.header(1) == QRectF(0, 78, 144, 50));
        QVERIFY(geometry.body(1) == QRectF(144, 84, 100, 38));
        QVERIFY(geometry.strip(1, EventKind::Compute) == geometry.body(1));
        QVERIFY(geometry.strip(1, EventKind::Receive) == QRectF(144, 84, 100, 7));
        QVERIFY(geometry.strip(1, EventKind::Send) == QRectF(144, 115, 100, 7));
    }

    void eachRunHasARowAndTheFirstIsTheHighest()
    {
        LaneGeometry geometry = geometryOf(100, 200, 2);
        geometry.rows = 2;
        const QRectF upper = geometry.body(1, 0);
        const QRectF lower = geometry.body(1, 1);
        QVERIFY(lower.top() > upper.bottom() && lower.bottom() <= geometry.header(1).bottom());
        QVERIFY(upper.height() > lower.height() && lower.height() > 20);
        QCOMPARE(geometry.rowAt(upper.center().y()), 0);
        QCOMPARE(geometry.rowAt(lower.center().y()), 1);
    }

    void memoryHasAStripBelowTheBarsWhereThereIsRoom()
    {
        LaneGeometry geometry = geometryOf(100, 200, 2);
        QVERIFY(geometry.memory(0).isEmpty());
        geometry.hasMemory = true;
        QVERIFY(geometry.memory(1).top() > geometry.body(1).bottom());
        QVERIFY(geometry.memory(1).bottom() <= geometry.header(1).bottom());
        geometry.lanes = 10;
        QVERIFY(geometry.memory(0).isEmpty());
    }

    void lanesThatAreScrolledAwayAreNotSeen()
    {
        LaneGeometry geometry = geometryOf(100, 130, 100);
        geometry.scroll = 30;
        QCOMPARE(geometry.firstLane(), 2);
        QCOMPARE(geometry.endLane(), 13);
        QCOMPARE(geometry.laneAt(LaneGeometry::RulerHeight + 1), 2);
        QCOMPARE(geometry.laneAt(LaneGeometry::RulerHeight - 1), -1);
    }

    void aPointFindsWhatIsPaintedThere_data()
    {
        QTest::addColumn<QPointF>("point");
        QTest::addColumn<int>("slice");
        QTest::addColumn<int>("bubble");
        // Rank 1 of twoRanks() at a pixel per ns; its lane is from 50 to 100, the body from 56 to 94.
        QTest::newRow("compute") << at(200, 75) << 2 << -1;
        QTest::newRow("bubble rather than the wait in it") << at(50, 75) << -1 << 0;
        QTest::newRow("receive in its strip") << at(110, 58) << 1 << -1;
        QTest::newRow("receive a little beside") << at(117, 58) << 1 << -1;
        QTest::newRow("compute below the receive's strip") << at(116, 75) << 2 << -1;
        QTest::newRow("bubble between two actions") << at(317, 75) << -1 << 1;
        QTest::newRow("after the run") << at(600, 75) << -1 << -1;
        QTest::newRow("header") << at(-10, 75) << -1 << -1;
        QTest::newRow("below all lanes") << at(200, 180) << -1 << -1;
    }
    void aPointFindsWhatIsPaintedThere()
    {
        QFETCH(QPointF, point);
        QFETCH(int, slice);
        QFETCH(int, bubble);
        LaneGeometry geometry = geometryOf(1000, 100, 2);
        const auto spot = spotAt(geometry, {0, 1000, 1000}, tests::shown(tests::twoRanks()), point);
        QCOMPARE(spot.has_value(), slice >= 0 || bubble >= 0);
        if (spot)
            QVERIFY((*spot == Spot{1, slice, bubble}));
    }

    void whereARankOnlyHandsOnATransferIsFoundInAllOfTheHeight()
    {
        const auto runs = tests::shown(tests::twoRanks());
        const LaneGeometry geometry = geometryOf(1000, 100, 2);
        // Rank 0's body is from 6 to 44; it sends from 100 to 110 and from 220 to 230, then has nothing to do.
        for (const double y : {8.0, 25.0, 42.0}) {
            QVERIFY(spotAt(geometry, {0, 1000, 1000}, runs, at(105, y)) == (Spot{0, 1, -1}));
            QVERIFY(spotAt(geometry, {0, 1000, 1000}, runs, at(225, y)) == (Spot{0, 3, -1}));
        }
        QVERIFY(spotAt(geometry, {0, 1000, 1000}, runs, at(232, 25)) == (Spot{0, -1, 1}));
        // Rank 1 receives from 105 to 115.
        QVERIFY(spotAt(geometry, {0, 1000, 1000}, runs, at(110, 90)) == (Spot{1, 1, -1}));
    }

    void theSliceOnTopIsFoundWhereSlicesOverlap()
    {
        tests::TraceBuilder builder(1, 1, 3);
        builder.compute(0, 0, 0, 0, 900).compute(0, 0, 1, 100, 200).compute(0, 0, 2, 300, 310);
        const auto model = tests::modelOf(builder.build());
        const LaneGeometry geometry = geometryOf(1000, 50, 1);
        const auto sliceAt = [&](double x) {
            return spotAt(geometry, {0, 1000, 1000}, tests::shown(model), at(x, 25))->slice;
        };
        QCOMPARE(sliceAt(50), 0);
        QCOMPARE(sliceAt(150), 1);
        QCOMPARE(sliceAt(250), 0);
        QCOMPARE(sliceAt(305), 2);
        QCOMPARE(sliceAt(600), 0);
    }

    void aSliceHasARectangleThatCanBeSeen()
    {
        const auto model = tests::twoRanks();
        const LaneGeometry geometry = geometryOf(1000, 100, 2);
        QVERIFY(rectOf(geometry, {0, 1000, 1000}, tests::shown(model), {1, 2, -1}) == QRectF(144 + 115, 84, 200, 38));
        QVERIFY(rectOf(geometry, {0, 1000, 1000}, tests::shown(model), {0, -1, 1}) == QRectF(144 + 230, 34, 300, 38));
        QCOMPARE(rectOf(geometry, {0, 1e6, 1000}, tests::shown(model), {1, 2, -1}).width(), 2.0);
    }

    void aMeasureSnapsToEdgesThatAreNear()
    {
        const auto model = tests::twoRanks();
        const trace::Lane &lane = model->lanes()[1];
        QCOMPARE(snapped(lane, 312, 4), 315.0);
        QCOMPARE(snapped(lane, 318, 4), 320.0);
        QCOMPARE(snapped(lane, 528, 4), 530.0);
        QCOMPARE(snapped(lane, 200, 4), 200.0);
    }

    void aBarSaysAsMuchAsFits()
    {
        const auto model = tests::twoRanks();
        const trace::Slice &compute = model->lanes()[1].slices[4];
        using timeline::LabelForm;
        QCOMPARE(labelOf(*model, compute, LabelForm::Action, 60, 7), QString("1F1"));
        QCOMPARE(labelOf(*model, compute, LabelForm::Microbatch, 30, 7), QString("1"));
        QCOMPARE(labelOf(*model, compute, LabelForm::Action, 26, 7), QString("1F1")); // it fits with little room
        QCOMPARE(labelOf(*model, compute, LabelForm::Action, 24, 7), QString("1"));
        QCOMPARE(labelOf(*model, compute, LabelForm::Action, 11, 7), QString("1"));
        QCOMPARE(labelOf(*model, compute, LabelForm::Action, 10, 7), QString());
        QCOMPARE(labelOf(*model, compute, LabelForm::Microbatch, 10, 7), QString());
        QCOMPARE(labelOf(*model, model->lanes()[1].slices[1], LabelForm::Action, 60, 7), QString());
    }

    void theBarsOfALaneSayOneKindOfThing()
    {
        // Forward passes have room for "0" only and the last one for "0F9" too.
        tests::TraceBuilder builder(1, 1, 10);
        for (int i = 0; i < 10; ++i)
            builder.compute(0, 0, i, i * 100, i * 100 + (i < 9 ? 30 : 60));
        const auto model = tests::modelOf(builder.build());
        const trace::Lane &lane = model->lanes()[0];
        const auto said = [&](double pixelsPerNs, double beginNs) {
            const Coordinates seen{beginNs, 800 / pixelsPerNs, 800};
            QStringList texts;
            for (const trace::Slice &slice : lane.slices)
                texts << labelOf(*model, slice, labelFormOf(lane, model->look(0), seen, 7),
                                 slice.time.spanNs() * pixelsPerNs, 7);
            return texts.join(' ');
        };
        QCOMPARE(said(1, 0), QString("0 1 2 3 4 5 6 7 8 9"));
        QCOMPARE(said(1, 900), said(1, 0)); // wherever one looks
        QCOMPARE(said(1.4, 0), QString("0F0 0F1 0F2 0F3 0F4 0F5 0F6 0F7 0F8 0F9"));
        QCOMPARE(said(0.3, 0).simplified(), QString("9"));
    }

    void oneBarWithRoomForItsMicrobatchOnlyDecidesForItsLane()
    {
        tests::TraceBuilder builder(1, 1, 4);
        for (int i = 0; i < 4; ++i)
            builder.compute(0, 0, i, i * 100, i * 100 + (i == 2 ? 20 : 80));
        const auto model = tests::modelOf(builder.build());
        const trace::Lane &lane = model->lanes()[0];
        const auto said = [&](double pixelsPerNs) {
            const Coordinates seen{0, 800 / pixelsPerNs, 800};
            QStringList texts;
            for (const trace::Slice &slice : lane.slices)
                texts << labelOf(*model, slice, labelFormOf(lane, model->look(0), seen, 7),
                                 slice.time.spanNs() * pixelsPerNs, 7);
            return texts.join(' ');
        };
        QCOMPARE(said(1), QString("0 1 2 3"));
        QCOMPARE(said(2), QString("0F0 0F1 0F2 0F3"));
        // Too narrow for either, it has no say: "0F3" takes 25 pixels, "3" takes 11.
        tests::TraceBuilder shorter(1, 1, 4);
        for (int i = 0; i < 4; ++i)
            shorter.compute(0, 0, i, i * 100, i * 100 + (i == 2 ? 5 : 80));
        const auto other = tests::modelOf(shorter.build());
        const Coordinates seen{0, 800, 800};
        QCOMPARE(labelFormOf(other->lanes()[0], other->look(0), seen, 7), timeline::LabelForm::Action);
    }
};

PIPESCOPE_TEST(TestLaneGeometry)
#include "tst_lane_geometry.moc"

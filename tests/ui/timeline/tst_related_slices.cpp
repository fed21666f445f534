#include "timeline/related_slices.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace pipescope;
using namespace pipescope::timeline;
using trace::EventKind;

namespace {

const std::vector<int> &ofKind(const SlicesByLane &slices, int lane, EventKind kind)
{
    return slices[static_cast<std::size_t>(lane)][static_cast<std::size_t>(kind)];
}

using Indices = std::vector<int>;

/// Outlines alone, on an empty ground.
QImage painted(const RelatedSlices &related, const ShownRuns &runs, const Coordinates &seen)
{
    LaneGeometry geometry;
    geometry.width = LaneGeometry::HeaderWidth + seen.width;
    geometry.height = 200;
    geometry.lanes = runs.laneCount();
    QImage image(QSize(static_cast<int>(geometry.width), 200), QImage::Format_RGB32);
    image.fill(Qt::black);
    QPainter painter(&image);
    related.paint(painter, {runs, style::Theme::dark(), geometry, seen, {}});
    return image;
}

/// How often a row of the image changes from ground to outline.
int linesAt(const QImage &image, int y)
{
    int lines = 0;
    bool was = false;
    for (int x = static_cast<int>(LaneGeometry::HeaderWidth) - 2; x < image.width(); ++x) {
        const bool is = image.pixelColor(x, y).blue() > 100;
        lines += is && !was ? 1 : 0;
        was = is;
    }
    return lines;
}

} // namespace

class TestRelatedSlices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aStageHasAllItsActionsAndNothingElse()
    {
        const SlicesByLane slices = timeline::slicesOf(*tests::twoRanks(), {{StageId{1}}, {}, {}});
        QCOMPARE(ofKind(slices, 0, EventKind::Compute), Indices{});
        QCOMPARE(ofKind(slices, 1, EventKind::Compute), (Indices{2, 4}));
        QCOMPARE(ofKind(slices, 1, EventKind::Wait), Indices{});
        QCOMPARE(ofKind(slices, 1, EventKind::Receive), Indices{});
    }

    void aValueHasItsSendsAndReceives()
    {
        const SlicesByLane slices = timeline::slicesOf(*tests::twoRanks(), {{}, {"h0"}, {}});
        QCOMPARE(ofKind(slices, 0, EventKind::Send).size(), std::size_t{2});
        QCOMPARE(ofKind(slices, 1, EventKind::Receive).size(), std::size_t{2});
        QCOMPARE(ofKind(slices, 0, EventKind::Compute), Indices{});
        QCOMPARE(ofKind(timeline::slicesOf(*tests::twoRanks(), {{}, {"h7"}, {}}), 0, EventKind::Send), Indices{});
    }

    void overASplitGoesOnlyWhatPassesIt()
    {
        // The value of stage 0 goes to stage 1 and, over the second split, to stage 2.
        const auto model = tests::modelOf(tests::TraceBuilder(3, 3, 1)
                                              .send(0, 0, 0, 1, 100, 110)
                                              .send(0, 0, 0, 2, 110, 120)
                                              .receive(1, 1, 0, 0, 110, 115)
                                              .receive(2, 2, 0, 0, 120, 125)
                                              .build());
        const SlicesByLane first = timeline::slicesOf(*model, {{}, {"h0"}, StageId{1}});
        QCOMPARE(ofKind(first, 0, EventKind::Send), (Indices{0, 1}));
        const SlicesByLane second = timeline::slicesOf(*model, {{}, {"h0"}, StageId{2}});
        QCOMPARE(ofKind(second, 0, EventKind::Send), Indices{1});
        QCOMPARE(ofKind(second, 1, EventKind::Receive), Indices{});
        QCOMPARE(ofKind(second, 2, EventKind::Receive), Indices{0});
    }

    void eachRunHasItsOwn()
    {
        const ShownRuns runs({{tests::twoRanks(), "Run 1"}, {tests::twoRanks(), "Run 2"}});
        RelatedSlices related;
        QVERIFY(related.isEmpty());
        related.set({{{StageId{0}}, {}, {}}, {{StageId{1}}, {}, {}}});
        QVERIFY(!related.isEmpty());
        QCOMPARE(ofKind(related.of(runs, 0), 0, EventKind::Compute).size(), std::size_t{2});
        QCOMPARE(ofKind(related.of(runs, 1), 0, EventKind::Compute).size(), std::size_t{0});
        related.set({{{StageId{1}}, {}, {}}}); // of the second nothing is known
        QCOMPARE(ofKind(related.of(runs, 0), 1, EventKind::Compute).size(), std::size_t{2});
        QCOMPARE(ofKind(related.of(runs, 1), 1, EventKind::Compute).size(), std::size_t{0});
    }

    void aRunThatGrowsIsLookedThroughAgain()
    {
        RelatedSlices related;
        related.set({{{StageId{0}}, {}, {}}});
        const auto size = [&](int microbatches) {
            const ShownRuns runs = tests::shown(tests::modelOf(tests::evenForward(2, microbatches, 1000)));
            return ofKind(related.of(runs, 0), 0, EventKind::Compute).size();
        };
        QCOMPARE(size(3), std::size_t{3});
        QCOMPARE(size(5), std::size_t{5});
    }

    void wideBarsAreOutlinedEachAndNarrowOnesTogether()
    {
        const ShownRuns runs = tests::shown(tests::modelOf(tests::evenForward(2, 8, 1000)));
        RelatedSlices related;
        related.set({{{StageId{0}}, {}, {}}});
        LaneGeometry geometry;
        geometry.height = 200;
        geometry.lanes = 2;
        const int y = static_cast<int>(geometry.body(0).center().y());
        const int other = static_cast<int>(geometry.body(1).center().y());
        const QImage wide = painted(related, runs, {0, 9000, 900});
        QCOMPARE(linesAt(wide, y), 9); // the ends of eight bars that stand side by side
        QCOMPARE(linesAt(wide, other), 0);
        QCOMPARE(linesAt(painted(related, runs, {0, 900'000, 900}), y), 2);
        QCOMPARE(linesAt(painted(related, runs, {2500, 1000, 900}), y), 1); // between two that are seen in part
        QCOMPARE(linesAt(painted(related, runs, {2200, 500, 900}), y), 0);  // inside of one
    }

    void aMillionAreOutlinedInOneFrame()
    {
        const auto model = tests::modelOf(tests::evenForward(2, 100'000, 1000));
        const ShownRuns runs = tests::shown(model);
        RelatedSlices related;
        related.set({{{StageId{1}}, {}, {}}});
        QCOMPARE(ofKind(related.of(runs, 0), 1, EventKind::Compute).size(), std::size_t{100'000});
        const QImage image = painted(related, runs, fitted(runs.time(), 1200));
        QVERIFY(!image.isNull());
    }
};

PIPESCOPE_WIDGET_TEST(TestRelatedSlices)
#include "tst_related_slices.moc"

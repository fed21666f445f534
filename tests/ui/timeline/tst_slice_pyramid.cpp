#include "timeline/slice_pyramid.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope;
using timeline::Bar;
using timeline::Coordinates;
using timeline::SlicePyramid;
using timeline::Track;
using trace::EventKind;
using trace::Slice;

namespace {

Slice slice(std::int64_t begin, std::int64_t end, int stage, EventKind kind = EventKind::Compute)
{
    Slice slice;
    slice.time = {begin, end};
    slice.kind = kind;
    slice.stage = StageId{stage};
    return slice;
}

std::vector<Bar> barsOf(const std::vector<Slice> &slices, const Coordinates &seen, Track track = Track::Work)
{
    std::vector<Bar> bars;
    SlicePyramid(slices, track).collect(seen, bars);
    return bars;
}

/// "0-50 stage 1 slice 0", one line per bar.
QString linesOf(const std::vector<Bar> &bars)
{
    QStringList lines;
    for (const Bar &bar : bars)
        lines << QStringLiteral("%1-%2 stage %3 slice %4")
                     .arg(bar.left)
                     .arg(bar.right)
                     .arg(bar.stage.value)
                     .arg(bar.slice);
    return lines.join('\n');
}

/// Back to back, each `length` long.
std::vector<Slice> row(int count, std::int64_t length, int stages)
{
    std::vector<Slice> slices;
    for (int i = 0; i < count; ++i)
        slices.push_back(slice(i * length, (i + 1) * length, i % stages));
    return slices;
}

} // namespace

class TestSlicePyramid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void wideSlicesHaveTheirOwnBars()
    {
        QCOMPARE(linesOf(barsOf({slice(0, 50, 1), slice(60, 100, 2)}, {0, 100, 100})),
                 QString("0-50 stage 1 slice 0\n60-100 stage 2 slice 1"));
    }

    void onlyWhatIsSeenIsTold()
    {
        const std::vector<Slice> slices = row(1000, 10, 3);
        QCOMPARE(linesOf(barsOf(slices, {5001, 18, 180})),
                 QString("-10-90 stage 2 slice 500\n90-190 stage 0 slice 501"));
        QVERIFY(barsOf(slices, {20'000, 100, 100}).empty());
        QVERIFY(barsOf({}, {0, 100, 100}).empty());
    }

    void narrowSlicesShareABarThatLooksLikeMostOfThem()
    {
        // Ten slices a pixel; of every ten nine are of stage 4.
        std::vector<Slice> slices = row(1000, 10, 1);
        for (std::size_t i = 0; i < slices.size(); ++i)
            slices[i].stage = StageId{i % 10 == 3 ? 7 : 4};
        QCOMPARE(linesOf(barsOf(slices, {0, 10'000, 100})), QString("0-100 stage 4 slice -1"));
    }

    void howMuchOfAColumnIsFilledIsToldInQuarters()
    {
        std::vector<Slice> slices;
        for (int i = 0; i < 400; ++i)
            slices.push_back(slice(i * 100, i * 100 + (i < 200 ? 20 : 60), 0));
        const std::vector<Bar> bars = barsOf(slices, {0, 40'000, 100});
        QCOMPARE(linesOf(bars), QString("0-50 stage 0 slice -1\n50-100 stage 0 slice -1"));
        QCOMPARE(bars[0].quarters, 1);
        QCOMPARE(bars[1].quarters, 3);
    }

    void anEvenLaneIsOneEvenBar()
    {
        // 45 % full at every density, also where groups of slices do not end with the columns.
        std::vector<Slice> slices;
        for (int i = 0; i < 10'000; ++i)
            slices.push_back(slice(i * 100, i * 100 + 45, 0));
        for (const double width : {310.0, 500.0, 617.0, 1000.0}) {
            const std::vector<Bar> bars = barsOf(slices, {0, 1e6, width});
            QCOMPARE(bars.front().quarters, 2);
            QVERIFY(bars.size() <= 20);
        }
    }

    void aNarrowSliceAmongWideOnesIsNotLost()
    {
        QCOMPARE(linesOf(barsOf({slice(0, 500, 0), slice(500, 501, 1), slice(510, 1000, 2)}, {0, 1000, 100})),
                 QString("0-50 stage 0 slice 0\n50-51 stage 1 slice -1\n51-100 stage 2 slice 2"));
    }

    void eachTrackHasItsOwnSlices()
    {
        const std::vector<Slice> slices{slice(0, 50, 0), slice(50, 60, 0, EventKind::Send),
                                        slice(60, 90, 1, EventKind::Wait), slice(90, 95, 1, EventKind::Receive)};
        QCOMPARE(linesOf(barsOf(slices, {0, 100, 100}, Track::Work)),
                 QString("0-50 stage 0 slice 0\n60-90 stage 1 slice 2"));
        QCOMPARE(linesOf(barsOf(slices, {0, 100, 100}, Track::Transfer)),
                 QString("50-60 stage 0 slice 1\n90-95 stage 1 slice 3"));
    }

    void aWaitOfNoTimeHasNoBar()
    {
        const std::vector<Slice> slices{slice(0, 30, 0, EventKind::Wait), slice(30, 50, 0),
                                        slice(70, 70, 2, EventKind::Wait), slice(80, 90, 0)};
        QCOMPARE(linesOf(barsOf(slices, {0, 100, 100}, Track::Work)),
                 QString("0-30 stage 0 slice 0\n30-50 stage 0 slice 1\n80-90 stage 0 slice 3"));
    }

    void aSliceThatCoversOthersIsFoundFromItsMiddle()
    {
        std::vector<Slice> slices{slice(0, 100'000, 5)};
        for (int i = 0; i < 100; ++i)
            slices.push_back(slice(10 + i, 11 + i, 0));
        QCOMPARE(linesOf(barsOf(slices, {50'000, 100, 100})), QString("-50000-50000 stage 5 slice 0"));
    }

    void anyZoomGivesAFewBarsPerPixelInOrder()
    {
        std::mt19937 random(11);
        std::vector<Slice> slices;
        std::int64_t at = 0;
        for (int i = 0; i < 50'000; ++i) {
            const std::int64_t begin = at + random() % 300;
            at = begin + 1 + random() % (i % 100 == 0 ? 20'000 : 200);
            slices.push_back(slice(begin, at, static_cast<int>(random() % 4)));
        }
        for (double zoom = 1; zoom < 1e5; zoom *= 3) {
            const Coordinates seen{static_cast<double>(at) / 3 * (1 - 1 / zoom), static_cast<double>(at) / zoom, 800};
            const std::vector<Bar> bars = barsOf(slices, seen);
            QVERIFY(bars.size() <= 2 * 800 + 4);
            for (std::size_t i = 1; i < bars.size(); ++i)
                QVERIFY(bars[i - 1].left <= bars[i].left && bars[i].left < bars[i].right);
        }
    }

    void whatIsAtAPixelIsReallyThere()
    {
        const std::vector<Slice> slices = row(4096, 10, 4096);
        // At four pixels a slice, and at a quarter of one.
        for (const Bar &bar : barsOf(slices, {0, 40'960, 16'384}))
            QCOMPARE(bar.left, bar.stage.value * 4.0);
        for (const Bar &bar : barsOf(slices, {0, 40'960, 1024}))
            QVERIFY(std::abs(bar.left - bar.stage.value / 4.0) <= 1);
    }
};

PIPESCOPE_TEST(TestSlicePyramid)
#include "tst_slice_pyramid.moc"

#include "timeline/coordinates.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::timeline;
using trace::TimeRange;

class TestCoordinates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void timeAndPixelAreEachOthersInverse()
    {
        const Coordinates seen{1000, 4000, 800};
        QCOMPARE(seen.toPixel(1000.0), 0.0);
        QCOMPARE(seen.toPixel(3000.0), 400.0);
        QCOMPARE(seen.toTime(400), 3000.0);
        QCOMPARE(seen.toTime(seen.toPixel(1234.0)), 1234.0);
    }

    void theTimeUnderThePointerStaysThereWhileZooming()
    {
        const Coordinates closer = zoomedAt({1000, 4000, 800}, 200, 2);
        QVERIFY((closer == Coordinates{1500, 2000, 800}));
        QCOMPARE(closer.toTime(200), 2000.0);
    }

    void panningBringsAPixelToTheEdge() { QVERIFY((panned({1000, 4000, 800}, 100) == Coordinates{1500, 4000, 800})); }

    void fittingShowsAllAndALittleRoomAtItsRight()
    {
        const Coordinates seen = fitted({0, 970'000}, 1000);
        QCOMPARE(seen.beginNs, 0.0);
        QCOMPARE(seen.spanNs, 1e6);
        QCOMPARE(fitted({5, 5}, 0).width, 1.0);
        QCOMPARE(fitted({5, 5}, 0).spanNs, LeastSpanNs);
    }

    void noMoreThanTheRunIsSeen()
    {
        const TimeRange run{0, 970'000};
        QVERIFY(clamped({-500, 4e6, 1000}, run) == fitted(run, 1000));
        QCOMPARE(clamped({-500, 1000, 1000}, run).beginNs, 0.0);
        QCOMPARE(clamped({2e6, 1000, 1000}, run).endNs(), 1e6);
        QCOMPARE(clamped({10, 1, 1000}, run).spanNs, LeastSpanNs);
    }

    void farFromZeroWhereSumsRoundARangeStaysARange()
    {
        constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() - 3000;
        for (std::int64_t length = 0; length < 3000; length += 37) {
            const TimeRange run{far, far + length};
            QVERIFY(clamped({0, 1e30, 700}, run).beginNs >= static_cast<double>(far));
        }
    }

    void aRangeIsTakenInEitherDirection()
    {
        const Coordinates seen{0, 1000, 1000};
        QVERIFY((between(seen, 200, 600) == Coordinates{200, 400, 1000}));
        QVERIFY(between(seen, 600, 200) == between(seen, 200, 600));
    }

    void jumpsAreTakenBackInReverse()
    {
        ZoomHistory history;
        const Coordinates first{0, 1000, 100};
        const Coordinates second{200, 400, 100};
        history.push(first);
        history.push(second);
        history.push(second);
        QVERIFY(history.takeBack() == second);
        QVERIFY(history.takeBack() == first);
        QVERIFY(!history.takeBack());
    }

    void oldJumpsAreForgotten()
    {
        ZoomHistory history;
        for (int i = 0; i < 1000; ++i)
            history.push({double(i), 1000, 100});
        int steps = 0;
        while (history.takeBack())
            ++steps;
        QCOMPARE(steps, 64);
    }
};

PIPESCOPE_TEST(TestCoordinates)
#include "tst_coordinates.moc"

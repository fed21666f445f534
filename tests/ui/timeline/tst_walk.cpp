#include "timeline/walk.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using timeline::Spot;
using timeline::Step;
using timeline::walked;

class TestWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void alongALaneAllButWaitsAreMet()
    {
        const auto model = tests::twoRanks();
        QVERIFY((walked(*model, {1, 1, -1}, Step::Next) == Spot{1, 2, -1}));
        QVERIFY(!walked(*model, {1, 1, -1}, Step::Previous));
        QVERIFY(!walked(*model, {1, 4, -1}, Step::Next));
    }

    void fromABubbleTheSlicesBesideItAreMet()
    {
        const auto model = tests::twoRanks();
        QVERIFY((walked(*model, {1, -1, 1}, Step::Next) == Spot{1, 3, -1}));
        QVERIFY((walked(*model, {1, -1, 1}, Step::Previous) == Spot{1, 2, -1}));
        QVERIFY(!walked(*model, {1, -1, 1}, Step::Cause));
    }

    void acrossLanesTheComputeNearestInTimeIsMet()
    {
        const auto model = tests::twoRanks();
        QVERIFY((walked(*model, {1, 4, -1}, Step::Up) == Spot{0, 2, -1}));
        QVERIFY((walked(*model, {0, 0, -1}, Step::Down) == Spot{1, 2, -1}));
        QVERIFY(!walked(*model, {0, 0, -1}, Step::Up));
    }

    void dependenciesAreWalkedBothWays()
    {
        const auto model = tests::twoRanks();
        QVERIFY((walked(*model, {1, 4, -1}, Step::Cause) == Spot{0, 2, -1}));
        QVERIFY((walked(*model, {0, 2, -1}, Step::Effect) == Spot{1, 4, -1}));
    }

    void creditIsWalkedBothWays()
    {
        const auto model = tests::modelOf(tests::oneUnderWayTrace().build());
        QVERIFY((walked(*model, {0, 2, -1}, Step::Cause) == Spot{1, 1, -1}));
        QVERIFY((walked(*model, {1, 1, -1}, Step::Effect) == Spot{0, 2, -1}));
    }

    void fromABubbleWhatItWaitedForAndWhoWaitedAreMet()
    {
        const auto model = tests::modelOf(tests::oneUnderWayTrace().build());
        QVERIFY((walked(*model, {0, -1, 0}, Step::Cause) == Spot{1, 1, -1}));
        QVERIFY((walked(*model, {0, -1, 0}, Step::Effect) == Spot{0, 2, -1}));
        QVERIFY((walked(*model, {1, -1, 1}, Step::Cause) == Spot{0, 2, -1}));
    }

    void walkingBeginsAtTheFirstCompute()
    {
        QVERIFY((firstSpot(*tests::twoRanks()) == Spot{0, 0, -1}));
        QVERIFY(!firstSpot(*tests::modelOf(tests::TraceBuilder(2, 1, 1).build())));
    }
};

PIPESCOPE_TEST(TestWalk)
#include "tst_walk.moc"

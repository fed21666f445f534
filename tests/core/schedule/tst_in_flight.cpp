#include "schedule/in_flight.h"

#include "schedule/forwards_of.h"
#include "schedule/schedule_table.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using schedule::inFlightLimit;

namespace {

schedule::Schedule forwardsOf(const char *key, const schedule::ScheduleRequest &request)
{
    return schedule::forwardsOf(*schedule::buildSchedule(key, request));
}

} // namespace

class TestInFlight : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutAWishTheLimitIsTwoMoreThanThereAreStages()
    {
        const auto limit = inFlightLimit(forwardsOf("gpipe", {3, 3, 8}), schedule::Feeds::chain(3), 0);
        QVERIFY(limit);
        QCOMPARE(*limit, 5);
        QCOMPARE(schedule::mostInFlight(*limit, 8), 5);
        QCOMPARE(schedule::mostInFlight(*limit, 2), 2);
    }

    void aWishIsKept()
    {
        const auto limit = inFlightLimit(forwardsOf("gpipe", {3, 3, 8}), schedule::Feeds::chain(3), 1);
        QVERIFY(limit);
        QCOMPARE(*limit, 1);
    }

    void aScheduleThatNeedsMoreHasNoLimitUnlessThereIsAWish()
    {
        // Two ranks with two stages each run all microbatches of one before the next.
        const schedule::Schedule breadthFirst = forwardsOf("forward", {2, 4, 16});
        const auto limit = inFlightLimit(breadthFirst, schedule::Feeds::chain(4), 0);
        QVERIFY(limit);
        QCOMPARE(*limit, 0);
        QCOMPARE(schedule::mostInFlight(*limit, 16), 16);
        const auto wanted = inFlightLimit(breadthFirst, schedule::Feeds::chain(4), 6);
        QVERIFY(!wanted);
        QCOMPARE(wanted.error().code, ErrorCode::Deadlock);
    }
};

PIPESCOPE_TEST(TestInFlight)
#include "tst_in_flight.moc"

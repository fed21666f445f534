#include "plan/plan_schedule.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

class TestPlanSchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachDeviceIsARank()
    {
        const schedule::ScheduleRequest request = plan::scheduleRequest(2, 6, 8);
        QCOMPARE(request.ranks, 2);
        QCOMPARE(request.stages, 6);
        QCOMPARE(request.microbatches, 8);
        QVERIFY(!request.trains);
    }

    void withoutDevicesEachStageIsARank() { QCOMPARE(plan::scheduleRequest(0, 6, 8).ranks, 6); }
};

PIPESCOPE_TEST(TestPlanSchedule)
#include "tst_plan_schedule.moc"

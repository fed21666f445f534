#include "schedule/schedule_csv.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;

class TestScheduleGrid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRowPerStepAndAColumnPerRank()
    {
        const Schedule schedule = scheduleOf({"0F0 0SEND_F0 0B0", ". 1F0"});
        QCOMPARE(shown(toGrid(schedule)), QString("        Rank 0   Rank 1\n"
                                                  "Step 0: 0F0\n"
                                                  "Step 1: 0SEND_F0 1F0\n"
                                                  "Step 2: 0B0\n"));
    }

    void theFailingStepIsMarked()
    {
        const Schedule schedule = scheduleOf({"0F0 0B0", "1B0 1F0"});
        QCOMPARE(shown(toGrid(schedule, Place{RankId{1}, 0})), QString("        Rank 0 Rank 1\n"
                                                                       "Step 0: 0F0    1B0    <-- ERROR HERE\n"
                                                                       "Step 1: 0B0    1F0\n"));
    }

    void stepNumbersAreAsWideAsTheLargest()
    {
        const Schedule schedule = scheduleOf({"0F0 0F1 0F2 0F3 0F4 0F5 0F6 0F7 0F8 0F9 0F10"});
        const QStringList lines = shown(toGrid(schedule)).split('\n');
        QCOMPARE(lines[0], QString("         Rank 0"));
        QCOMPARE(lines[1], QString("Step 00: 0F0"));
        QCOMPARE(lines[11], QString("Step 10: 0F10"));
    }

    void ofALargeScheduleThePartAroundTheFaultIsShown()
    {
        Schedule schedule{"large", 100, 1000, {}};
        for (int rank = 0; rank < 100; ++rank) {
            Row &row = schedule.ranks.emplace_back();
            for (int step = 0; step < 1000; ++step)
                row.emplace_back(Action{StageId{rank}, ActionKind::Forward, MicrobatchId{step}, {}});
        }
        const QStringList lines = shown(toGrid(schedule, Place{RankId{70}, 500})).split('\n');
        QCOMPARE(lines.size(), 1 + 200 + 1 + 1); // ranks, steps, the note, and nothing after its line end
        QVERIFY(lines[0].trimmed().startsWith("Rank 50 ") && lines[0].endsWith("Rank 89"));
        QVERIFY(lines[1].startsWith("Step 400: 50F400 "));
        QVERIFY(lines[101].startsWith("Step 500: ") && lines[101].endsWith("89F500  <-- ERROR HERE"));
        QCOMPARE(lines[201], QString("(steps 400 to 599 of 1000 and ranks 50 to 89 of 100)"));

        const QStringList last = shown(toGrid(schedule, Place{RankId{99}, 999})).split('\n');
        QVERIFY(last[200].startsWith("Step 999: 60F999 "));
        const QStringList first = shown(toGrid(schedule)).split('\n');
        QVERIFY(first[1].startsWith("Step 000: 0F0 "));
    }
};

PIPESCOPE_TEST(TestScheduleGrid)
#include "tst_schedule_grid.moc"

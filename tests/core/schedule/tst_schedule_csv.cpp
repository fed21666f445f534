#include "schedule/schedule_csv.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;
using tests::textOf;

class TestScheduleCsv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesEndAsUpstreamEndsThem()
    {
        const Schedule zeroBubble = scheduleOf({"0F0 . 0F1 0I0 0W0 0I1 0W1", ". 1F0 1I0 1F1 1I1 1W0 1W1"});
        QCOMPARE(shown(toCsv(zeroBubble)), QString("0F0,,0F1,0I0,0W0,0I1,0W1\r\n,1F0,1I0,1F1,1I1,1W0,1W1\r\n"));
    }

    void aFileGoesThereAndBack()
    {
        const Schedule schedule = scheduleOf({"0UNSHARD 0F0 . 0SEND_F0 .", ". 1RECV_F0 (1F0;1B0)OVERLAP_F_B"});
        auto read = parseCsv(toCsv(schedule), "test");
        QVERIFY(read);
        QCOMPARE(*read, schedule);
    }

    void countsAreWhatTheCellsName()
    {
        const auto schedule = parseCsv("0F0,(2F4;1B0)OVERLAP_F_B\n", "mine.csv");
        QVERIFY(schedule);
        QCOMPARE(schedule->stages, 3);
        QCOMPARE(schedule->microbatches, 5);
        QCOMPARE(schedule->name, std::string("mine.csv"));
    }

    void idleCellsStandAtBothEnds()
    {
        const auto schedule = parseCsv(",0F0,\n1F0,,", "");
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{". 0F0 .", "1F0 . ."}));
    }

    void blanksAndBlankLinesAtTheEndAreFine()
    {
        const auto schedule = parseCsv(" 0F0 , 0F1\r\n\t1F0,1F1 \r\n\r\n  \n", "");
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{"0F0 0F1", "1F0 1F1"}));
    }

    void aBlankLineBetweenIsARankThatDoesNothing()
    {
        const auto schedule = parseCsv("0F0\n\n1F0\n", "");
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{"0F0", ".", "1F0"}));
    }

    void whatASpreadsheetPutsBeforeItIsSkipped()
    {
        const auto schedule = parseCsv("\xef\xbb\xbf"
                                       "0F0,0F1\n1F0,1F1\n",
                                       "exported.csv");
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{"0F0 0F1", "1F0 1F1"}));
    }

    void aBadCellIsNamed()
    {
        const auto schedule = parseCsv("0F0,0F1\n1F0,,1F1,1FX\n", "bad.csv");
        QVERIFY(!schedule);
        QCOMPARE(schedule.error().code, ErrorCode::InvalidFile);
        QCOMPARE(shown(schedule.error().message),
                 QString("rank 1, step 3: Invalid action string: 1FX, should be formatted as [stage][action type]"
                         "[(microbatch)] e.g. 2F0: after F, the microbatch number is missing"));
        QCOMPARE(shown(schedule.error().where), QString("bad.csv"));
    }

    void anEmptyFileIsRefused()
    {
        for (const char *text : {"", "\n", " \r\n\r\n"}) {
            const auto schedule = parseCsv(text, "empty.csv");
            QVERIFY(!schedule);
            QCOMPARE(shown(schedule.error().message), QString("the schedule is empty: it needs a line per rank"));
        }
    }

    void theNumberOfCellsIsBounded()
    {
        QVERIFY(parseCsv("0F0,0F1\n1F0,1F1", "", 4));
        const auto schedule = parseCsv("0F0,0F1\n1F0,1F1,", "", 4);
        QVERIFY(!schedule);
        QCOMPARE(shown(schedule.error().message), QString("rank 1, step 2: a schedule may have at most 4 cells"));
    }

    // Tables by stage or microbatch are made of what a file names.
    void numbersAreBounded()
    {
        const auto stage = parseCsv("0F0,999999999F0", "");
        QVERIFY(!stage);
        QCOMPARE(shown(stage.error().message),
                 QString("rank 0, step 1: 999999999F0: the number 999999999 is not below 4000000"));
        QVERIFY(!parseCsv("(0F0;0B4000000)OVERLAP_F_B", ""));
        QVERIFY(parseCsv("0F3999999", ""));
    }
};

PIPESCOPE_TEST(TestScheduleCsv)
#include "tst_schedule_csv.moc"

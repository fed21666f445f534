#include "schedule/validate_schedule.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;

namespace {

// The message of the Deadlock error, "" where there is none, or the other error with its code.
QString deadlockOf(const std::vector<std::string> &rows, int maxInFlight = 0)
{
    const Status valid = validateSchedule(scheduleOf(rows), {.needsBackward = false, .maxInFlight = maxInFlight});
    if (valid)
        return {};
    const QString message = shown(valid.error().message);
    return valid.error().code == ErrorCode::Deadlock
               ? message
               : shown(std::string(codeName(valid.error().code))) + ": " + message;
}

} // namespace

class TestOrderCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoRanksThatWaitForEachOtherAreNamed()
    {
        const std::vector<std::string> rows{"0F0 0B0 0F1 0B1", "1F0 1F1 1B0 1B1"};
        QCOMPARE(deadlockOf(rows), QString("Schedule is not progressing: "
                                           "rank 0 waits at 0B0 (step 1) for 1B0 of rank 1 (step 2); "
                                           "rank 1 waits at 1F1 (step 1) for 0F1 of rank 0 (step 2)"));
        const Status valid = validateSchedule(scheduleOf(rows));
        QCOMPARE(shown(valid.error().where), QString("Rank 0, step 1"));
        QVERIFY(shown(valid.error().details).contains("Step 1: 0B0    1F1    <-- ERROR HERE\n"));
    }

    void aRankThatWaitsForItselfIsNamed()
    {
        QCOMPARE(deadlockOf({"1F0 0F0"}),
                 QString("Schedule is not progressing: rank 0 waits at 1F0 (step 0) for 0F0, which "
                         "comes later (step 1)"));
        QCOMPARE(deadlockOf({"0F0 1F0 0B0 1B0"}),
                 QString("Schedule is not progressing: rank 0 waits at 0B0 (step 2) for "
                         "1B0, which comes later (step 3)"));
    }

    // Rank 2 waits too, but nobody waits for it.
    void onlyTheCircleIsNamed()
    {
        QCOMPARE(deadlockOf({"0F0 0B0 0F1 0B1", "1F0 1F1 1B0 1B1", "2F0 2F1 2B0 2B1"}),
                 QString("Schedule is not progressing: "
                         "rank 0 waits at 0B0 (step 1) for 1B0 of rank 1 (step 2); "
                         "rank 1 waits at 1F1 (step 1) for 0F1 of rank 0 (step 2)"));
    }

    void aCircleOverThreeRanksIsNamedFromRankToRank()
    {
        QCOMPARE(deadlockOf({"3F0 0F0", "1F0", "2F0"}),
                 QString("Schedule is not progressing: "
                         "rank 0 waits at 3F0 (step 0) for 2F0 of rank 2 (step 0); "
                         "rank 2 waits at 2F0 (step 0) for 1F0 of rank 1 (step 0); "
                         "rank 1 waits at 1F0 (step 0) for 0F0 of rank 0 (step 1)"));
    }

    void inputBackwardFeedsFullBackward()
    {
        QCOMPARE(deadlockOf({"0F0 0B0", "1F0 1I0 1W0"}), QString());
        QCOMPARE(deadlockOf({"0F0 0I0 0W0", "1F0 1B0"}), QString());
        QCOMPARE(deadlockOf({"0F0 0B0 2F0 2I0 2W0", "1F0 1B0"}),
                 QString("Schedule is not progressing: rank 0 waits at 0B0 (step 1) for 1B0 of rank 1 (step 1); "
                         "rank 1 waits at 1B0 (step 1) for 2I0 of rank 0 (step 3)"));
    }

    // Both halves of a compound begin together, and what they give comes at its end.
    void aCompoundNeedsAllItsPartsNeedBeforeItBegins()
    {
        QCOMPARE(deadlockOf({"0F0 (0F1;0B0)OVERLAP_F_B 0B1", "1F0 1B0 1F1 1B1"}), QString());
        QCOMPARE(deadlockOf({"0F0 (0F1;0B0)OVERLAP_F_B 0B1", "1F0 1F1 1B0 1B1"}),
                 QString("Schedule is not progressing: "
                         "rank 0 waits at (0F1;0B0)OVERLAP_F_B (step 1) for 1B0 of rank 1 (step 2); "
                         "rank 1 waits at 1F1 (step 1) for 0F1 of rank 0 (step 1)"));
    }

    void aCompoundsPartsMayFeedEachOther()
    {
        QCOMPARE(deadlockOf({"(0F0;1F0)OVERLAP_F_B (1B0;0B0)OVERLAP_F_B"}), QString());
        QCOMPARE(
            deadlockOf({"(1F0;0F0)OVERLAP_F_B"}),
            QString("Schedule is not progressing: rank 0 waits at (1F0;0F0)OVERLAP_F_B (step 0) for 0F0, which comes "
                    "later (step 0)"));
    }

    void aLongCircleIsCutShort()
    {
        std::vector<std::string> rows{"20F0 0F0"};
        for (int stage = 1; stage < 20; ++stage)
            rows.push_back(std::to_string(stage) + "F0");
        const QString message = deadlockOf(rows);
        QVERIFY(
            message.contains("rank 5 waits at 5F0 (step 0) for 4F0 of rank 4 (step 0); and so on, 20 ranks in all"));
        QVERIFY(!message.contains("rank 4 waits"));
    }

    void theLimitCountsWhatIsUnderWay_data()
    {
        QTest::addColumn<QStringList>("rows");
        QTest::addColumn<int>("least"); // microbatches under way that the order needs
        const auto row = [](const char *name, int least, const QStringList &rows) {
            QTest::newRow(name) << rows << least;
        };
        row("forward, a stage per rank", 1, {"0F0 0F1 0F2", "1F0 1F1 1F2"});
        row("forward, breadth first", 3, {"0F0 0F1 0F2 2F0 2F1 2F2", "1F0 1F1 1F2 3F0 3F1 3F2"});
        row("forward, depth first", 1, {"0F0 2F0 0F1 2F1", "1F0 3F0 1F1 3F1"});
        row("GPipe", 3, {"0F0 0F1 0F2 0B0 0B1 0B2", "1F0 1F1 1F2 1B0 1B1 1B2"});
        row("1F1B", 2, {"0F0 0F1 0B0 0F2 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"});
        row("weight backward ends it", 2, {"0F0 0I0 0F1 0W0 0I1 0W1"});
        row("full backward ends it", 1, {"0F0 0B0 0F1 0B1"});
        row("a compound begins before it ends one", 2, {"0F0 (0F1;0B0)OVERLAP_F_B 0B1"});
        row("a compound that begins two", 2, {"(0F0;0F1)OVERLAP_F_B"});
    }
    void theLimitCountsWhatIsUnderWay()
    {
        QFETCH(QStringList, rows);
        QFETCH(int, least);
        std::vector<std::string> texts;
        for (const QString &row : rows)
            texts.push_back(row.toStdString());
        QCOMPARE(deadlockOf(texts, least), QString());
        if (least > 1)
            QVERIFY(deadlockOf(texts, least - 1).startsWith("Schedule is not progressing: "));
    }

    void aRankHeldBackByTheLimitIsNamed()
    {
        QCOMPARE(deadlockOf({"0F0 0F1 0F2 2F0 2F1 2F2", "1F0 1F1 1F2 3F0 3F1 3F2"}, 2),
                 QString("Schedule is not progressing: "
                         "rank 0 waits at 0F2 (step 2) for 3F0 of rank 1 (step 3), as at most 2 may be under way; "
                         "rank 1 waits at 1F2 (step 2) for 0F2 of rank 0 (step 2)"));
        QCOMPARE(
            deadlockOf({"0F0 0F1 0B0 0B1"}, 1),
            QString("Schedule is not progressing: rank 0 waits at 0F1 (step 1) for 0B0, which comes later (step 2), as "
                    "at most 1 may be under way"));
        QCOMPARE(deadlockOf({"(0F0;0F1)OVERLAP_F_B"}, 1),
                 QString("Schedule is not progressing: rank 0 waits at (0F0;0F1)OVERLAP_F_B (step 0), which "
                         "begins more microbatches than the 1 that may be under way"));
    }
};

PIPESCOPE_TEST(TestOrderCheck)
#include "tst_order_check.moc"

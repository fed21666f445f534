#include "core/runtime/fake_pipeline.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::runtime;
using namespace std::chrono_literals;

class TestStallText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWaitNamesValueMicrobatchStageAndWhoRunsIt()
    {
        const StepPlan plan = fake::chain(2, 4);
        const std::vector<WaitingRank> waiting = {{RankId{1}, {ValueId{1}, MicrobatchId{3}, StageId{0}, StageId{1}}}};
        QCOMPARE(stallText(plan, waiting, {{Activity::Kind::Computing, 3, 10s}, {Activity::Kind::Waiting, 3, 10s}}),
                 std::string(
                     "rank 0 has computed 0F3 for 10.0 s; rank 1 has waited 10.0 s for h0 (microbatch 3) from stage 0, "
                     "which rank 0 is computing"));
    }

    void aProducerThatDoesSomethingElseIsNotBlamed()
    {
        const StepPlan plan = fake::chain(2, 4);
        const std::vector<WaitingRank> waiting = {{RankId{1}, {ValueId{1}, MicrobatchId{3}, StageId{0}, StageId{1}}}};
        QCOMPARE(
            stallText(plan, waiting, {{Activity::Kind::Computing, 2, 1500ms}, {Activity::Kind::Waiting, 3, 250ms}}),
            std::string(
                "rank 0 has computed 0F2 for 1.50 s; rank 1 has waited 250 ms for h0 (microbatch 3) from stage 0, "
                "which rank 0 has not come to"));
    }

    void aWaitForTheLimitSaysWhatTheLimitIs()
    {
        const StepPlan plan = fake::chain(2, 6, fake::inOrder(2, 6), 4);
        const std::vector<WaitingRank> waiting = {{RankId{0}, {ValueId{}, MicrobatchId{4}, StageId{}, StageId{0}}}};
        QCOMPARE(stallText(plan, waiting, {{Activity::Kind::Waiting, 4, 10s}, {Activity::Kind::Computing, 0, 10s}}),
                 std::string("rank 0 has waited 10.0 s for credit: a microbatch has to finish before it begins "
                             "microbatch 4 (at most 4 at "
                             "once); rank 1 has computed 1F0 for 10.0 s"));
    }

    void ranksThatHaveFinishedAreLeftOut()
    {
        const StepPlan plan = fake::chain(2, 1);
        QCOMPARE(stallText(plan, {}, {{Activity::Kind::Finished, 0, 10s}, {Activity::Kind::Computing, 0, 2s}}),
                 std::string("rank 1 has computed 1F0 for 2.00 s"));
    }
};

PIPESCOPE_TEST(TestStallText)
#include "tst_stall_text.moc"

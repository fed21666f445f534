#include "core/runtime/fake_pipeline.h"

#include "support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace pipescope;
using namespace pipescope::runtime;
using namespace std::chrono_literals;

namespace {

using StepValues = std::vector<c10::IValue>;

// As a stage does it: asks for the stop between nodes.
Result<StepValues> runUntilStopped(const std::stop_token &stop)
{
    while (!stop.stop_requested())
        std::this_thread::sleep_for(100us);
    return Error{ErrorCode::Cancelled, "stage stopped", {}, {}};
}

const Error stageError{ErrorCode::ModelFailed, "stage 1, microbatch 3, fc/aten::linear: size mismatch",
                       "fc/aten::linear", "traceback"};

} // namespace

class TestStepFailures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFailureNamesTheRankAndStopsAllOthers()
    {
        // Rank 0 is inside a stage without end, rank 2 waits for rank 1, which fails.
        const StepPlan plan = fake::chain(3, 8);
        const MicrobatchValues arguments = fake::numbers(8);
        std::atomic<bool> inside = false;
        const StageRunner runner = [&](StageId stage, MicrobatchId microbatch, StepValues inputs,
                                       const std::stop_token &stop) -> Result<StepValues> {
            if (stage == StageId{0} && microbatch == MicrobatchId{4}) {
                inside = true;
                return runUntilStopped(stop);
            }
            if (stage == StageId{1} && microbatch == MicrobatchId{3}) {
                while (!inside)
                    std::this_thread::yield();
                return stageError;
            }
            return inputs;
        };
        Step step(plan, arguments, runner, 0us);
        fake::runStep(step, 3);
        Error expected = stageError;
        expected.message = "rank 1 (cpu:1): stage 1, microbatch 3, fc/aten::linear: size mismatch";
        QCOMPARE(*step.error(), expected);
    }

    void anExceptionBecomesAnErrorThatNamesThePlace()
    {
        const StepPlan plan = fake::chain(2, 2);
        const MicrobatchValues arguments = fake::numbers(2);
        const StageRunner runner = [](StageId stage, MicrobatchId, StepValues inputs,
                                      const std::stop_token &) -> Result<StepValues> {
            if (stage == StageId{1})
                throw std::runtime_error("out of luck");
            return inputs;
        };
        Step step(plan, arguments, runner, 0us);
        fake::runStep(step, 2);
        QCOMPARE(step.error()->code, ErrorCode::ModelFailed);
        QCOMPARE(step.error()->message, std::string("rank 1 (cpu:1): stage 1, microbatch 0: out of luck"));
        QCOMPARE(step.error()->where, std::string("stage 1, microbatch 0"));
    }

    void aThrownNumberIsCaughtToo()
    {
        const StepPlan plan = fake::chain(1, 1);
        const MicrobatchValues arguments = fake::numbers(1);
        Step step(
            plan, arguments,
            [](StageId, MicrobatchId, StepValues, const std::stop_token &) -> Result<StepValues> { throw 7; }, 0us);
        fake::runStep(step, 1);
        QCOMPARE(step.error()->code, ErrorCode::ModelFailed);
    }

    void aStageThatGivesTooLittleIsAFaultOfOurs()
    {
        const StepPlan plan = fake::chain(1, 1);
        const MicrobatchValues arguments = fake::numbers(1);
        Step step(
            plan, arguments,
            [](StageId, MicrobatchId, StepValues, const std::stop_token &) -> Result<StepValues> {
                return StepValues{};
            },
            0us);
        fake::runStep(step, 1);
        QCOMPARE(step.error()->code, ErrorCode::Internal);
        QCOMPARE(step.error()->message,
                 std::string("rank 0 (cpu:0): stage 0, microbatch 0: the stage gave 0 values, not 1"));
    }

    void onlyTheFirstErrorCounts()
    {
        const StepPlan plan = fake::chain(1, 1);
        const MicrobatchValues arguments = fake::numbers(1);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        step.fail({ErrorCode::ModelFailed, "first", {}, {}});
        step.fail({ErrorCode::Cancelled, "second", {}, {}});
        fake::runStep(step, 1);
        QCOMPARE(step.error()->message, std::string("first"));
    }

    void aStopEndsRanksThatComputeAndRanksThatWait_data()
    {
        QTest::addColumn<int>("spinMicroseconds");
        QTest::newRow("asleep") << 0;
        QTest::newRow("looking") << 1'000'000;
    }

    void aStopEndsRanksThatComputeAndRanksThatWait()
    {
        QFETCH(int, spinMicroseconds);
        const StepPlan plan = fake::chain(3, 2);
        const MicrobatchValues arguments = fake::numbers(2);
        std::atomic<bool> inside = false;
        const StageRunner runner = [&](StageId stage, MicrobatchId, StepValues inputs,
                                       const std::stop_token &stop) -> Result<StepValues> {
            if (stage != StageId{0})
                return inputs;
            inside = true;
            return runUntilStopped(stop);
        };
        Step step(plan, arguments, runner, std::chrono::microseconds(spinMicroseconds));
        std::thread user([&] {
            while (!inside)
                std::this_thread::yield();
            step.fail({ErrorCode::Cancelled, "the run was cancelled", {}, {}});
        });
        fake::runStep(step, 3);
        user.join();
        QCOMPARE(step.error()->code, ErrorCode::Cancelled);
        QCOMPARE(step.error()->message, std::string("the run was cancelled"));
        QCOMPARE(step.finishedTasks(), std::size_t(0));
    }

    // Rank 0 wants microbatch 1 of stage 2 before it runs stage 0 for it; nothing checks such a schedule here.
    void ranksThatWaitForEachOtherEndAtOnceWithTheirNames()
    {
        const StepPlan plan = fake::chain(3, 2, {{{0, 0}, {2, 1}, {0, 1}, {2, 0}}, {{1, 0}, {1, 1}}});
        const MicrobatchValues arguments = fake::numbers(2);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 2);
        QCOMPARE(step.error()->code, ErrorCode::Deadlock);
        QCOMPARE(step.error()->message,
                 std::string("no rank can go on: rank 0 (cpu:0) waits for h1 (microbatch 1) from stage 1 on rank 1; "
                             "rank 1 (cpu:1) waits for h0 (microbatch 1) from stage 0 on rank 0; "
                             "give the actions an order in which each comes after what it needs"));
        QCOMPARE(step.error()->where, std::string("rank 0 (cpu:0)"));
    }

    void aRankThatWaitsForWhatNobodyRunsEndsAtOnce()
    {
        const StepPlan plan = fake::chain(2, 2, {{{0, 0}}, {{1, 0}, {1, 1}}});
        const MicrobatchValues arguments = fake::numbers(2);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 2);
        QCOMPARE(step.error()->code, ErrorCode::Deadlock);
        QVERIFY(step.error()->message.find("rank 1 (cpu:1) waits for h0 (microbatch 1) from stage 0 on rank 0; give") !=
                std::string::npos);
    }

    void aLimitThatIsTooLowEndsAtOnceAndIsNamed()
    {
        const StepPlan plan = fake::chain(2, 3, {{{0, 0}, {0, 1}, {0, 2}}, {{1, 2}, {1, 1}, {1, 0}}}, 2);
        const MicrobatchValues arguments = fake::numbers(3);
        Step step(plan, arguments, fake::addTen(plan), 0us);
        fake::runStep(step, 2);
        QCOMPARE(step.error()->code, ErrorCode::Deadlock);
        QVERIFY(step.error()->message.find("rank 0 (cpu:0) waits for credit: a microbatch has to finish before it "
                                           "begins microbatch 2 (at most 2 at once); "
                                           "rank 1 (cpu:1) waits for h0 (microbatch 2) from stage 0 on rank 0") !=
                std::string::npos);
    }

    void theReportSaysWhoWaitsForWhat()
    {
        const StepPlan plan = fake::chain(3, 2);
        const MicrobatchValues arguments = fake::numbers(2);
        const StageRunner runner = [](StageId stage, MicrobatchId, StepValues inputs,
                                      const std::stop_token &stop) -> Result<StepValues> {
            return stage == StageId{0} ? runUntilStopped(stop) : Result<StepValues>(std::move(inputs));
        };
        Step step(plan, arguments, runner, 0us);
        std::string report;
        std::thread user([&] {
            const auto end = std::chrono::steady_clock::now() + 10s;
            while (std::chrono::steady_clock::now() < end) {
                report = step.stallReport();
                if (report.find("rank 2") != std::string::npos && report.find("is computing") != std::string::npos)
                    break;
                std::this_thread::sleep_for(1ms);
            }
            step.fail({ErrorCode::Cancelled, "enough", {}, {}});
        });
        fake::runStep(step, 3);
        user.join();
        const QRegularExpression expected("^rank 0 has computed 0F0 for [^;]*; "
                                          "rank 1 has waited [^;]* for h0 \\(microbatch 0\\) from stage 0, "
                                          "which rank 0 is computing; "
                                          "rank 2 has waited [^;]* for h1 \\(microbatch 0\\) from stage 1, "
                                          "which rank 1 has not come to$");
        QVERIFY2(expected.match(QString::fromStdString(report)).hasMatch(), report.c_str());
    }

    // A thousand steps on the same threads, every third of which fails in a place of its own.
    void threadsServeManyStepsAlsoAfterFailures()
    {
        const StepPlan plan = fake::chain(3, 4, fake::inOrder(3, 4), 2);
        const MicrobatchValues arguments = fake::numbers(4);
        comm::RankThreads threads(3, [](RankId) {});
        for (int i = 0; i < 1000; ++i) {
            const bool fails = i % 3 == 0;
            const StageRunner runner = [&](StageId stage, MicrobatchId microbatch, StepValues inputs,
                                           const std::stop_token &) -> Result<StepValues> {
                if (fails && stage.value == i % 9 / 3 && microbatch.value == i % 4)
                    return stageError;
                return StepValues{c10::IValue(inputs[0].toInt() + 10)};
            };
            Step step(plan, arguments, runner, i % 2 * 50us);
            fake::runStep(step, threads);
            QVERIFY2(step.error().has_value() == fails, qPrintable(QString("step %1").arg(i)));
            if (!fails)
                QCOMPARE(step.takeOutputs()[3][0].toInt(), std::int64_t(33));
        }
    }
};

PIPESCOPE_TEST(TestStepFailures)
#include "tst_step_failures.moc"

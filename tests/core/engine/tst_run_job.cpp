#include "engine/run_job.h"

#include "base/file.h"
#include "core/engine/small_models.h"
#include "report/traced_run.h"
#include "schedule/schedule_csv.h"
#include "schedule/schedule_table.h"
#include "trace/trace_collector.h"

#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::tests;

class TestRunJob : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    report::RunRequest request(const torch::jit::Module &module, const char *name, const char *input,
                               std::vector<std::string> splits, int microbatches) const
    {
        report::RunRequest made;
        made.plan.model = save(module, path(name));
        made.plan.inputs = {*plan::parseInputSpec(input)};
        made.plan.splits = std::move(splits);
        made.plan.microbatches = microbatches;
        return made;
    }

    static bool anyContains(const std::vector<std::string> &texts, const std::string &part)
    {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string &text) { return text.find(part) != std::string::npos; });
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aModelOnTheMetaDeviceIsNotRun()
    {
        const report::RunRequest made = request(chainOnMeta(), "meta.pt", "x=float32[6,8]", {"block1"}, 3);
        for (const auto &report : {engine::run(made, {}), engine::check(made, {})}) {
            QVERIFY(!report);
            QCOMPARE(report.error().code, ErrorCode::Unsupported);
            QVERIFY2(report.error().message.starts_with("block0.weight, block1.weight are on the meta device"),
                     report.error().message.c_str());
        }
    }

    void aModelThatIsNotTheOneExpectedIsNotRun()
    {
        report::RunRequest made = request(chain(2, 8), "expected.pt", "x=float32[6,8]", {"block1"}, 3);
        made.expectedSha256 = *fileSha256(made.plan.model);
        QVERIFY(engine::run(made, {}));
        save(chain(3, 8), path("expected.pt"));
        for (const auto &report : {engine::run(made, {}), engine::check(made, {})}) {
            QVERIFY(!report);
            QCOMPARE(report.error().code, ErrorCode::InvalidFile);
            QCOMPARE(report.error().where, made.plan.model);
        }
        made.plan.modelSha256 = made.expectedSha256;
        made.expectedSha256.clear();
        const auto report = engine::run(made, {}); // a plan of another file is a warning
        QVERIFY(report);
        QVERIFY(anyContains(report->warnings, "is not the file the plan was made for"));
    }

    void aSplitChainIsTheUnsplitOne()
    {
        const auto report =
            engine::run(request(chain(4, 8), "chain.pt", "x=float32[6,8]", {"block1", "block2", "block3"}, 3), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence.has_value());
        QVERIFY(report->equivalence->overall.equal);
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(report->separability.has_value());
        QVERIFY(report->separability->holds);
        QCOMPARE(report->stages.size(), std::size_t(4));
        QCOMPARE(report->stages[2].first, std::string("block2"));
        QCOMPARE(report->stages[2].rank, RankId{2});
        QCOMPARE(report->stages[2].parameters, std::int64_t(64));
        QCOMPARE(report->stages[0].sentBytes, std::int64_t(2 * 8 * 4));
        QCOMPARE(report->stages[3].sentBytes, std::int64_t(0));
        QCOMPARE(report->microbatches, (std::vector<std::int64_t>{2, 2, 2}));
        QCOMPARE(report->stats.ranks.size(), std::size_t(4));
        QVERIFY(report->stats.makespanSeconds > 0);
        QVERIFY(report->unsplitSeconds.value_or(0) > 0);
        QVERIFY(report->warnings.empty());
    }

    void thePlanThatComesBackRunsAgain()
    {
        const auto first = engine::run(request(chain(3, 8), "chain.pt", "x=float32[4,8]", {"block1"}, 2), {});
        QVERIFY(first);
        QCOMPARE(first->plan.devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        QCOMPARE(first->plan.splits, (std::vector<std::string>{"block1"}));
        QCOMPARE(first->plan.modelSha256, *fileSha256(first->plan.model));
        report::RunRequest again;
        again.plan = first->plan;
        const auto second = engine::run(again, {});
        QVERIFY(second);
        QCOMPARE(second->plan, first->plan);
        QVERIFY(second->warnings.empty());
    }

    void anotherModelFileThanThePlansIsAWarning()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[4,8]", {"block1"}, 2);
        made.plan.modelSha256 = std::string(64, '0');
        std::vector<std::string> told;
        engine::JobContext context;
        context.warn = [&](const std::string &text) { told.push_back(text); };
        const auto report = engine::run(made, context);
        QVERIFY(report);
        QCOMPARE(report->warnings.size(), std::size_t(1));
        QVERIFY(anyContains(report->warnings, "is not the file the plan was made for"));
        QCOMPARE(told, report->warnings);
    }

    void aNumberOfStagesIsBalanced()
    {
        report::RunRequest made = request(chain(4, 64), "chain.pt", "x=float32[64,64]", {}, 2);
        made.balanceInto = 2;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->stages.size(), std::size_t(2));
        QCOMPARE(report->plan.splits.size(), std::size_t(1));
        QVERIFY(report->stages[0].nodes > 0);
        QVERIFY(report->stages[1].nodes > 0);
        QVERIFY(report->equivalence->overall.bitwise);
    }

    void aLoneNumberInThePlanIsBalancedToo()
    {
        report::RunRequest made = request(chain(4, 64), "chain.pt", "x=float32[64,64]", {"2"}, 2);
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->stages.size(), std::size_t(2));
        QVERIFY(report->warnings.empty());
        made.plan.splits = {"0"};
        const auto refused = engine::run(made, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().message,
                 std::string("expected a number of stages from 1 to as many as there are nodes, found 0"));
    }

    void aNumberThatIsAModulesNameIsSaidToBeTakenSo()
    {
        report::RunRequest made = request(namedChain({"0", "1", "2", "3"}), "numbers.pt", "x=float32[4,8]", {"3"}, 2);
        const auto named = engine::run(made, {});
        QVERIFY2(named, named ? "" : named.error().message.c_str());
        QCOMPARE(named->stages.size(), std::size_t(2));
        QVERIFY(anyContains(named->warnings, "the split '3' is the module of that name; :3 asks for so many stages"));
        made.plan = named->plan; // with names that leave no doubt
        const auto again = engine::check(made, {});
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QVERIFY(again->warnings.empty());
        made.plan.splits = {":3"};
        made.plan.devices.clear();
        const auto balanced = engine::run(made, {});
        QVERIFY2(balanced, balanced ? "" : balanced.error().message.c_str());
        QCOMPARE(balanced->stages.size(), std::size_t(3));
    }

    void modulesOfAnyNameAreSplitAndTheirPlanIsCheckedAgain()
    {
        const std::vector<std::string> names{"", "actor/actor/1/Elu", "a,b", "lin", "lin:end", "markers", "'q"};
        for (const std::string &name : names) {
            if (name.empty())
                continue;
            report::RunRequest made = request(namedChain(names), "named.pt", "x=float32[4,8]", {name}, 2);
            const auto ran = engine::run(made, {});
            QVERIFY2(ran, ran ? "" : ran.error().message.c_str());
            QCOMPARE(ran->stages.size(), std::size_t(2));
            QCOMPARE(ran->plan.splits.size(), std::size_t(1));
            QVERIFY(ran->equivalence->overall.bitwise);
            made.plan = ran->plan;
            const auto checked = engine::check(made, {});
            QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
            QVERIFY(checked->equivalence->overall.bitwise);
            QCOMPARE(checked->plan.splits, ran->plan.splits);
            QVERIFY2(checked->warnings.empty(), name.c_str());
        }
    }

    void aSplitAtEveryCallOfAModuleSaysSo()
    {
        const report::RunRequest made =
            request(namedChain({"lin", "lin"}), "twice.pt", "x=float32[4,8]", {"lin:end"}, 2);
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->stages.size(), std::size_t(2));
        QVERIFY(anyContains(report->warnings, "the split 'lin:end' is 2 places, after each call of 'lin': 1 of these "
                                              "begins a stage; the other makes none of its own"));
    }

    void moreStagesThanThereCanBeAreRefused()
    {
        report::RunRequest made = request(chain(1, 4), "chain.pt", "x=float32[4,4]", {}, 1);
        made.balanceInto = 1000;
        const auto report = engine::run(made, {});
        QVERIFY(!report);
        QVERIFY(report.error().code == ErrorCode::InvalidArgument);
    }

    void tooFewRowsLowerTheMicrobatchesWithAWarning()
    {
        const auto report = engine::run(request(chain(2, 8), "chain.pt", "x=float32[3,8]", {"block1"}, 8), {});
        QVERIFY(report);
        QCOMPARE(report->microbatches, (std::vector<std::int64_t>{1, 1, 1}));
        QCOMPARE(report->warnings,
                 (std::vector<std::string>{
                     "8 microbatches were asked for and 3 made: input 'x' has 3 rows along dimension 0"}));
    }

    void stateIsPutBackBetweenRunsAndNamed()
    {
        report::RunRequest made = request(counting(), "counting.pt", "x=float32[4,4]", {"second"}, 2);
        made.repeat = 3;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(report->separability.has_value());
        QVERIFY(!report->separability->holds);
        QVERIFY(report->separability->cause == report::Cause::State);
        QCOMPARE(report->makespans.size(), std::size_t(3));
        std::vector<double> sorted = report->makespans;
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(report->stats.makespanSeconds, sorted[1]);
    }

    void aMeanOverTheBatchIsNotSeparable()
    {
        const auto report = engine::run(request(centring(), "centring.pt", "x=float32[4,4]", {"first:end"}, 2), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(!report->separability->holds);
        QVERIFY(report->separability->cause == report::Cause::BatchReduction);
    }

    void anOutputThatIsNoRowIsNotSeparableUnlessItIsSaidHowToJoinIt()
    {
        report::RunRequest made = request(summing(), "summing.pt", "x=float32[4,4]", {"first"}, 2);
        made.repeat = 2;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(report->separability.has_value());
        QVERIFY(!report->separability->holds);
        QVERIFY2(report->separability->explanation.starts_with("an output has no batch dimension"),
                 report->separability->explanation.c_str());

        made.plan.outputChunks = microbatch::ChunkSpec{microbatch::Reducer::Sum};
        const auto summed = engine::run(made, {});
        QVERIFY2(summed, summed ? "" : summed.error().message.c_str());
        QVERIFY(summed->separability.has_value());
        QVERIFY(summed->separability->holds);

        made.plan.outputChunks = microbatch::ChunkSpec{microbatch::TensorChunkSpec{0}}; // of a number
        const auto misfit = engine::run(made, {});
        QVERIFY2(misfit, misfit ? "" : misfit.error().message.c_str());
        QVERIFY(misfit->equivalence->overall.bitwise);
        QVERIFY(!misfit->separability.has_value());
        QVERIFY2(misfit->separabilityUnknown.starts_with("the outputs' chunk spec does not fit the "
                                                         "model's outputs: output cannot be joined by 0: "),
                 misfit->separabilityUnknown.c_str());
    }

    void tiedParametersAreReported()
    {
        const auto report = engine::run(request(tiedChain(), "tied.pt", "x=float32[4,8]", {"block1"}, 2), {});
        QVERIFY(report);
        QCOMPARE(report->ties.size(), std::size_t(1));
        QCOMPARE(report->ties[0].stages, (std::vector<StageId>{StageId{0}, StageId{1}}));
        QVERIFY(report->equivalence->overall.bitwise);
    }

    void withoutCheckNothingIsCompared()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[4,8]", {"block1"}, 2);
        made.check = false;
        const auto report = engine::run(made, {});
        QVERIFY(report);
        QVERIFY(!report->equivalence);
        QVERIFY(!report->separability);
        QVERIFY(!report->unsplitSeconds);
    }

    void aScheduleFileIsRunAndMustFit()
    {
        const auto csv = [&](int stages, int microbatches) {
            const auto schedule = schedule::buildSchedule("forward", {2, stages, microbatches});
            const std::string file = path("schedule.csv");
            return writeFile(file, schedule::toCsv(*schedule)) ? "@" + file : std::string();
        };
        report::RunRequest made = request(chain(4, 8), "chain.pt", "x=float32[4,8]", {"block1", "block2", "block3"}, 2);
        made.plan.schedule = csv(4, 2);
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->plan.devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        QCOMPARE(report->stages[2].rank, RankId{0});
        QVERIFY(report->equivalence->overall.bitwise);
        QCOMPARE(report->schedule, made.plan.schedule);

        made.plan.schedule = csv(2, 2);
        const auto wrong = engine::run(made, {});
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().message.find("is for 2 stages, but the model is split into 4") != std::string::npos,
                 wrong.error().message.c_str());

        made.plan.schedule = csv(4, 3);
        const auto other = engine::run(made, {});
        QVERIFY(!other);
        QVERIFY2(other.error().message.find("is for 3 microbatches, but the batch gives 2") != std::string::npos,
                 other.error().message.c_str());

        for (const char *bad : {"0F0,1FX\n", "0F0,0F1\n1F0,1F1\n2F0,2F1\n3F1\n"}) { // no action; one missing
            QVERIFY(writeFile(path("schedule.csv"), bad));
            const auto refused = engine::run(made, {});
            QVERIFY(!refused);
            QVERIFY2(refused.error().message.find("the schedule '" + path("schedule.csv") + "' cannot be used: ") == 0,
                     refused.error().message.c_str());
        }
    }

    void theTraceOfTheReportedRunIsToldWholeInParts()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[8,8]", {"block1"}, 8);
        made.repeat = 5;
        made.check = false;
        trace::TraceCollector parts;
        engine::JobContext context;
        context.partBytes = 1000; // a few events
        context.traced = [&parts](const trace::TracePart &part) { parts.add(part); };
        const auto report = engine::run(made, context);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->traced.parts > 3);
        const auto run = report::withTrace(*report, std::move(parts));
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QCOMPARE(run->trace.microbatches, 8);
        QVERIFY(run->stats == trace::traceStats(run->trace));
        QCOMPARE(run->stats.makespanSeconds, run->makespans.at(static_cast<std::size_t>(run->traced.run)));
    }

    void theTraceOfTheReportedRunIsGivenWhole()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[8,8]", {"block1"}, 8);
        made.repeat = 5;
        std::vector<trace::Trace> traces;
        engine::JobContext context;
        context.wholeTrace = [&traces](trace::Trace trace) { traces.push_back(std::move(trace)); };
        const auto report = engine::run(made, context);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(traces.size(), std::size_t(1));
        QVERIFY(report->stats == trace::traceStats(traces[0]));
        QCOMPARE(static_cast<std::int64_t>(traces[0].events.size()), report->traced.events);
        QCOMPARE(report->traced.parts, 0);
    }

    void aRunOfForwardsSaysThatBackwardsAreLeftOut()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[4,8]", {"block1"}, 2);
        engine::JobContext context;
        std::string title;
        context.traced = [&title](const trace::TracePart &part) { title = part.trace.title; };
        const auto report = engine::run(made, context);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->plan.schedule, std::string("gpipe")); // the plan is still the user's
        QCOMPARE(report->schedule, std::string("forwards of gpipe"));
        QCOMPARE(title, std::string("Chain, forwards of gpipe"));
        made.plan.schedule = "@" + path("trains.csv");
        QVERIFY(writeFile(path("trains.csv"), "0F0,0F1,,0B0,0B1\r\n1F0,1B0,1F1,1B1\r\n"));
        const auto own = engine::run(made, {});
        QVERIFY2(own, own ? "" : own.error().message.c_str());
        QCOMPARE(own->schedule, "forwards of @" + path("trains.csv"));
        made.plan.schedule = "forward";
        QCOMPARE(engine::run(made, {})->schedule, std::string("forward"));
    }

    void devicesMustFitTheSchedule()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[4,8]", {"block1"}, 2);
        made.plan.schedule = "@" + path("two.csv");
        QVERIFY(writeFile(path("two.csv"), "0F0,0F1\r\n1F0,1F1\r\n"));
        made.plan.devices = {"cpu:0", "cpu:1", "cpu:2"};
        const auto report = engine::run(made, {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("is for 2 ranks, but 3 devices are given") != std::string::npos,
                 report.error().message.c_str());
    }

    void valuesThatMakeNoSenseAreRefusedBeforeLoading()
    {
        report::RunRequest made;
        made.plan.model = "does-not-exist.pt";
        made.plan.rtol = 1e-3;
        QVERIFY(engine::run(made, {}).error().code == ErrorCode::InvalidArgument);
        made.plan.rtol.reset();
        made.repeat = 0;
        QVERIFY(engine::run(made, {}).error().code == ErrorCode::InvalidArgument);
        made.repeat = 1;
        QVERIFY(engine::run(made, {}).error().code == ErrorCode::NotFound);
    }

    void aModelThatFailsInAStageIsSaidToFailOnTheWholeBatch()
    {
        const auto report = engine::run(request(failing(), "failing.pt", "x=float32[4,4]", {"first:end"}, 2), {});
        QVERIFY(!report);
        QVERIFY(report.error().code == ErrorCode::ModelFailed);
        QVERIFY2(report.error().message.starts_with("unsplit model, the whole batch, aten::matmul"),
                 report.error().message.c_str());
        QCOMPARE(report.error().where, std::string("aten::matmul"));
    }

    void whereTheModelFailsOnAMicrobatchInputsThatDifferInRowsAreNamed()
    {
        torch::jit::Module module = emptyModule("Masked");
        module.define("def forward(self, x: Tensor, mask: Tensor) -> Tensor:\n    return torch.matmul(x, mask)\n");
        report::RunRequest made = request(module, "masked.pt", "x=float32[8,16]", {}, 4);
        made.plan.inputs.push_back(*plan::parseInputSpec("mask=float32[16,16]"));
        const auto failed = engine::run(made, {});
        QVERIFY(!failed);
        QVERIFY2(
            failed.error().message.ends_with(
                "mat1 and mat2 shapes cannot be multiplied (2x16 and 4x16); the whole batch works (x float32[8, 16], "
                "mask float32[16, 16]), microbatch 0 alone does not (x float32[2, 16], mask float32[4, 16]); it works "
                "cut another way: --chunk mask=replicate"),
            failed.error().message.c_str());
        made.plan.inputChunks.emplace_back("mask", microbatch::ChunkSpec{microbatch::Replicate{}});
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
    }

    void whatIsUnderWayIsSaidStepByStep()
    {
        report::RunRequest made = request(chain(2, 8), "chain.pt", "x=float32[4,8]", {"block1"}, 2);
        std::vector<std::string> steps;
        engine::JobContext context;
        context.progress = [&](std::string_view step, double) {
            if (steps.empty() || steps.back() != step)
                steps.emplace_back(step);
        };
        const auto report = engine::run(made, context);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        for (const char *step : {"pipeline: warming up", "pipeline: 2 microbatches", "unsplit model: microbatch 1 of 2",
                                 "unsplit model: microbatch 2 of 2", "comparing with the unsplit model",
                                 "unsplit model: the whole batch", "unsplit model: timing it"})
            QVERIFY2(std::find(steps.begin(), steps.end(), step) != steps.end(), step);
    }

    void cancelInMidRunEndsIt()
    {
        report::RunRequest made = request(chain(2, 256), "chain.pt", "x=float32[512,256]", {"block1"}, 512);
        std::stop_source source;
        engine::JobContext context;
        context.stop = source.get_token();
        context.progress = [&](std::string_view step, double) {
            if (step == "pipeline: warming up" || step == "pipeline: 512 microbatches, run 1 of 10000")
                source.request_stop();
        };
        made.repeat = 10000;
        const auto report = engine::run(made, context);
        QVERIFY(!report);
        QVERIFY(report.error().code == ErrorCode::Cancelled);
        QCOMPARE(report.error().message, std::string("the run was cancelled"));
    }
};

PIPESCOPE_TEST(TestRunJob)
#include "tst_run_job.moc"

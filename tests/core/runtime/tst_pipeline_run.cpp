#include "runtime/pipeline_run.h"

#include "import/import_method.h"
#include "make_examples/script_text.h"
#include "partition/split_point.h"
#include "schedule/schedule_table.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <thread>
#include <torch/library.h>
#include <tuple>

#include "support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace pipescope;
using namespace std::chrono_literals;
using runtime::PipelineRun;
using runtime::RunOptions;
using Values = std::vector<c10::IValue>;

namespace {

// What a stage finds on its thread: intra-op threads, autograd, inference mode.
at::Tensor threadFacts(const at::Tensor &)
{
    return at::tensor(
        {at::get_num_threads(), at::GradMode::is_enabled() ? 1 : 0, c10::InferenceMode::is_enabled() ? 1 : 0});
}

std::atomic<int> passed = 0; // through counted()

at::Tensor counted(const at::Tensor &x)
{
    ++passed;
    return x.clone();
}

struct Pipeline
{
    import::ImportedModel model;
    partition::Partition partition;
    std::unique_ptr<PipelineRun> run;
};

RunOptions onCpus(int ranks)
{
    RunOptions options;
    for (int rank = 0; rank < ranks; ++rank)
        options.devices.push_back("cpu:" + std::to_string(rank));
    return options;
}

torch::jit::Module moduleOf(const std::string &code)
{
    torch::jit::Module module("Model");
    module.define(code);
    return module;
}

std::unique_ptr<Pipeline> splitOf(const torch::jit::Module &module, const std::vector<std::string> &words)
{
    auto model = import::importMethod(module);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    const auto cuts = partition::resolveSplits(model->graph, words);
    if (!cuts)
        qFatal("%s", cuts.error().message.c_str());
    auto partition = partition::makePartition(model->graph, *cuts);
    if (!partition)
        qFatal("%s", partition.error().message.c_str());
    return std::unique_ptr<Pipeline>(new Pipeline{std::move(*model), std::move(*partition), {}});
}

Status make(Pipeline &pipeline, int ranks, int microbatches, RunOptions options, const char *scheduleName = "forward")
{
    const int stages = static_cast<int>(pipeline.partition.stages.size());
    const auto schedule = schedule::buildSchedule(scheduleName, {ranks, stages, microbatches});
    if (!schedule)
        return schedule.error();
    auto run = PipelineRun::create(pipeline.model, pipeline.partition, *schedule, std::move(options));
    if (!run)
        return run.error();
    pipeline.run = *std::move(run);
    return Success{};
}

// One rank per stage.
std::unique_ptr<Pipeline> pipelineOf(const torch::jit::Module &module, const std::vector<std::string> &words,
                                     int microbatches)
{
    auto pipeline = splitOf(module, words);
    const int stages = static_cast<int>(pipeline->partition.stages.size());
    if (const Status made = make(*pipeline, stages, microbatches, onCpus(stages)); !made)
        qFatal("%s", made.error().message.c_str());
    return pipeline;
}

torch::jit::Module doubleThenAdd()
{
    return moduleOf("def forward(self, x):\n    h = x * 2\n    return h + 1\n");
}

// Stage 1 multiplies as often as `steps` says.
torch::jit::Module looping()
{
    return moduleOf("def forward(self, x, steps: int):\n"
                    "    h = torch.neg(x)\n"
                    "    for i in range(steps):\n"
                    "        h = h * 1.0\n"
                    "    return h\n");
}

constexpr std::int64_t endless = 1'000'000'000'000;

long statusNumber(const std::string &key)
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == key) {
            long number = 0;
            status >> number;
            return number;
        }
    }
    return 0;
}

} // namespace

TORCH_LIBRARY(pipescope_test, library)
{
    library.def("thread_facts(Tensor x) -> Tensor", &threadFacts);
    library.def("counted(Tensor x) -> Tensor", &counted);
}

class TestPipelineRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unevenMicrobatchesKeepTheirRows()
    {
        const auto pipeline = pipelineOf(doubleThenAdd(), {"aten::add"}, 3);
        const auto result = pipeline->run->run({{at::ones({3, 2})}, {at::ones({2, 2}) * 2}, {at::ones({1, 2}) * 3}});
        QVERIFY(bool(result));
        QVERIFY(result->outputs[0][0].toTensor().equal(at::full({3, 2}, 3.0)));
        QVERIFY(result->outputs[1][0].toTensor().equal(at::full({2, 2}, 5.0)));
        QVERIFY(result->outputs[2][0].toTensor().equal(at::full({1, 2}, 7.0)));
    }

    void whatAStageHandsOnIsNotCopied()
    {
        const auto pipeline = pipelineOf(
            moduleOf("def forward(self, x):\n    h = x.view([-1])\n    return h.view([2, 3])\n"), {"aten::view#1"}, 1);
        const at::Tensor x = at::arange(6, at::kFloat).reshape({2, 3});
        const auto result = pipeline->run->run({{x}});
        QVERIFY(bool(result));
        const at::Tensor output = result->outputs[0][0].toTensor();
        QVERIFY(output.equal(x));
        QCOMPARE(output.const_data_ptr(), x.const_data_ptr());
    }

    void theTraceIsNamedAndCountsMemory()
    {
        const auto pipeline =
            pipelineOf(moduleOf("def forward(self, x):\n    h = torch.neg(x)\n    return h.sum()\n"), {"aten::sum"}, 2);
        const at::Tensor megabyte = at::ones({512, 512});
        const auto result = pipeline->run->run({{megabyte}, {megabyte}});
        QVERIFY(bool(result));
        const trace::Trace &trace = result->trace;
        QCOMPARE(trace.title, std::string("Model, forward"));
        QCOMPARE(trace.rankNames, (std::vector<std::string>{"rank 0 (cpu:0)", "rank 1 (cpu:1)"}));
        QCOMPARE(trace.ranks, 2);
        QCOMPARE(trace.stages, 2);
        QCOMPARE(trace.microbatches, 2);
        std::int64_t peak = 0;
        for (const trace::MemorySample &sample : trace.memory) {
            QVERIFY(sample.timeNs >= 0);
            if (sample.rank == RankId{0})
                peak = std::max(peak, sample.bytes);
        }
        QVERIFY2(peak == 1 << 20 || peak == 2 << 20, qPrintable(QString::number(peak)));
        const auto sends = std::count_if(trace.events.begin(), trace.events.end(), [](const trace::Event &event) {
            return event.kind == trace::EventKind::Send && event.bytes == 1 << 20 && event.peer == StageId{1};
        });
        QCOMPARE(sends, 2);
    }

    void whatNoLastStageMakesIsReturnedToo_data()
    {
        QTest::addColumn<QString>("returned");
        QTest::addColumn<double>("expected");
        QTest::newRow("a value of the first stage") << "h" << 6.0;
        QTest::newRow("the argument") << "x" << 3.0;
        QTest::newRow("a parameter") << "self.weight" << 8.0;
    }

    void whatNoLastStageMakesIsReturnedToo()
    {
        QFETCH(QString, returned);
        QFETCH(double, expected);
        torch::jit::Module module("Model");
        module.register_parameter("weight", at::full({1}, 8.0), false);
        module.define("def forward(self, x):\n"
                      "    h = x * 2\n"
                      "    assert bool((h + 1).sum() < 100), 'too large'\n"
                      "    return " +
                      returned.toStdString() + "\n");
        const auto pipeline = pipelineOf(module, {"aten::add"}, 2);
        const auto result = pipeline->run->run({{at::full({1}, 3.0)}, {at::full({1}, 3.0)}});
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        for (const Values &outputs : result->outputs)
            QVERIFY(outputs[0].toTensor().equal(at::full({1}, expected)));
    }

    void aConstantIsReturnedToo()
    {
        const auto pipeline = pipelineOf(moduleOf("def forward(self, x):\n"
                                                  "    h = x * 2\n"
                                                  "    assert bool((h + 1).sum() < 100), 'too large'\n"
                                                  "    return 7\n"),
                                         {"aten::add"}, 1);
        const auto result = pipeline->run->run({{at::ones({1})}});
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        QCOMPARE(result->outputs[0][0].toInt(), std::int64_t(7));
    }

    void aFailureNamesRankStageMicrobatchAndNodeAndTheNextRunIsFine()
    {
        torch::jit::Module module("Model");
        module.register_parameter("weight", at::ones({2, 2}), false);
        module.define("def forward(self, x):\n    h = x * 2\n    return torch.matmul(h, self.weight)\n");
        const auto pipeline = pipelineOf(module, {"aten::matmul"}, 5);
        const Values good = {at::ones({1, 2})};
        const auto bad = pipeline->run->run({good, good, good, {at::ones({1, 3})}, good});
        QVERIFY(!bad);
        QCOMPARE(bad.error().code, ErrorCode::ModelFailed);
        QCOMPARE(bad.error().where, std::string("aten::matmul"));
        const QString message = QString::fromStdString(bad.error().message);
        QVERIFY2(message.startsWith("rank 1 (cpu:1): stage 1, microbatch 3, aten::matmul ("), qPrintable(message));
        QVERIFY2(message.contains("1x3 and 2x2"), qPrintable(message));
        const auto result = pipeline->run->run({good, good, good, good, good});
        QVERIFY(bool(result));
        QVERIFY(result->outputs[3][0].toTensor().equal(at::full({1, 2}, 4.0)));
    }

    void cancellingEndsAStageInTheMiddleOfALoopAndTheNextRunIsFine()
    {
        auto pipeline = splitOf(looping(), {"prim::Loop"});
        std::stop_source source;
        RunOptions options = onCpus(2);
        options.stallReport = 1ms;
        options.report = [&source](const std::string &text) {
            if (text.find("has computed 1F0") != std::string::npos)
                source.request_stop();
        };
        QVERIFY(bool(make(*pipeline, 2, 3, options)));
        const Values forever = {at::ones({2}), endless};
        const auto cancelled = pipeline->run->run({forever, forever, forever}, source.get_token()); // else for days
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QCOMPARE(cancelled.error().message, std::string("the run was cancelled"));
        const Values twice = {at::ones({2}), 2};
        const auto result = pipeline->run->run({twice, twice, twice});
        QVERIFY(bool(result));
        QVERIFY(result->outputs[2][0].toTensor().equal(at::full({2}, -1.0)));
    }

    void aRunThatIsCancelledBeforeItBeginsDoesNothing()
    {
        const auto pipeline = pipelineOf(looping(), {"prim::Loop"}, 1);
        std::stop_source source;
        source.request_stop();
        const auto result = pipeline->run->run({{at::ones({2}), endless}}, source.get_token());
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
    }

    void aStallIsReportedWithWhoWaitsForWhat()
    {
        auto pipeline = splitOf(moduleOf("def forward(self, x, steps: int):\n"
                                         "    h = x\n"
                                         "    for i in range(steps):\n"
                                         "        h = h * 1.0\n"
                                         "    return torch.neg(h)\n"),
                                {"aten::neg"});
        std::stop_source source;
        std::string report;
        RunOptions options = onCpus(2);
        options.stallReport = 20ms;
        options.report = [&](const std::string &text) {
            report = text;
            if (text.find("rank 1") != std::string::npos) // on a busy machine its thread comes late
                source.request_stop();
        };
        QVERIFY(bool(make(*pipeline, 2, 1, options)));
        const auto result = pipeline->run->run({{at::ones({2}), endless}}, source.get_token());
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        const QRegularExpression expected(
            "^rank 0 has computed 0F0 for [^;]* ms; rank 1 has waited [^;]* ms for prim::Loop:0 "
            "\\(microbatch 0\\) from stage 0, which rank 0 is computing$");
        QVERIFY2(expected.match(QString::fromStdString(report)).hasMatch(), report.c_str());
    }

    void progressRisesToOneOnTheCallersThread()
    {
        const auto pipeline = pipelineOf(looping(), {"prim::Loop"}, 8);
        std::vector<double> fractions;
        bool elsewhere = false;
        const auto caller = std::this_thread::get_id();
        const std::vector<Values> microbatches(8, Values{at::ones({2}), 30'000});
        QVERIFY(bool(pipeline->run->run(microbatches, {}, [&](std::string_view step, double fraction) {
            elsewhere = elsewhere || std::this_thread::get_id() != caller || step != "running";
            fractions.push_back(fraction);
        })));
        QVERIFY(!elsewhere);
        QVERIFY(!fractions.empty());
        QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
        QCOMPARE(fractions.back(), 1.0);
        QVERIFY(fractions.front() > 0.0);
    }

    void whatIsToldWhileRunningIsTheTrace()
    {
        const auto pipeline = pipelineOf(looping(), {"prim::Loop"}, 8);
        const std::vector<Values> microbatches(8, Values{at::ones({2}), 30'000});
        for (int run = 0; run < 2; ++run) {
            trace::Trace told;
            int parts = 0;
            bool elsewhere = false;
            const auto caller = std::this_thread::get_id();
            const auto result = pipeline->run->run(microbatches, {}, {}, [&](const trace::Trace &part) {
                elsewhere = elsewhere || std::this_thread::get_id() != caller;
                ++parts;
                told.title = part.title;
                told.ranks = part.ranks;
                told.events.insert(told.events.end(), part.events.begin(), part.events.end());
                told.memory.insert(told.memory.end(), part.memory.begin(), part.memory.end());
            });
            QVERIFY(bool(result));
            QVERIFY(!elsewhere);
            QVERIFY(parts >= 1);
            QCOMPARE(told.title, result->trace.title);
            QCOMPARE(told.ranks, 2);
            std::stable_sort(told.events.begin(), told.events.end(), [](const trace::Event &a, const trace::Event &b) {
                return std::tuple(a.beginNs, a.rank, a.endNs) < std::tuple(b.beginNs, b.rank, b.endNs);
            });
            QVERIFY(told.events == result->trace.events);
            std::stable_sort(told.memory.begin(), told.memory.end(),
                             [](const auto &a, const auto &b) { return a.timeNs < b.timeNs; });
            QVERIFY(told.memory == result->trace.memory);
        }
    }

    void whoIsSlowToListenHoldsNoRankUp()
    {
        const examples::ScriptText text(R"script(
class Counted(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Counted, x: Tensor) -> Tensor:
    h = torch.matmul(x, x)
    h0 = torch.matmul(h, x)
    return ops.pipescope_test.counted(torch.neg(h0))
)script");
        const auto pipeline = pipelineOf(text.make("Counted"), {"aten::neg"}, 8);
        const std::vector<Values> microbatches(8, Values{at::ones({500, 500})}); // some milliseconds each
        passed = 0;
        bool goOn = true; // while the listener does not
        const auto result = pipeline->run->run(microbatches, {}, {}, [&goOn](const trace::Trace &) {
            goOn = goOn && QTest::qWaitFor([] { return passed == 8; }, 60'000);
        });
        QVERIFY(bool(result));
        QVERIFY(goOn);
    }

    void ranksHaveTheirOwnWidthAndGradMode_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<bool>("grad");
        QTest::newRow("1, no grad") << 1 << false;
        QTest::newRow("3, grad") << 3 << true;
    }

    void ranksHaveTheirOwnWidthAndGradMode()
    {
        QFETCH(int, threads);
        QFETCH(bool, grad);
        const examples::ScriptText text(R"script(
class Facts(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Facts, x: Tensor) -> Tensor:
    a = ops.pipescope_test.thread_facts(x)
    h = torch.mul(x, 2)
    b = ops.pipescope_test.thread_facts(h)
    return torch.stack([a, b])
)script");
        auto pipeline = splitOf(text.make("Facts"), {"aten::mul"});
        const int callers = at::get_num_threads();
        RunOptions options = onCpus(2);
        options.threadsPerRank = threads;
        options.grad = grad;
        QVERIFY(bool(make(*pipeline, 2, 1, options)));
        const auto result = pipeline->run->run({{at::ones({2})}});
        QVERIFY(bool(result));
        const at::Tensor expected = at::tensor({threads, grad ? 1 : 0, 0}).repeat({2, 1});
        QVERIFY(result->outputs[0][0].toTensor().equal(expected));
        QCOMPARE(at::get_num_threads(), callers);
        int later = 0;
        std::thread([&later] { later = at::get_num_threads(); }).join();
        QCOMPARE(later, callers);
        QVERIFY(at::GradMode::is_enabled());
    }

    // Rank 0 runs stage 0 for all microbatches before stage 2: the default limit of stages + 2 = 6 would stop it.
    void breadthFirstRunsWithMoreMicrobatchesThanTheDefaultLimit()
    {
        auto pipeline = splitOf(moduleOf("def forward(self, x):\n"
                                         "    x = x * 2\n"
                                         "    x = torch.neg(x)\n"
                                         "    x = torch.abs(x)\n"
                                         "    return x + 1\n"),
                                {"aten::neg", "aten::abs", "aten::add"});
        QCOMPARE(pipeline->partition.stages.size(), std::size_t(4));
        QVERIFY(bool(make(*pipeline, 2, 16, onCpus(2))));
        const auto result = pipeline->run->run(std::vector<Values>(16, Values{at::ones({1})}));
        QVERIFY(bool(result));
        QVERIFY(result->outputs[15][0].toTensor().equal(at::full({1}, 3.0)));
    }

    void aLimitTheScheduleCannotKeepIsRefused()
    {
        auto pipeline =
            splitOf(moduleOf("def forward(self, x):\n    x = x * 2\n    x = torch.neg(x)\n    return x + 1\n"),
                    {"aten::neg", "aten::add"});
        RunOptions options = onCpus(1);
        options.maxInFlight = 1;
        const Status status = make(*pipeline, 1, 4, options);
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::Deadlock);
    }

    void whatDoesNotFitTogetherIsRefused_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("message");
        QTest::newRow("stages") << 3 << 3 << ""
                                << "the model is split into 2 stages, the schedule 'forward' is for 3";
        QTest::newRow("devices") << 2 << 1 << ""
                                 << "the schedule 'forward' is for 1 ranks, 2 devices are given";
        QTest::newRow("gpu") << 2 << 2 << "gpu"
                             << "cuda:0: the GPU plug-in is not in this build; use cpu:0, cpu:1, ...";
        QTest::newRow("width") << 2 << 2 << "width"
                               << "0 threads per rank; a rank needs at least one";
        QTest::newRow("limit") << 2 << 2 << "limit"
                               << "at most -1 microbatches in flight; give a number above 0, or 0 for the default";
        QTest::newRow("missing action") << 2 << 2 << "missing"
                                        << "Got 1 FORWARD microbatches for stage 1, expected 2";
        QTest::newRow("a backward") << 2 << 2 << "backward"
                                    << "the schedule 'forward' has 1B1, which a run of forwards does not do; give its "
                                       "forwards alone";
        QTest::newRow("an idle step") << 2 << 2 << "idle"
                                      << "the schedule 'forward' has an idle step, which a run of forwards does not "
                                         "do; give its forwards alone";
    }

    void whatDoesNotFitTogetherIsRefused()
    {
        QFETCH(int, stages);
        QFETCH(int, ranks);
        QFETCH(QString, fault);
        QFETCH(QString, message);
        const auto pipeline = splitOf(doubleThenAdd(), {"aten::add"});
        RunOptions options = onCpus(2);
        if (fault == "gpu")
            options.devices[1] = "cuda:0";
        if (fault == "width")
            options.threadsPerRank = 0;
        if (fault == "limit")
            options.maxInFlight = -1;
        if (stages == 3)
            options = onCpus(3);
        auto schedule = schedule::buildSchedule("forward", {ranks, stages, 2});
        QVERIFY(bool(schedule));
        if (fault == "missing")
            schedule->ranks[1].pop_back();
        if (fault == "backward")
            schedule->ranks[1].back()->kind = schedule::ActionKind::FullBackward;
        if (fault == "idle")
            schedule->ranks[1].emplace_back();
        const auto run = PipelineRun::create(pipeline->model, pipeline->partition, *schedule, options);
        QVERIFY(!run);
        QCOMPARE(QString::fromStdString(run.error().message), message);
    }

    void wrongNumbersOfArgumentsAreRefused()
    {
        const auto pipeline = pipelineOf(looping(), {"prim::Loop"}, 2);
        const auto few = pipeline->run->run({{at::ones({1}), 1}});
        QCOMPARE(few.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(few.error().message, std::string("Expecting 2 arg_mbs but got 1"));
        const auto narrow = pipeline->run->run({{at::ones({1}), 1}, {at::ones({1})}});
        QCOMPARE(narrow.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(narrow.error().message, std::string("microbatch 1 has 1 arguments, forward takes 2 (x, steps)"));
        QCOMPARE(narrow.error().where, std::string("microbatch 1"));
    }

    void aThousandRunsLeakNeitherThreadsNorMemory()
    {
        const auto pipeline = pipelineOf(doubleThenAdd(), {"aten::add"}, 4);
        const std::vector<Values> microbatches(4, Values{at::ones({64, 64})});
        const auto runs = [&](int count) {
            for (int i = 0; i < count; ++i) {
                const auto result = pipeline->run->run(microbatches);
                if (!result || result->outputs[3][0].toTensor()[0][0].item<float>() != 3.0F)
                    return false;
            }
            return true;
        };
        QVERIFY(runs(100));
        const long threads = statusNumber("Threads:");
        const long kibibytes = statusNumber("VmRSS:");
        QVERIFY(threads > 0 && kibibytes > 0);
        QVERIFY(runs(1000));
        QCOMPARE(statusNumber("Threads:"), threads);
        // A thousand runs make 64 MiB of stage outputs.
        QVERIFY2(statusNumber("VmRSS:") < kibibytes + 16 * 1024, qPrintable(QString::number(statusNumber("VmRSS:"))));
    }
};

PIPESCOPE_TEST(TestPipelineRun)
#include "tst_pipeline_run.moc"

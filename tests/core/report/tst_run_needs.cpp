#include "report/run_needs.h"

#include "schedule/forwards_of.h"
#include "schedule/schedule_table.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using pipescope::tests::graphFromText;
using report::Profiled;
using report::RunNeeds;
using report::RunWay;

namespace {

constexpr std::int64_t GiB = 1 << 30;

/// Bytes of a whole batch; cut before b it is two stages.
graph::ModelGraph profiled()
{
    graph::ModelGraph graph = graphFromText(R"(
        in x
        param w0 a.weight 1000
        param w1 b.weight 500
        tied w1 b.shared
        buffer m b.mean 24
        call a
            h = aten::linear x w0 *400
        end
        call b
            g = aten::relu h *400
            y = aten::linear g w1 *200
            z = aten::add y m *200
        end
        return z
    )");
    graph.values[graph.arguments[0].value.index()].bytes = 800;
    return graph;
}

std::optional<schedule::Schedule> forwards(int stages, int microbatches)
{
    return schedule::forwardsOf(*schedule::buildSchedule("gpipe", {stages, stages, microbatches}));
}

RunWay way(int microbatches)
{
    RunWay made;
    made.microbatches = microbatches;
    made.profiled = Profiled::WholeBatch;
    return made;
}

RunNeeds needsOf(const graph::ModelGraph &graph, const RunWay &how, const report::Machine &machine = {})
{
    return report::runNeeds(graph, *partition::makePartition(graph, {1}), forwards(2, how.microbatches), how, machine);
}

/// As said in the docs: 4.1 GiB of weights and 1.1 GiB of activations.
RunNeeds large()
{
    RunNeeds needs;
    needs.weights = 41 * GiB / 10;
    needs.activations = 11 * GiB / 10;
    needs.comparison = 0;
    needs.ranks = 4;
    needs.machine = {AvailableMemory{8 * GiB, "/proc/meminfo"}, 4};
    return needs;
}

} // namespace

class TestRunNeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void weightsAreCountedOnceAndByStage()
    {
        const RunNeeds needs = needsOf(profiled(), way(4));
        QCOMPARE(needs.weights, std::int64_t(1524));
        QCOMPARE(needs.stageWeights, (std::vector<std::int64_t>{1000, 524}));
    }

    void weightsThatTheMethodDoesNotUseAreLoadedToo()
    {
        const graph::ModelGraph graph = graphFromText(R"(
            in x
            param w a.weight 64
            unused b.weight 36
            y = aten::linear x w
            return y
        )");
        QCOMPARE(report::weightsOf(graph), std::int64_t(100));
    }

    void activationsAreOfTheMicrobatchesUnderWay()
    {
        // Of each microbatch x is 200, h and g are 100, y and z 50. Four are under way: stage 0 makes an h (100), stage
        // 1 a g of its h (200), two h wait (200). Three z are there (150), and all of x (800).
        const RunNeeds needs = needsOf(profiled(), way(4));
        QCOMPARE(needs.inFlight, 4);
        QCOMPARE(needs.activations, std::optional<std::int64_t>(1450));
        QVERIFY(!needs.isMeasured);
    }

    void theComparisonIsTheUnsplitModelOnTheWholeBatchBesideBothOutputs()
    {
        // x (800), z twice (400), h and g of the whole batch (800), z put together (200): 750 more than the run.
        QCOMPARE(needsOf(profiled(), way(4)).comparison, std::optional<std::int64_t>(750));
        // Of one microbatch: x (800), z (200), h and g (800), and the run's x, h and g are 1600.
        const RunNeeds single = needsOf(profiled(), way(1));
        QCOMPARE(single.activations, std::optional<std::int64_t>(1600));
        QCOMPARE(single.comparison, std::optional<std::int64_t>(200));
        RunWay unchecked = way(4);
        unchecked.check = false;
        QCOMPARE(needsOf(profiled(), unchecked).comparison, std::optional<std::int64_t>(0));
    }

    void fewerInFlightTakeLess()
    {
        RunWay one = way(4);
        one.maxInFlight = 1; // so that one rank works at a time: x, h and g of one, three z
        QCOMPARE(needsOf(profiled(), one).activations, std::optional<std::int64_t>(800 + 200 + 150));
    }

    void autogradKeepsAllValuesOfEachMicrobatch()
    {
        RunWay grad = way(4);
        grad.grad = true; // h, g, y and z of three others are 900
        QCOMPARE(needsOf(profiled(), grad).activations, std::optional<std::int64_t>(800 + 300 + 200 + 900));
    }

    void aProfileOfOneMicrobatchIsMultiplied()
    {
        RunWay each = way(4);
        each.profiled = Profiled::Microbatch;
        each.inputBytes = 3200;
        const RunNeeds needs = needsOf(profiled(), each);
        QCOMPARE(needs.activations, std::optional<std::int64_t>(4 * 1450));
        QCOMPARE(needs.comparison, std::optional<std::int64_t>(4 * 750));
    }

    void whatARunMeasuredIsBetterThanAnEstimate()
    {
        RunWay measured = way(4);
        measured.peakBytes = {500, 700};
        const RunNeeds needs = needsOf(profiled(), measured);
        QCOMPARE(needs.activations, std::optional<std::int64_t>(800 + 1200));
        QVERIFY(needs.isMeasured);
        QCOMPARE(needs.comparison, std::optional<std::int64_t>(2200 - 2000));
    }

    void whatIsNotKnownIsNotMadeUp()
    {
        RunWay unknown = way(4);
        unknown.profiled.reset(); // what is in the graph is of other inputs
        RunNeeds needs = needsOf(profiled(), unknown);
        QVERIFY(!needs.activations && !needs.comparison);
        QVERIFY(!needs.isComplete());
        QCOMPARE(needs.known(), std::int64_t(1524));
        QCOMPARE(report::needsText(needs),
                 std::string("needs at least 1.49 KiB of memory (weights 1.49 KiB); what activations take is not known "
                             "before the model is profiled or run; 2 threads"));
        graph::ModelGraph partly = profiled();
        partly.values[partly.at(1).outputs[0].index()].bytes.reset();
        QVERIFY(!needsOf(partly, way(4)).activations);
        unknown.inputBytes = 800;
        unknown.peakBytes = {500, 700};
        needs = needsOf(profiled(), unknown);
        QCOMPARE(needs.activations, std::optional<std::int64_t>(2000));
        QVERIFY(!needs.comparison);
        QCOMPARE(report::needsText(needs),
                 std::string("needs at least 3.44 KiB of memory (weights 1.49 KiB, activations 1.95 KiB as measured); "
                             "what the comparison takes is not known before the model is profiled; 2 threads"));
    }

    void withoutStagesThereAreWeightsOnly()
    {
        const RunNeeds needs = report::runNeeds(profiled(), {}, std::nullopt, way(4), {});
        QCOMPARE(needs.weights, std::int64_t(1524));
        QVERIFY(needs.stageWeights.empty());
        QCOMPARE(needs.ranks, 0);
        QVERIFY(!needs.activations);
        QVERIFY(report::needsText(needs).find("thread") == std::string::npos);
    }

    void whatFitsIsToldAndNotWarnedOf()
    {
        const RunNeeds needs = large();
        QCOMPARE(needs.fits(), std::optional(true));
        QCOMPARE(report::needsText(needs), std::string("needs about 5.20 GiB of memory (weights 4.10 GiB, activations "
                                                       "1.10 GiB), 8.00 GiB are free; 4 threads on 4 cores"));
        QCOMPARE(report::memoryWarning(needs), std::string());
        QCOMPARE(report::threadsWarning(needs), std::string());
    }

    void whatDoesNotFitIsWarnedOfWithNumbers()
    {
        RunNeeds needs = large();
        needs.machine.memory = AvailableMemory{39 * GiB / 10, "/sys/fs/cgroup/memory.max"};
        QCOMPARE(needs.fits(), std::optional(false));
        QVERIFY(report::needsText(needs).find("3.90 GiB are free: it does not fit;") != std::string::npos);
        QCOMPARE(
            report::memoryWarning(needs),
            std::string("the run needs about 5.20 GiB of memory (weights 4.10 GiB, activations 1.10 GiB), but 3.90 GiB "
                        "are free (as /sys/fs/cgroup/memory.max says): it may become slow or be ended by the system; "
                        "give a smaller batch, let fewer microbatches be in flight, do not compare, or take a machine "
                        "with more memory"));
    }

    void whatIsKnownMayAlreadyBeTooMuch()
    {
        RunNeeds needs = large();
        needs.activations.reset();
        needs.comparison.reset();
        QCOMPARE(needs.fits(), std::optional<bool>());
        QCOMPARE(report::memoryWarning(needs), std::string());
        needs.machine.memory->bytes = 4 * GiB;
        QCOMPARE(needs.fits(), std::optional(false));
        QVERIFY(report::memoryWarning(needs).starts_with("the run needs at least 4.10 GiB of memory (weights"));
        needs.machine.memory.reset();
        QCOMPARE(needs.fits(), std::optional<bool>());
    }

    void moreThreadsThanCoresAreTold()
    {
        RunNeeds needs = large();
        needs.threadsPerRank = 2;
        QCOMPARE(needs.threads(), 8);
        QVERIFY(needs.lacksCores());
        QVERIFY(report::needsText(needs).ends_with("; 8 threads on 4 cores: ranks wait for each other"));
        QCOMPARE(report::threadsWarning(needs),
                 std::string("4 ranks with 2 threads each have 8 threads, and the machine has 4 cores: ranks wait for "
                             "each other's cores, so the times are longer than those of as many machines; take fewer "
                             "ranks or threads"));
        needs.machine.cores = 0; // not known
        QVERIFY(!needs.lacksCores());
    }
};

PIPESCOPE_TEST(TestRunNeeds)
#include "tst_run_needs.moc"

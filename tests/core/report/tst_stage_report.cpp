#include "report/stage_report.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using pipescope::tests::graphFromText;

namespace {

graph::ModelGraph twoLayers()
{
    graph::ModelGraph graph = graphFromText(R"(
        in x
        param w0 a.weight 64
        tied w0 b.shared
        param w1 b.weight 32
        buffer m b.mean 8
        call a
            h = aten::linear x w0
        end
        call b
            y = aten::linear h w1
            z = aten::add y m
            r = aten::linear z w0
        end
        return r
    )");
    for (graph::Parameter &parameter : graph.parameters)
        parameter.tensor.sizes = {parameter.tensor.bytes / 4};
    return graph;
}

} // namespace

class TestStageReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stagesCountEachTensorOnceAndBuffersApart()
    {
        const graph::ModelGraph graph = twoLayers();
        const auto partition = partition::makePartition(graph, {1});
        QVERIFY(partition);
        const auto stages = report::stageReports(graph, *partition);
        QCOMPARE(stages.size(), std::size_t(2));
        QCOMPARE(stages[0].name, std::string("stage0"));
        QCOMPARE(stages[0].first, std::string());
        QCOMPARE(stages[0].nodes, 1);
        QCOMPARE(stages[0].parameters, std::int64_t(16));
        QCOMPARE(stages[0].parameterBytes, std::int64_t(64));
        QCOMPARE(stages[1].first, std::string("b"));
        QCOMPARE(stages[1].nodes, 3);
        QCOMPARE(stages[1].parameters, std::int64_t(24));
        QCOMPARE(stages[1].parameterBytes, std::int64_t(96));
        QCOMPARE(stages[1].bufferBytes, std::int64_t(8));
        QVERIFY(!stages[0].flops && !stages[1].flops);
    }

    void constantsOfTheCodeCountInEachStageThatUsesThem()
    {
        const graph::ModelGraph graph = graphFromText(R"(
            in x
            param w a.weight 64
            const c table 32
            const d table 32
            const e other 8
            h = aten::linear x w c d
            y = aten::add h e c
            return y
        )");
        const auto partition = partition::makePartition(graph, {1});
        QVERIFY(partition);
        const auto stages = report::stageReports(graph, *partition);
        QCOMPARE(stages[0].parameterBytes, std::int64_t(64));
        QCOMPARE(stages[0].constantBytes, std::int64_t(32)); // one tensor, in the code of two modules
        QCOMPARE(stages[0].weightBytes(), std::int64_t(96));
        QCOMPARE(stages[1].parameterBytes, std::int64_t(0));
        QCOMPARE(stages[1].constantBytes, std::int64_t(40));
    }

    void whatNoStageUsesCountsOnlyWhereItIsKept()
    {
        const graph::ModelGraph graph =
            graphFromText("in x\nparam w actor.weight 64\nunused critic.weight 256\na = aten::linear x w\nreturn a");
        auto partition = partition::makePartition(graph, {});
        QVERIFY(partition);
        QCOMPARE(report::stageReports(graph, *partition)[0].parameterBytes, std::int64_t(64));
        partition::keepUnused(graph, *partition);
        QCOMPARE(report::stageReports(graph, *partition)[0].parameterBytes, std::int64_t(320));
    }

    void flopsAreThoseOfAllNodesOrUnknown()
    {
        graph::ModelGraph graph = twoLayers();
        for (graph::Node &node : graph.nodes)
            node.flops = 10;
        const auto partition = partition::makePartition(graph, {1});
        QVERIFY(partition);
        QCOMPARE(report::stageReports(graph, *partition)[0].flops, std::optional<double>(10));
        QCOMPARE(report::stageReports(graph, *partition)[1].flops, std::optional<double>(30));
        graph.nodes[2].flops.reset();
        QCOMPARE(report::stageReports(graph, *partition)[0].flops, std::optional<double>(10));
        QCOMPARE(report::stageReports(graph, *partition)[1].flops, std::optional<double>());
    }

    void splitWordsAreStableNames()
    {
        const graph::ModelGraph graph = twoLayers();
        QCOMPARE(report::splitWords(graph, {1, 2}), (std::vector<std::string>{"b", graph.at(2).name}));
        QCOMPARE(report::splitWords(graph, {}), std::vector<std::string>{});
    }

    void aRunAddsRankTimeAndTransfers()
    {
        trace::Trace trace;
        trace.ranks = 2;
        trace.stages = 2;
        trace.microbatches = 2;
        const auto event = [&](trace::EventKind kind, int rank, int microbatch, std::int64_t begin, std::int64_t end,
                               std::int64_t bytes) {
            trace::Event made;
            made.kind = kind;
            made.rank = RankId{rank};
            made.stage = StageId{rank};
            made.microbatch = MicrobatchId{microbatch};
            made.beginNs = begin;
            made.endNs = end;
            made.bytes = bytes;
            trace.events.push_back(made);
        };
        event(trace::EventKind::Compute, 0, 0, 0, 2'000'000'000, 0);
        event(trace::EventKind::Send, 0, 0, 2'000'000'000, 2'000'000'000, 100);
        event(trace::EventKind::Compute, 0, 1, 2'000'000'000, 4'000'000'000, 0);
        event(trace::EventKind::Compute, 1, 0, 2'000'000'000, 3'000'000'000, 0);
        event(trace::EventKind::Send, 0, 1, 4'000'000'000, 4'000'000'000, 100);
        event(trace::EventKind::Compute, 1, 1, 4'000'000'000, 5'000'000'000, 0);
        std::vector<report::StageReport> stages(2);
        report::addMeasurements(stages, trace, trace::traceStats(trace));
        QCOMPARE(stages[0].rank, RankId{0});
        QCOMPARE(stages[0].seconds, 2.0);
        QCOMPARE(stages[0].sentBytes, std::int64_t(100));
        QCOMPARE(stages[1].rank, RankId{1});
        QCOMPARE(stages[1].seconds, 1.0);
        QCOMPARE(stages[1].sentBytes, std::int64_t(0));
    }
};

PIPESCOPE_TEST(TestStageReport)
#include "tst_stage_report.moc"

#include "engine/module_costs.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using pipescope::tests::graphFromText;

namespace {

graph::ModelGraph nestedCalls()
{
    graph::ModelGraph graph = graphFromText(R"(
        in x
        call a
            call a.b
                h = aten::linear x @1
            end
            k = aten::relu h @2
        end
        call a.b
            m = aten::linear k @4
        end
        y = aten::add m k @8
        return y
    )");
    graph.nodes[0].flops = 100;
    graph.nodes[2].flops = 50;
    graph.modules = {{"", "Model", 0, 0, 0}, {"a", "A", 0, 0, 0}, {"a.b", "B", 0, 0, 0}};
    return graph;
}

} // namespace

class TestModuleCosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aModuleCostsWhatItsChildrenCost()
    {
        const auto costs = engine::moduleCosts(nestedCalls());
        QCOMPARE(costs.size(), std::size_t(3));
        QCOMPARE(costs[0].seconds, 15.0);
        QCOMPARE(costs[1].seconds, 7.0);
        QCOMPARE(costs[2].seconds, 5.0);
        QCOMPARE(costs[0].flops, std::optional<double>(150));
        QCOMPARE(costs[2].flops, std::optional<double>(150));
    }

    void callsAreCountedAndOutputsAreWhatLaterCodeUses()
    {
        const graph::ModelGraph graph = nestedCalls();
        const auto costs = engine::moduleCosts(graph);
        QCOMPARE(costs[0].calls, 1);
        QCOMPARE(costs[0].outputs, graph.outputs);
        QCOMPARE(costs[1].calls, 1);
        QCOMPARE(costs[1].outputs, (std::vector<ValueId>{graph.at(1).outputs[0]}));
        QCOMPARE(costs[2].calls, 2);
        QCOMPARE(costs[2].outputs, (std::vector<ValueId>{graph.at(0).outputs[0]}));
    }

    /// An operator without a rule is not made known by what only puts its operands together.
    void flopsOfNothingButTheUnknownAreUnknown()
    {
        graph::ModelGraph graph = graphFromText(R"(
            in x
            call a
                l = prim::ListConstruct x
                y = mine::fused l
            end
            z = aten::relu y
            return z
        )");
        graph.modules = {{"", "Model", 0, 0, 0}, {"a", "A", 0, 0, 0}};
        graph.nodes[0].flops = 0;
        graph.nodes[2].flops = 4;
        const std::vector<report::ModuleCost> costs = engine::moduleCosts(graph);
        QCOMPARE(costs[1].flops, std::optional<double>());
        QCOMPARE(costs[0].flops, std::optional<double>(4));
        graph.nodes[1].flops = 0;
        QCOMPARE(engine::moduleCosts(graph)[1].flops, std::optional<double>(0));
    }

    void flopsOfABranchAreThoseOfItsNodes()
    {
        graph::ModelGraph graph = graphFromText(R"(
            in x
            c : bool = aten::gt x
            y = prim::If c x {
                a = aten::linear x
            }
            return y
        )");
        graph.modules = {{"", "Model", 0, 0, 0}};
        QCOMPARE(engine::moduleCosts(graph)[0].flops, std::optional<double>());
        for (graph::Node &node : graph.nodes) {
            if (node.op == "aten::linear")
                node.flops = 30;
        }
        QCOMPARE(engine::moduleCosts(graph)[0].flops, std::optional<double>(30));
    }

    void operatorsAreCountedMostUsedFirst()
    {
        using Counts = std::vector<std::pair<std::string, int>>;
        QCOMPARE(engine::countOperators(nestedCalls()),
                 (Counts{{"aten::linear", 2}, {"aten::add", 1}, {"aten::relu", 1}}));
    }
};

PIPESCOPE_TEST(TestModuleCosts)
#include "tst_module_costs.moc"

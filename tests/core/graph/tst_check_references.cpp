#include "graph/check_references.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>
#include <functional>

using namespace pipescope;
using graph::ModelGraph;
using tests::graphFromText;

namespace {

ModelGraph sample()
{
    return graphFromText(R"(
        in x
        param w fc.weight 64
        call fc
        y = aten::linear x w
        end
        z = prim::If x {
        a = aten::relu y
        }
        marker here
        v~z = aten::view z
        return v
    )");
}

} // namespace

class TestCheckReferences : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aGraphThatHoldsTogetherPasses() { QVERIFY(graph::checkReferences(sample())); }

    void anOperandThatIsNotKnownPasses()
    {
        ModelGraph graph = sample();
        graph.nodes[0].operands.push_back(ValueId{});
        QVERIFY(graph::checkReferences(graph));
    }

    void anEmptyGraphPasses() { QVERIFY(graph::checkReferences({})); }

    void whatRefersToNothingIsFound_data()
    {
        QTest::addColumn<int>("which");
        for (int which = 0; which < static_cast<int>(changes().size()); ++which)
            QTest::addRow("change %d", which) << which;
    }

    void whatRefersToNothingIsFound()
    {
        QFETCH(int, which);
        ModelGraph graph = sample();
        changes()[static_cast<std::size_t>(which)](graph);
        const Status status = graph::checkReferences(graph);
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::InvalidFile);
        QVERIFY2(status.error().message.starts_with("a graph does not hold together: "),
                 status.error().message.c_str());
    }

private:
    static std::vector<std::function<void(ModelGraph &)>> changes()
    {
        const ValueId noValue{99};
        const NodeId noNode{99};
        return {
            [=](ModelGraph &g) { g.outputs[0] = noValue; },
            [=](ModelGraph &g) { g.outputs[0] = ValueId{}; },
            [=](ModelGraph &g) { g.arguments[0].value = noValue; },
            [=](ModelGraph &g) { g.parameters[0].value = noValue; },
            [=](ModelGraph &g) { g.values[0].producer = noNode; },
            [=](ModelGraph &g) { g.values[1].id = ValueId{0}; },
            [=](ModelGraph &g) { g.nodes[1].id = NodeId{0}; },
            [=](ModelGraph &g) { g.nodes[0].uses[0] = noValue; },
            [=](ModelGraph &g) { g.nodes[0].uses.push_back(g.nodes[0].uses[0]); },
            [=](ModelGraph &g) { g.nodes[0].operands[0] = noValue; },
            [=](ModelGraph &g) { g.nodes[0].operands[0] = g.nodes[0].outputs[0]; }, // which it does not use
            [=](ModelGraph &g) { g.nodes[0].outputs[0] = noValue; },
            [=](ModelGraph &g) { g.nodes[0].writes = {noValue}; },
            [=](ModelGraph &g) { g.nodes.back().aliases[0].input = noValue; },
            [=](ModelGraph &g) { g.nodes[1].children = {NodeId{0}}; },
            [=](ModelGraph &g) { g.nodes[0].parent = NodeId{1}; },
            [=](ModelGraph &g) { g.nodes[1].parent = NodeId{1}; },
            [=](ModelGraph &g) { g.order.push_back(noNode); },
            [=](ModelGraph &g) { g.order.push_back(g.order[0]); },
            [=](ModelGraph &g) { g.order.push_back(g.nodes[1].children[0]); },
            [=](ModelGraph &g) { g.calls[0].end = 17; },
            [=](ModelGraph &g) { g.calls[0].begin = -1; },
            [=](ModelGraph &g) { g.calls[0].inside = noNode; },
            [=](ModelGraph &g) { g.markers[0].position = 4; },
        };
    }
};

PIPESCOPE_TEST(TestCheckReferences)
#include "tst_check_references.moc"

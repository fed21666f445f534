#include "graph/model_graph.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::graph;
using pipescope::tests::graphFromText;
using pipescope::tests::namesOf;

class TestModelGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTensorsTextHasTypeAndSizes()
    {
        QCOMPARE(toText(TensorMeta{"float32", {16, 512}, 32768, false}), std::string("float32[16, 512]"));
        QCOMPARE(toText(TensorMeta{"int64", {}, 8, false}), std::string("int64[]"));
    }

    void aNodeIsDescribedWithItsSourceWhereKnown()
    {
        Node node;
        node.name = "layers.4.fc1/aten::linear";
        QCOMPARE(describe(node), std::string("layers.4.fc1/aten::linear"));
        node.source = {"model.py", 12, 8, "return self.fc1(x)"};
        QCOMPARE(describe(node), std::string("layers.4.fc1/aten::linear (model.py:12)"));
    }

    void aNodeInsideALoopHasTheLoopsPosition()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x
            b = prim::Loop a {
            c = prim::If a {
            d = aten::cos a
            }
            }
            e = aten::tan b
        )");
        QCOMPARE(graph.size(), 3);
        QCOMPARE(graph.nodes.size(), std::size_t(5));
        QCOMPARE(graph.nodes[3].op, std::string("aten::cos"));
        QCOMPARE(positionOf(graph, NodeId{3}), 1);
        QCOMPARE(positionOf(graph, NodeId{4}), 2);
        QCOMPARE(positionOf(graph, NodeId{}), -1);
        QCOMPARE(graph.at(2).op, std::string("aten::tan"));
    }

    void theTestTextGivesTheGraphItSays()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param w fc.weight 64
            tied w head.weight
            call fc
            y~x = aten::add_ !x w   # a comment
            end
            a, b = aten::chunk y
            return b
        )");
        QCOMPARE(graph.at(0).name, std::string("fc/aten::add_"));
        QCOMPARE(namesOf(graph, graph.at(0).writes), std::string("x"));
        QCOMPARE(graph.at(0).aliases, (std::vector<Alias>{{ValueId{2}, ValueId{0}}}));
        QCOMPARE(namesOf(graph, graph.outputs), std::string("/aten::chunk:1"));
        QCOMPARE(graph.parameters[1].tiedTo, std::string("fc.weight"));
        QCOMPARE(graph.calls, (std::vector<ModuleCall>{{"fc", 0, 0, 1, {}}}));
        QCOMPARE(graph, graphFromText(R"(
            in x
            param w fc.weight 64
            tied w head.weight
            call fc
            y~x = aten::add_ !x w
            end
            a, b = aten::chunk y
            return b
        )"));
    }
};

PIPESCOPE_TEST(TestModelGraph)
#include "tst_model_graph.moc"

#include "graph/held_tensors.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::graph;
using pipescope::tests::graphFromText;
using Names = std::vector<std::string>;

class TestHeldTensors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allNamesOfATensorAreOne()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param w a.weight 64
            buffer m a.mean 8
            tied w b.weight
            unused c.weight 16
            y = aten::linear x w m
            return y
        )");
        const std::vector<HeldTensor> held = heldTensors(graph);
        QCOMPARE(held.size(), std::size_t(3));
        QCOMPARE(held[0].names, (Names{"a.weight", "b.weight"}));
        QCOMPARE(held[0].kind, HeldKind::Parameter);
        QCOMPARE(held[0].values, std::vector<ValueId>{graph.parameters[0].value});
        QCOMPARE(held[0].tensor.bytes, std::int64_t(64));
        QCOMPARE(held[1].names, Names{"a.mean"});
        QCOMPARE(held[1].kind, HeldKind::Buffer);
        QCOMPARE(held[2].names, Names{"c.weight"});
        QVERIFY(held[2].values.empty());
    }

    void aConstantOfTheCodeIsHeldAndPlainOnesAreNot()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            const n : int = 2
            const c table 32
            y = aten::linear x c n
            return y
        )");
        const std::vector<HeldTensor> held = heldTensors(graph);
        QCOMPARE(held.size(), std::size_t(1));
        QCOMPARE(held[0].kind, HeldKind::Constant);
        QCOMPARE(held[0].names, Names{"table"});
        QCOMPARE(held[0].values, std::vector<ValueId>{ValueId{2}});
        QCOMPARE(toText(held[0].tensor), std::string("float32[8]"));
    }

    void oneConstantInTheCodeOfTwoModulesIsOneTensor()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            const c table 32
            const d table 32
            y = aten::linear x c
            z = aten::linear y d
            return z
        )");
        const std::vector<HeldTensor> held = heldTensors(graph);
        QCOMPARE(held.size(), std::size_t(1));
        QCOMPARE(held[0].values, (std::vector<ValueId>{ValueId{1}, ValueId{2}}));
    }

    void buffersWeighNothingButAreHeld()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param w a.weight 64
            buffer m a.mean 8
            const c table 32
            y = aten::linear x w m c
            return y
        )");
        QCOMPARE(weightBytes(graph), (std::vector<std::int64_t>{0, 64, 0, 32, 0}));
        QCOMPARE(heldBytes(graph), (std::vector<std::int64_t>{0, 64, 8, 32, 0}));
    }

    void aListWeighsAsMuchAsTheParametersInIt()
    {
        ModelGraph graph = graphFromText("in x\nattr l layers : List[Tensor]\nunused a 64\nunused b 32\n"
                                         "y = aten::f x l\nreturn y");
        for (Parameter &parameter : graph.parameters)
            parameter.value = ValueId{1};
        QCOMPARE(weightBytes(graph), (std::vector<std::int64_t>{0, 96, 0}));
    }
};

PIPESCOPE_TEST(TestHeldTensors)
#include "tst_held_tensors.moc"

#include "partition/held_uses.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using Names = std::vector<std::string>;
using Stages = std::vector<StageId>;

namespace {

// An actor, two linears, and a critic that forward never calls.
const std::string ActorAndCritic = R"(
    in x
    param w actor.0.weight 64
    param v actor.1.weight 64
    unused critic.0.weight 400
    unused critic.0.bias 40
    call actor.0
    a = aten::linear x w
    end
    call actor.1
    b = aten::linear a v
    end
    return b
)";

Stages stagesOf(const ModelGraph &graph, const std::string &name, const Stages &stageOf)
{
    for (const HeldUse &use : heldUses(graph, stageOf))
        if (std::count(use.tensor.names.begin(), use.tensor.names.end(), name))
            return use.stages;
    return {StageId{-1}};
}

} // namespace

class TestHeldUses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCriticBesideAnActorIsUsedByNoStage()
    {
        const ModelGraph graph = graphFromText(ActorAndCritic);
        const UnusedTensors unused = unusedTensors(graph);
        QCOMPARE(unused.names, (Names{"critic.0.bias", "critic.0.weight"}));
        QCOMPARE(unused.tensors, 2);
        QCOMPARE(unused.bytes, std::int64_t(440));
        const Stages two{StageId{0}, StageId{1}};
        QCOMPARE(stagesOf(graph, "actor.0.weight", two), Stages{StageId{0}});
        QCOMPARE(stagesOf(graph, "actor.1.weight", two), Stages{StageId{1}});
        QCOMPARE(stagesOf(graph, "critic.0.weight", two), Stages{});
    }

    void allNamesOfAnUnusedTensorAreUnusedAndItCountsOnce()
    {
        ModelGraph graph = graphFromText("in x\nunused a 8\nunused b 8\ny = aten::sin x\nreturn y");
        graph.parameters[1].tiedTo = "a";
        const UnusedTensors unused = unusedTensors(graph);
        QCOMPARE(unused.names, (Names{"a", "b"}));
        QCOMPARE(unused.tensors, 1);
        QCOMPARE(unused.bytes, std::int64_t(8));
    }

    void stateThatIsReadOrAssignedIsUsed()
    {
        const ModelGraph graph = graphFromText(
            "in x\nunused read 8\nunused written 8\nunused other 8\na = aten::sin x +read\nb = aten::cos a -written\n"
            "return b");
        QCOMPARE(unusedTensors(graph).names, Names{"other"});
        const Stages two{StageId{0}, StageId{1}};
        QCOMPARE(stagesOf(graph, "read", two), Stages{StageId{0}});
        QCOMPARE(stagesOf(graph, "written", two), Stages{StageId{1}});
    }

    void aModuleThatIsReadIsUsedWithAllThatItHolds()
    {
        const ModelGraph graph = graphFromText("in x\nunused aside.fc.weight 8\nunused asides.weight 8\nb = aten::sin "
                                               "x\na = prim::fork b +aside\nreturn a");
        QCOMPARE(unusedTensors(graph).names, Names{"asides.weight"});
        QCOMPARE(stagesOf(graph, "aside.fc.weight", {StageId{0}, StageId{1}}), Stages{StageId{1}});
    }

    void stateUnderTwoNamesIsUsedUnderBoth()
    {
        ModelGraph graph = graphFromText("in x\nunused a.st 8\nunused b.st 8\na = aten::sin x +b.st -b.st\nreturn a");
        graph.parameters[1].tiedTo = "a.st";
        QVERIFY(unusedTensors(graph).names.empty());
    }

    void whatABranchUsesIsUsed()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param w gate.weight 4
            b = prim::If x w {
            c = aten::mul x w
            }
            return b
        )");
        QVERIFY(unusedTensors(graph).names.empty());
    }

    void whatIsReturnedAsItIsBelongsToTheLastStage()
    {
        const ModelGraph graph =
            graphFromText("in x\nparam w scale 8\nconst c table 8\na = aten::sin x\nb = aten::cos a\nreturn b w c");
        const Stages two{StageId{0}, StageId{1}};
        QCOMPARE(stagesOf(graph, "scale", two), Stages{StageId{1}});
        QCOMPARE(stagesOf(graph, "table", two), Stages{StageId{1}});
        QVERIFY(unusedTensors(graph).names.empty());
    }

    void aConstantIsUsedByEachStageWhoseCodeHasIt()
    {
        const ModelGraph graph = graphFromText("in x\nconst c table 8\nconst d table 8\nconst e other 8\n"
                                               "a = aten::f x c\nb = aten::f a e\nc2 = aten::f b d\nreturn c2");
        const Stages three{StageId{0}, StageId{1}, StageId{2}};
        QCOMPARE(stagesOf(graph, "table", three), (Stages{StageId{0}, StageId{2}}));
        QCOMPARE(stagesOf(graph, "other", three), Stages{StageId{1}});
    }

    void aModelWithoutNodesUsesNothing()
    {
        const ModelGraph graph = graphFromText("in x\nunused w 8\nreturn x");
        QCOMPARE(unusedTensors(graph).names, Names{"w"});
    }
};

PIPESCOPE_TEST(TestHeldUses)
#include "tst_held_uses.moc"

#include "partition/partition.h"

#include "partition/cut.h"
#include "partition/split_point.h"
#include "support/graph_builder.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using graph::ValueKind;
using pipescope::tests::graphFromText;
using pipescope::tests::namesOf;
using Names = std::vector<std::string>;

namespace {

Partition partitionAt(const ModelGraph &graph, const std::vector<int> &cuts)
{
    const auto made = makePartition(graph, cuts);
    return made ? *made : Partition{};
}

Partition partitionBy(const ModelGraph &graph, const Names &words)
{
    const auto cuts = resolveSplits(graph, words);
    return cuts ? partitionAt(graph, *cuts) : Partition{};
}

// "x: caller>2, /aten::mm:0: 0>1"
std::string transfersText(const ModelGraph &graph, const Partition &partition)
{
    std::string text;
    for (const Transfer &transfer : partition.transfers) {
        text += (text.empty() ? "" : ", ") + graph.value(transfer.value).name + ": " +
                (transfer.from.valid() ? std::to_string(transfer.from.value) : "caller") + ">" +
                std::to_string(transfer.to.value);
    }
    return text;
}

// The shape of upstream's test_pipe.ExampleCode: one parameter in stages 0 and 1, a skip from stage 0 to stage 2.
ModelGraph exampleCode()
{
    return graphFromText(R"(
        in x
        param p mm_param 64
        param p2 mm_param2 64
        param w lin.weight 64
        param v lin2.weight 64
        buffer buf buffer 16
        a = aten::mm x p
        skip = aten::add a x
        r = aten::relu a
        marker
        b = aten::mm r p
        c = aten::add b buf
        call lin
        d = aten::linear c w
        end
        marker
        e = aten::relu d
        f = aten::add e skip
        g = aten::mm f p2
        marker
        call lin2
        h = aten::linear g v
        end
        return h
    )");
}

} // namespace

class TestPartition : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noCutGivesOneStageWithEverything()
    {
        const ModelGraph graph = exampleCode();
        const Partition partition = partitionAt(graph, {});
        QCOMPARE(partition.stages.size(), std::size_t(1));
        const Stage &stage = partition.stages[0];
        QCOMPARE(stage.name, std::string("stage0"));
        QCOMPARE(stage.begin, 0);
        QCOMPARE(stage.end, graph.size());
        QCOMPARE(namesOf(graph, stage.inputs), std::string("x"));
        QCOMPARE(namesOf(graph, stage.outputs), std::string("lin2/aten::linear:0"));
        QCOMPARE(stage.parameters, (Names{"buffer", "lin.weight", "lin2.weight", "mm_param", "mm_param2"}));
    }

    void threeMarkersGiveFourStagesWithASkipAndATiedParameter()
    {
        const ModelGraph graph = exampleCode();
        const Partition partition = partitionBy(graph, {"markers"});
        QCOMPARE(partition.cuts, (std::vector<int>{3, 6, 9}));
        QCOMPARE(partition.stages.size(), std::size_t(4));
        QCOMPARE(transfersText(graph, partition),
                 std::string("x: caller>0, /aten::relu:0: 0>1, /aten::add:0: 0>2, lin/aten::linear:0: 1>2, "
                             "/aten::mm#2:0: 2>3"));
        QCOMPARE(partition.ties, (std::vector<Tie>{{"mm_param", {StageId{0}, StageId{1}}}}));
        QCOMPARE(namesOf(graph, partition.stages[1].held), std::string("mm_param lin.weight buffer"));
        QCOMPARE(partition.stages[0].parameters, (Names{"mm_param"}));
        QCOMPARE(partition.stages[1].parameters, (Names{"buffer", "lin.weight", "mm_param"}));
        QCOMPARE(partition.stages[2].parameters, (Names{"mm_param2"}));
        QCOMPARE(partition.stages[3].parameters, (Names{"lin2.weight"}));
        QCOMPARE(namesOf(graph, partition.stages[0].outputs), std::string("/aten::add:0 /aten::relu:0"));
        QCOMPARE(namesOf(graph, partition.stages[2].inputs), std::string("/aten::add:0 lin/aten::linear:0"));
        QCOMPARE(partition.stageOf[5], StageId{1});
        QCOMPARE(partition.stageOf[6], StageId{2});
    }

    void aRootInputUsedLastGoesStraightThere()
    {
        // Upstream's MultiMLP: `x - y` at the end, which none of its schedules can run.
        const ModelGraph graph = graphFromText(R"(
            in x
            in y
            call mlp0
            a = aten::linear x
            end
            call mlp1
            b = aten::linear a
            end
            call mlp2
            c = aten::linear b
            end
            call mlp3
            d = aten::linear c
            end
            e = aten::sub d y
            return e
        )");
        const Partition partition = partitionBy(graph, {"mlp1", "mlp2", "mlp3"});
        QCOMPARE(partition.stages.size(), std::size_t(4));
        QCOMPARE(namesOf(graph, partition.stages[0].inputs), std::string("x"));
        QCOMPARE(namesOf(graph, partition.stages[3].inputs), std::string("y mlp2/aten::linear:0"));
        QCOMPARE(transfersText(graph, partition), std::string("x: caller>0, y: caller>3, mlp0/aten::linear:0: 0>1, "
                                                              "mlp1/aten::linear:0: 1>2, mlp2/aten::linear:0: 2>3"));
    }

    void aFanOutIsSentToEveryStageThatUsesIt()
    {
        // Case C2: cos and sin from stage 0 to 1, 2 and 3.
        const ModelGraph graph = graphFromText(R"(
            in p
            in h
            cos = aten::cos p
            sin = aten::sin p
            h1 = aten::addcmul h cos sin
            h2 = aten::addcmul h1 cos sin
            h3 = aten::addcmul h2 cos sin
            return h3
        )");
        const Partition partition = partitionAt(graph, {2, 3, 4});
        QCOMPARE(transfersText(graph, partition),
                 std::string("p: caller>0, h: caller>1, /aten::cos:0: 0>1, /aten::sin:0: 0>1, /aten::cos:0: 0>2, "
                             "/aten::sin:0: 0>2, /aten::cos:0: 0>3, /aten::sin:0: 0>3, /aten::addcmul:0: 1>2, "
                             "/aten::addcmul#1:0: 2>3"));
    }

    void bothNamesOfAnAliasedParameterGoWhereItsTensorIsUsed()
    {
        // Upstream's ModelWithParamAlias, and an embedding tied to the head.
        const ModelGraph graph = graphFromText(R"(
            in x
            param w embed.weight 64
            tied w head.weight
            call embed
            a = aten::embedding x w
            end
            call head
            b = aten::linear a w
            end
            return b
        )");
        const Partition partition = partitionBy(graph, {"head"});
        QCOMPARE(partition.stages.size(), std::size_t(2));
        QCOMPARE(partition.stages[0].parameters, (Names{"embed.weight", "head.weight"}));
        QCOMPARE(partition.stages[1].parameters, (Names{"embed.weight", "head.weight"}));
        QCOMPARE(partition.ties, (std::vector<Tie>{{"embed.weight", {StageId{0}, StageId{1}}}}));
    }

    void aBufferReadInTwoStagesIsHeldTwiceAndNoTie()
    {
        const ModelGraph graph = graphFromText("in x\nbuffer m mask 4\na = aten::mul x m\nb = aten::mul a m\nreturn b");
        const Partition partition = partitionAt(graph, {1});
        QVERIFY(partition.ties.empty());
        QCOMPARE(partition.stages[0].parameters, (Names{"mask"}));
        QCOMPARE(partition.stages[1].parameters, (Names{"mask"}));
    }

    void whatNoStageUsesIsInNoneUnlessItIsKept()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param v layers.0.fc.weight 8
            param w layers.1.fc.weight 8
            unused layers.1.fc.extra 4
            unused layers.1.adapter.down.weight 4
            unused layers.10.weight 4
            unused head.weight 4
            unused scale 4
            call layers.0
            call layers.0.fc
            a = aten::linear x v
            end
            end
            call layers.1
            call layers.1.fc
            b = aten::linear a w
            end
            end
            return b
        )");
        Partition partition = partitionBy(graph, {"layers.1"});
        QCOMPARE(partition.stages[0].parameters, Names{"layers.0.fc.weight"});
        QCOMPARE(partition.stages[1].parameters, Names{"layers.1.fc.weight"});
        keepUnused(graph, partition); // in the stage of the nearest module
        QCOMPARE(partition.stages[0].parameters,
                 (Names{"head.weight", "layers.0.fc.weight", "layers.10.weight", "scale"}));
        QCOMPARE(partition.stages[1].parameters,
                 (Names{"layers.1.adapter.down.weight", "layers.1.fc.extra", "layers.1.fc.weight"}));
    }

    void unusedTensorsThatAreKeptTwiceAreThereOnce()
    {
        const ModelGraph graph = graphFromText("in x\nunused w 8\na = aten::sin x\nreturn a");
        Partition partition = partitionAt(graph, {});
        keepUnused(graph, partition);
        keepUnused(graph, partition);
        QCOMPARE(partition.stages[0].parameters, Names{"w"});
    }

    void aConstantOfTheCodeIsInEachStageThatUsesIt()
    {
        const ModelGraph graph =
            graphFromText("in x\nconst c table 8\nconst n : int = 2\na = aten::f x c\nb = aten::f a c n\nreturn b");
        const Partition partition = partitionAt(graph, {1});
        QCOMPARE(namesOf(graph, partition.stages[0].constants), std::string("table"));
        QCOMPARE(namesOf(graph, partition.stages[1].constants), std::string("table"));
        QVERIFY(partition.ties.empty()); // it has no gradient
    }

    void theNearestModuleIsFoundInsideAnIfToo()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            unused gate.bias 4
            a = aten::sin x
            b = prim::If a {
            call gate
            c = aten::cos a
            end
            }
            return b
        )");
        Partition partition = partitionAt(graph, {1});
        QVERIFY(partition.stages[1].parameters.empty());
        keepUnused(graph, partition);
        QCOMPARE(partition.stages[1].parameters, (Names{"gate.bias"}));
    }

    void aReturnedValueFromAnEarlyStageIsItsOutput()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::sin x\nb = aten::cos x\nreturn a x b");
        const Partition partition = partitionAt(graph, {1});
        QCOMPARE(namesOf(graph, partition.stages[0].outputs), std::string("/aten::sin:0"));
        QCOMPARE(namesOf(graph, partition.stages[1].outputs), std::string("/aten::cos:0"));
        QCOMPARE(transfersText(graph, partition), std::string("x: caller>0, x: caller>1"));
    }

    void aReturnedTupleIsGatheredByTheStageThatBuildsIt()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::sin x\nb = aten::cos a\nt~a~b : Tuple[Tensor,Tensor] = "
                                               "prim::TupleConstruct a b\nreturn t");
        QCOMPARE(transfersText(graph, partitionAt(graph, {1})), std::string("x: caller>0, /aten::sin:0: 0>1"));
    }

    void eightLayersSplitAtTheFourthCoverEachNameOnce()
    {
        // Upstream's TransformerLike (A1): layers 0 to 7, split at layers.4.
        std::string text = "in h\n";
        for (int i = 0; i < 8; ++i) {
            const std::string n = std::to_string(i);
            text += "param w" + n + " layers." + n + ".net1.weight 64\ncall layers." + n + "\ncall layers." + n +
                    ".net1\nh = aten::linear h w" + n + "\nend\nend\n";
        }
        const ModelGraph graph = graphFromText(text + "return h");
        const Partition partition = partitionBy(graph, {"layers.4"});
        QCOMPARE(partition.stages.size(), std::size_t(2));
        for (int stage = 0; stage < 2; ++stage) {
            Names expected;
            for (int i = 4 * stage; i < 4 * stage + 4; ++i)
                expected.push_back("layers." + std::to_string(i) + ".net1.weight");
            QCOMPARE(partition.stages[static_cast<std::size_t>(stage)].parameters, expected);
        }
    }

    void positionsThatAreNoCutsAreRefused()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::sin x\nb = aten::cos a\nc = aten::tan b");
        for (const int position : {-1, 0, 3, 9}) {
            const auto made = makePartition(graph, {position});
            QVERIFY(!made);
            QCOMPARE(made.error().code, ErrorCode::InvalidArgument);
            QCOMPARE(made.error().message,
                     "there is no place " + std::to_string(position) + " to cut at; the model's places are 1 to 2");
        }
        QCOMPARE(makePartition(graph, {2, 1}).error().message, std::string("cut 1 follows cut 2; cuts have to ascend"));
        QCOMPARE(makePartition(graph, {1, 1}).error().code, ErrorCode::InvalidArgument);
    }

    void anIllegalCutIsRefusedWithItsReason()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::sin x\nb~a = aten::relu_ !a");
        const auto made = makePartition(graph, {1});
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::IllegalCut);
        QCOMPARE(made.error().where, std::string("/aten::relu_"));
        QVERIFY(
            made.error().message.starts_with("the model cannot be split before /aten::relu_: '/aten::sin:0' crosses"));
    }

    void randomPartitionsHaveEveryUseAndEveryName()
    {
        std::mt19937 random(7);
        for (unsigned seed = 1; seed <= 200; ++seed) {
            const std::string text = tests::randomGraphText(seed) + "unused m1.m0.extra 4\nunused lone 4\n";
            const ModelGraph graph = graphFromText(text);
            std::vector<int> cuts;
            for (const Cut &cut : allCuts(graph)) {
                if (cut.legal && random() % 3 == 0)
                    cuts.push_back(cut.position);
            }
            auto made = makePartition(graph, cuts);
            QVERIFY2(bool(made), qPrintable(QString("seed %1").arg(seed)));
            const Names without = namesOfStages(*made);
            QVERIFY(!std::count(without.begin(), without.end(), "lone"));
            keepUnused(graph, *made);
            const QString wrong = QString::fromStdString(whatIsWrong(graph, *made));
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1: %2\n%3").arg(seed).arg(wrong, text.c_str())));
        }
    }

private:
    static Names namesOfStages(const Partition &partition)
    {
        Names names;
        for (const Stage &stage : partition.stages)
            names.insert(names.end(), stage.parameters.begin(), stage.parameters.end());
        return names;
    }

    static std::string whatIsWrong(const ModelGraph &graph, const Partition &partition)
    {
        std::set<std::string> names;
        Names all;
        for (const Stage &stage : partition.stages) {
            std::set<ValueId> inside;
            for (int i = stage.begin; i < stage.end; ++i) {
                for (const ValueId input : graph.at(i).uses) {
                    const auto &list =
                        graph.value(input).kind == ValueKind::Parameter || graph.value(input).kind == ValueKind::Buffer
                            ? stage.held
                            : stage.inputs;
                    const bool constant = graph.value(input).kind == ValueKind::Constant;
                    if (!constant && !inside.contains(input) && !std::count(list.begin(), list.end(), input))
                        return stage.name + " lacks " + graph.value(input).name;
                    if (std::count(stage.inputs.begin(), stage.inputs.end(), input) &&
                        !arrives(partition, input, stage.id))
                        return graph.value(input).name + " does not arrive in " + stage.name;
                }
                inside.insert(graph.at(i).outputs.begin(), graph.at(i).outputs.end());
            }
            names.insert(stage.parameters.begin(), stage.parameters.end());
        }
        for (const graph::Parameter &parameter : graph.parameters)
            all.push_back(parameter.fqn);
        std::sort(all.begin(), all.end());
        return Names(names.begin(), names.end()) == all ? "" : "the stages' names are not the model's";
    }

    static bool arrives(const Partition &partition, ValueId value, StageId stage)
    {
        return std::any_of(partition.transfers.begin(), partition.transfers.end(), [&](const Transfer &transfer) {
            return transfer.value == value && transfer.to == stage && transfer.from < stage;
        });
    }
};

PIPESCOPE_TEST(TestPartition)
#include "tst_partition.moc"

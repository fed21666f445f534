#include "partition/partition.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using Names = std::vector<std::string>;

namespace {

// Case C15: a ModuleList of four Linears.
ModelGraph fourLinears()
{
    std::string text = "in h\n";
    for (int i = 0; i < 4; ++i) {
        const std::string n = std::to_string(i);
        text +=
            "param w" + n + " layers." + n + ".weight 64\ncall layers." + n + "\nh = aten::linear h w" + n + "\nend\n";
    }
    return graphFromText(text + "return h");
}

std::string messageOf(const ModelGraph &graph, const std::vector<Names> &names)
{
    const Status status = checkStageNames(graph, names);
    return status ? "ok" : status.error().message;
}

} // namespace

class TestStageNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLaterStageKeepsTheLaterNumbers()
    {
        const auto partition = makePartition(fourLinears(), {2});
        QVERIFY(bool(partition));
        QCOMPARE(partition->stages[0].parameters, (Names{"layers.0.weight", "layers.1.weight"}));
        QCOMPARE(partition->stages[1].parameters, (Names{"layers.2.weight", "layers.3.weight"}));
        QCOMPARE(messageOf(fourLinears(), {partition->stages[0].parameters, partition->stages[1].parameters}),
                 std::string("ok"));
    }

    void layersNumberedAnewAreRefused()
    {
        const Status status = checkStageNames(
            fourLinears(), {{"layers.0.weight", "layers.1.weight"}, {"layers.0.weight", "layers.1.weight"}});
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(status.error().where, std::string("stage 1"));
        QCOMPARE(
            status.error().message,
            std::string("stage 1 has 'layers.0.weight', which belongs to stage 0 and is used there only; stages keep "
                        "the model's own names, they do not number layers anew"));
    }

    void aMissingNameIsNamed()
    {
        QCOMPARE(messageOf(fourLinears(), {{"layers.0.weight", "layers.1.weight"}, {"layers.3.weight"}}),
                 std::string("no stage has 'layers.2.weight', which the method uses"));
    }

    void aNameThatTheMethodDoesNotUseMayBeMissing()
    {
        const ModelGraph graph = graphFromText("in x\nparam w w 8\nunused u 4\na = aten::mm x w\nreturn a");
        QCOMPARE(messageOf(graph, {{"w"}}), std::string("ok"));
        QCOMPARE(messageOf(graph, {{"u", "w"}}), std::string("ok"));
        QCOMPARE(messageOf(graph, {{"u"}}), std::string("no stage has 'w', which the method uses"));
    }

    void anUnknownNameGetsTheNearest()
    {
        QVERIFY(messageOf(fourLinears(), {{"layer.0.weight"}})
                    .starts_with("stage 0 has 'layer.0.weight', which the model has not; stages keep the model's own "
                                 "names. Did you mean layers.0.weight"));
    }

    void aNameTwiceInOneStageIsRefused()
    {
        QCOMPARE(messageOf(fourLinears(), {{"layers.0.weight", "layers.0.weight"}}),
                 std::string("stage 0 has 'layers.0.weight' twice"));
    }

    void aTensorMayBeInAsManyStagesAsNodesUseIt()
    {
        const ModelGraph graph = graphFromText(
            "in x\nparam w w 8\ntied w v\nunused u 4\na = aten::mm x w\nb = aten::mm a w\nc = aten::sin b\nreturn c");
        QCOMPARE(messageOf(graph, {{"u", "v", "w"}, {"v", "w"}, {}}), std::string("ok"));
        QCOMPARE(messageOf(graph, {{"u", "w"}, {"w", "v"}, {"w"}}),
                 std::string("stage 2 has 'w', which belongs to stage 0 and is used in fewer places; stages keep the "
                             "model's own names, they do not number layers anew"));
        QCOMPARE(
            messageOf(graph, {{"u", "v", "w"}, {"u"}}),
            std::string("stage 1 has 'u', which belongs to stage 0 and is used there only; stages keep the model's own "
                        "names, they do not number layers anew"));
    }
};

PIPESCOPE_TEST(TestStageNames)
#include "tst_stage_names.moc"

#include "session/stage_name.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using session::stageModules;
using session::stageName;

namespace {

graph::ModelGraph decoder()
{
    std::string text = "in x\ncall net\ncall net.embed\na = aten::embedding x\nend\n";
    for (int i = 0; i < 5; ++i) {
        const std::string block = "net.blocks." + std::to_string(i);
        text += "call " + block + "\ncall " + block + ".ln\na = aten::layer_norm a\nend\na = aten::add a a\nend\n";
    }
    return tests::graphFromText(text + "end\ncall head\na = aten::linear a\nend\na = aten::neg a\nreturn a");
}

QString named(const graph::ModelGraph &graph, int begin, int end, int most = 4)
{
    partition::Stage stage;
    stage.begin = begin;
    stage.end = end;
    return stageName(graph, stage, most);
}

} // namespace

class TestStageName : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void numberedModulesAreDrawnTogether()
    {
        const auto graph = decoder();
        QCOMPARE(named(graph, 0, 7), QString("embed, blocks.0–2"));
        QCOMPARE(named(graph, 3, 7), QString("blocks.1–2"));
        QCOMPARE(named(graph, 7, 12), QString("net.blocks.3–4, head"));
    }

    void aWholeModelIsItsOutermostModules() { QCOMPARE(named(decoder(), 0, 13), QString("net, head")); }

    void partsOfAModuleAreNamedByWhatIsWholeInThem()
    {
        const auto graph = decoder();
        QCOMPARE(named(graph, 1, 4), QString("blocks.0, blocks.1.ln"));
        QCOMPARE(named(graph, 2, 3), QString("net.blocks.0 (part)"));
        QCOMPARE(named(graph, 12, 13), QString("neg"));
    }

    void whatIsTooMuchIsCounted()
    {
        QCOMPARE(named(decoder(), 1, 12, 2), QString("net.blocks.0–4, head"));
        QCOMPARE(named(decoder(), 0, 12, 2), QString("net, head"));
        QCOMPARE(named(decoder(), 0, 4, 2), QString("embed, 2 more"));
    }

    void noNameIsANumberAlone()
    {
        std::string text = "in x\n";
        for (const char *name : {"0", "1", "2", "3", "head"})
            text += std::string("call ") + name + "\nx = aten::linear x\nend\n";
        const auto list = tests::graphFromText(text); // its class is Model
        QCOMPARE(named(list, 0, 4), QString("Model.0–3"));
        QCOMPARE(named(list, 3, 5), QString("Model.3, head"));
    }

    void aNumberKeepsTheWordBeforeItInDeeperLists()
    {
        std::string text = "in x\n";
        for (const char *name : {"net.layers.0.conv", "net.layers.1.conv", "net.list.0.0", "net.list.0.1"})
            text += std::string("call ") + name + "\nx = aten::linear x\nend\n";
        const auto deep = tests::graphFromText(text);
        QCOMPARE(named(deep, 0, 2), QString("layers.0.conv, layers.1.conv"));
        QCOMPARE(named(deep, 2, 4), QString("list.0.0–1"));
    }

    void partsOfOneItemSayWhichOne()
    {
        std::string text = "in x\n";
        for (const char *name : {"net.blocks.1.conv2", "net.blocks.1.bn2"})
            text += std::string("call ") + name + "\nx = aten::linear x\nend\n";
        QCOMPARE(named(tests::graphFromText(text), 0, 2), QString("blocks.1.conv2, blocks.1.bn2"));
    }

    void aModuleInLittleRoomIsNamedFromAWordOn()
    {
        graph::ModelGraph graph;
        graph.modelClass = "Sequential";
        using session::moduleName;
        QCOMPARE(moduleName(graph, "layers.1.net2"), QString("layers.1.net2"));
        QCOMPARE(moduleName(graph, "model.decoder.h.3"), QString("h.3"));
        QCOMPARE(moduleName(graph, "net.list.0.1"), QString("list.0.1"));
        QCOMPARE(moduleName(graph, "blocks.2.attn.proj"), QString("attn.proj"));
        QCOMPARE(moduleName(graph, "head"), QString("head"));
        QCOMPARE(moduleName(graph, "0.1"), QString("Sequential.0.1"));
    }

    void aStageWithoutNodesHasNoName() { QCOMPARE(named(decoder(), 3, 3), QString()); }
};

PIPESCOPE_TEST(TestStageName)
#include "tst_stage_name.moc"

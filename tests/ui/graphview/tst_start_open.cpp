#include "graphview/start_open.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

std::string decoder(int blocks)
{
    std::string text = "in v0\ncall transformer\n";
    for (int i = 0; i < blocks; ++i) {
        const std::string at = std::to_string(i);
        text += "call transformer.h." + at + "\n";
        for (int part = 0; part < 10; ++part)
            text +=
                "v" + std::to_string(10 * i + part + 1) + " = aten::linear v" + std::to_string(10 * i + part) + "\n";
        text += "end\n";
    }
    text += "end\ncall head\n";
    const std::string last = std::to_string(10 * blocks);
    return text + "y = aten::linear v" + last + "\nend\nreturn y\n";
}

std::size_t shown(const graph::ModelGraph &graph)
{
    return buildBoxTree(graph, startOpen(graph)).boxes.size();
}

} // namespace

class TestStartOpen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aTransformerShowsItsBlocks()
    {
        const graph::ModelGraph graph = tests::graphFromText(decoder(12));
        QCOMPARE(startOpen(graph), (OpenBoxes{{BoxKind::Module, 0}}));
        QCOMPARE(shown(graph), 17U); // the model, argument, transformer, 12 blocks, head, result
    }

    void aSmallModelShowsItsOperators() { QCOMPARE(startOpen(tests::graphFromText(decoder(2))).size(), 3U); }

    void modulesWithOneOperatorStayClosed()
    {
        const graph::ModelGraph graph = tests::graphFromText("in x\ncall a\ny = aten::sin x\nend\nreturn y\n");
        QVERIFY(startOpen(graph).empty());
    }

    void aLongListIsOpenedOnlyWhereThereIsNothingElse()
    {
        QCOMPARE(startOpen(tests::graphFromText(decoder(60))).size(), 1U);
        QVERIFY(startOpen(tests::graphFromText(decoder(600))).empty());
    }

    void aModelOfNothingHasNothingOpen() { QVERIFY(startOpen(graph::ModelGraph()).empty()); }
};

PIPESCOPE_TEST(TestStartOpen)
#include "tst_start_open.moc"

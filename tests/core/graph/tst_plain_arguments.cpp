#include "graph/plain_arguments.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

namespace {

std::vector<std::string> plainNames(const graph::ModelGraph &graph)
{
    std::vector<std::string> names;
    for (const graph::Argument &argument : graph::plainArguments(graph))
        names.push_back(argument.name);
    return names;
}

} // namespace

class TestPlainArguments : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyArgumentsWithoutTensorsArePlain()
    {
        const graph::ModelGraph graph =
            tests::graphFromText("in x\nin rate : int\nin mask\nin mode : str\na = aten::add x mask\nreturn a");
        QCOMPARE(plainNames(graph), (std::vector<std::string>{"rate", "mode"}));
    }

    void anArgumentWithoutAValueInTheGraphIsNotPlain()
    {
        graph::ModelGraph graph = tests::graphFromText("in x\na = aten::relu x\nreturn a");
        graph.arguments.push_back({"rate", "int", ValueId{}, false, {}});
        QCOMPARE(plainNames(graph), std::vector<std::string>());
    }

    void aNodeThatHoldsOthersIsABranch()
    {
        QVERIFY(!graph::hasBranches(tests::graphFromText("in x\na = aten::relu x\nreturn a")));
        QVERIFY(graph::hasBranches(
            tests::graphFromText("in x\nin rate : int\nb = prim::If rate x {\na = aten::relu x\n}\nreturn b")));
    }
};

PIPESCOPE_TEST(TestPlainArguments)
#include "tst_plain_arguments.moc"

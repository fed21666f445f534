#include "graph/module_names.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

namespace {

std::string around(const graph::ModelGraph &graph, const std::string &fqn)
{
    return std::string(graph::ModuleNames(graph).around(fqn));
}

} // namespace

class TestModuleNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsAroundIsAModuleOfTheGraph()
    {
        const graph::ModelGraph graph = tests::graphFromText(R"(
            in x
            call layers.0.fc
            a = aten::linear x
            end
            call up/0
            b = aten::relu a
            end
        )");
        QCOMPARE(around(graph, "layers.0.fc.weight"), std::string("layers.0.fc"));
        QCOMPARE(around(graph, "layers.0.fc"), std::string("layers.0"));
        QCOMPARE(around(graph, "layers"), std::string());
        QCOMPARE(around(graph, ""), std::string());
        QCOMPARE(around(graph, "up/0.w"), std::string("up/0"));
    }

    void aNameThatHoldsDotsIsNotCutAtThem()
    {
        const graph::ModelGraph graph = tests::graphFromText("in x\ncall conv\na = aten::relu x\nend");
        // A packed parameter that was hoisted to the model, and one of a module.
        QCOMPARE(around(graph, "block.0._packed_params"), std::string());
        QCOMPARE(around(graph, "conv.0._packed_params"), std::string("conv"));
    }
};

PIPESCOPE_TEST(TestModuleNames)
#include "tst_module_names.moc"

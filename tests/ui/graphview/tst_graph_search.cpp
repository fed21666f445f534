#include "graphview/graph_search.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

graph::ModelGraph model()
{
    graph::ModelGraph graph = tests::graphFromText(R"(in x
in c
call layers.0
a = aten::linear x
end
call layers.1
b = prim::If c a {
d = aten::relu a
}
end
return b
)");
    graph.values[2].tensor = graph::TensorMeta{"float32", {8, 64}, 2048, false};
    return graph;
}

std::vector<BoxKey> found(const char *pattern)
{
    return searchGraph(model(), QRegularExpression(QString::fromLatin1(pattern)));
}

} // namespace

class TestGraphSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aModuleIsFoundBeforeWhatIsInside()
    {
        QVERIFY(
            (found("layers.1") == std::vector<BoxKey>{{BoxKind::Module, 1}, {BoxKind::Block, 1}, {BoxKind::Node, 2}}));
    }

    void operatorsAndShapesAreFound()
    {
        QVERIFY((found("aten::relu") == std::vector<BoxKey>{{BoxKind::Node, 2}}));
        QVERIFY((found("\\[8, 64\\]") == std::vector<BoxKey>{{BoxKind::Node, 0}}));
    }

    void nothingIsFoundByNothingOrByWhatIsNoExpression()
    {
        QVERIFY(found("").empty());
        QVERIFY(found("(").empty());
        QVERIFY(found("conv").empty());
    }
};

PIPESCOPE_TEST(TestGraphSearch)
#include "tst_graph_search.moc"

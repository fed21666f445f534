#include "graphview/box_facts.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

const char *const Text = R"(in x
param w a.w 100
call a
p = aten::linear x w @0.5 *10
q = aten::linear p w @0.25 *20
end
r = aten::relu q *30
return r
)";

} // namespace

class TestBoxFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aModuleCostsWhatItsNodesCostAndAParameterOnce()
    {
        const graph::ModelGraph graph = tests::graphFromText(Text);
        const BoxTree tree = buildBoxTree(graph, {});
        const std::vector<BoxCosts> costs = costsOf(graph, tree);
        QCOMPARE(tree.boxes[2].title, std::string("a"));
        QVERIFY((costs[2] == BoxCosts{0.75, 30, 100}));
    }

    void constantsOfTheCodeAreAmongWhatABoxHolds()
    {
        const graph::ModelGraph graph = tests::graphFromText(
            "in x\nconst c table 100\nbuffer m mean 10\nconst n : int = 2\nr = aten::f x c m n *30\nreturn r\n");
        const std::vector<BoxCosts> costs = costsOf(graph, buildBoxTree(graph, {}));
        QCOMPARE(costs.front().parameters, std::int64_t(110));
    }

    void whatWasNotMeasuredIsUnknownAndNotNothing()
    {
        const graph::ModelGraph graph = tests::graphFromText(Text);
        const std::vector<BoxCosts> costs = costsOf(graph, buildBoxTree(graph, {}));
        QVERIFY((costs[3] == BoxCosts{std::nullopt, 30, 0}));
        QVERIFY(!costs[0].seconds); // the model holds the node that was not measured
        QVERIFY(!amount(costs[3], Overlay::Time));
        QCOMPARE(amountText(costs[3], Overlay::Time), std::string());
        QCOMPARE(amountText(costs[2], Overlay::Time), std::string("750 ms"));
        QCOMPARE(amountText(costs[2], Overlay::Parameters), std::string("100 B"));
    }

    void aBoxLiesInTheStagesOfItsNodes()
    {
        const graph::ModelGraph graph = tests::graphFromText(Text);
        const BoxTree tree = buildBoxTree(graph, {});
        const auto spans = stagesOf(graph, tree, {StageId{0}, StageId{1}, StageId{1}});
        QVERIFY((spans[2] == StageSpan{StageId{0}, StageId{1}}));
        QVERIFY((spans[3] == StageSpan{StageId{1}, StageId{1}}));
        QVERIFY(spans[1] == StageSpan{}); // an argument
    }

    void stagesOfAnotherGraphAreNotShown()
    {
        const graph::ModelGraph graph = tests::graphFromText(Text);
        QVERIFY(stagesOf(graph, buildBoxTree(graph, {}), {StageId{0}})[2] == StageSpan{});
    }
};

PIPESCOPE_TEST(TestBoxFacts)
#include "tst_box_facts.moc"

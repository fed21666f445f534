#include "session/carry_over.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>

using namespace pipescope;
using session::carryOver;

class TestCarryOver : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aNodeThatBothHaveStaysSelected()
    {
        const auto outline = tests::graphFromText("in x\na = aten::sin x\nb = aten::cos a\nreturn b");
        const auto loaded =
            tests::graphFromText("in x\nc = prim::Constant\na = aten::sin x\nb = aten::cos a\nreturn b");
        session::Selection selection;
        selection.selectNode(NodeId{1});
        carryOver(selection, outline, loaded);
        QCOMPARE(loaded.node(selection.current().node).op, std::string("aten::cos"));
    }

    void oneOfSeveralAlikeIsForgottenWhereTheirNumberDiffers()
    {
        const auto outline = tests::graphFromText("in x\na = aten::sin x\nreturn a");
        const auto loaded = tests::graphFromText("in x\na = aten::sin x\nb = aten::sin a\nreturn b");
        session::Selection selection;
        selection.selectNode(NodeId{0});
        carryOver(selection, outline, loaded);
        QVERIFY(selection.current() == session::Selected());
    }

    void aModuleThatIsCalledInBothStaysSelected()
    {
        const auto outline = tests::graphFromText("in x\ncall fc\na = aten::linear x\nend\nreturn a");
        const auto loaded =
            tests::graphFromText("in x\nc = prim::Constant\ncall fc\na = aten::linear x\nend\nreturn a");
        session::Selection selection;
        selection.selectModule({"fc", 0});
        carryOver(selection, outline, loaded);
        QVERIFY(selection.current().module.has_value());
        QCOMPARE(selection.current().module->fqn, std::string("fc"));
    }

    void aParameterStaysAndWhatIsOfTheOldGraphGoes()
    {
        const auto graph = tests::graphFromText("in x\na = aten::sin x\nreturn a");
        session::Selection selection;
        selection.selectParameter("fc.weight");
        carryOver(selection, graph, graph);
        QCOMPARE(selection.current().parameter, std::string("fc.weight"));
        selection.selectValue(ValueId{0});
        carryOver(selection, graph, graph);
        QVERIFY(selection.current() == session::Selected());
    }

    void anActionOfARunStaysWhereTheNextRunHasItToo()
    {
        const trace::Trace next = tests::evenForward(2, 2, 10);
        session::Selection selection;
        selection.selectAction({StageId{1}, MicrobatchId{1}});
        carryOver(selection, next);
        QVERIFY(selection.current().action.has_value());
        selection.selectAction({StageId{1}, MicrobatchId{2}});
        carryOver(selection, next);
        QVERIFY(selection.current() == session::Selected());
        selection.selectAction({StageId{2}, MicrobatchId{0}});
        carryOver(selection, next);
        QVERIFY(selection.current() == session::Selected());
    }

    void aRankStaysWhereTheNextRunHasItAndASpanOfTimeDoesNot()
    {
        const trace::Trace next = tests::evenForward(2, 2, 10);
        session::Selection selection;
        selection.selectRank(RankId{1});
        carryOver(selection, next);
        QCOMPARE(selection.current().rank, RankId{1});
        selection.selectRank(RankId{2});
        carryOver(selection, next);
        QVERIFY(selection.current() == session::Selected());
        selection.selectSpan({RankId{}, 0, 10});
        carryOver(selection, next);
        QVERIFY(selection.current() == session::Selected());
    }

    void whatIsOfTheModelIsLeftAloneByANewRun()
    {
        session::Selection selection;
        selection.selectNode(NodeId{3});
        carryOver(selection, trace::Trace());
        QCOMPARE(selection.current().node, NodeId{3});
        selection.selectStage(StageId{3});
        carryOver(selection, trace::Trace());
        QCOMPARE(selection.current().stage, StageId{3});
    }
};

PIPESCOPE_TEST(TestCarryOver)
#include "tst_carry_over.moc"

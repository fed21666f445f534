#include "session/carry_over.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
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
        selection.select(NodeId{1});
        carryOver(selection, outline, loaded);
        QCOMPARE(loaded.node(session::idIn<NodeId>(selection.current())).op, std::string("aten::cos"));
    }

    void oneOfSeveralAlikeIsForgottenWhereTheirNumberDiffers()
    {
        const auto outline = tests::graphFromText("in x\na = aten::sin x\nreturn a");
        const auto loaded = tests::graphFromText("in x\na = aten::sin x\nb = aten::sin a\nreturn b");
        session::Selection selection;
        selection.select(NodeId{0});
        carryOver(selection, outline, loaded);
        QVERIFY(selection.current() == session::Selected());
    }

    void aModuleThatIsCalledInBothStaysSelected()
    {
        const auto outline = tests::graphFromText("in x\ncall fc\na = aten::linear x\nend\nreturn a");
        const auto loaded =
            tests::graphFromText("in x\nc = prim::Constant\ncall fc\na = aten::linear x\nend\nreturn a");
        session::Selection selection;
        selection.select(session::SelectedModule{"fc", 0});
        carryOver(selection, outline, loaded);
        QVERIFY((selection.current() == session::Selected(session::SelectedModule{"fc", 0})));
    }

    void aParameterStaysAndWhatIsOfTheOldGraphGoes()
    {
        const auto graph = tests::graphFromText("in x\na = aten::sin x\nreturn a");
        session::Selection selection;
        selection.select(session::SelectedParameter{"fc.weight"});
        carryOver(selection, graph, graph);
        QVERIFY(selection.current() == session::Selected(session::SelectedParameter{"fc.weight"}));
        selection.select(ValueId{0});
        carryOver(selection, graph, graph);
        QVERIFY(selection.current() == session::Selected());
    }

    void aNodeOfAnotherMethodIsAnotherNode()
    {
        const auto forward = tests::graphFromText("in x\ncall fc\na = aten::linear x\nend\nreturn a");
        auto encode = forward;
        encode.method = "encode";
        session::Selection selection;
        selection.select(NodeId{0});
        carryOver(selection, forward, encode);
        QVERIFY(selection.current() == session::Selected());
        selection.select(session::SelectedModule{"fc", 0});
        carryOver(selection, forward, encode);
        QVERIFY((selection.current() == session::Selected(session::SelectedModule{"fc", 0})));
    }

    void anActionOfARunStaysWhereTheNextRunHasItToo()
    {
        const trace::Trace next = tests::evenForward(2, 2, 10);
        session::Selection selection;
        selection.select(tests::forwardOf(1, 1));
        carryOver(selection, next, session::RunId{7});
        QVERIFY(tests::isForward(selection.current(), 1, 1));
        QCOMPARE(session::runIn(selection.current()), session::RunId{7}); // it is that run's now
        selection.select(tests::forwardOf(1, 2));
        carryOver(selection, next, session::RunId{7});
        QVERIFY(selection.current() == session::Selected());
        selection.select(
            session::SelectedAction{{}, {schedule::ActionKind::FullBackward, StageId{1}, MicrobatchId{1}}});
        carryOver(selection, next, session::RunId{7});
        QVERIFY(selection.current() == session::Selected());
        selection.select(tests::forwardOf(2, 0));
        carryOver(selection, next, session::RunId{7});
        QVERIFY(selection.current() == session::Selected());
    }

    void aRankStaysWhereTheNextRunHasItAndASpanOfTimeDoesNot()
    {
        const trace::Trace next = tests::evenForward(2, 2, 10);
        session::Selection selection;
        selection.select(RankId{1});
        carryOver(selection, next, session::RunId{7});
        QCOMPARE(session::idIn<RankId>(selection.current()), RankId{1});
        selection.select(RankId{2});
        carryOver(selection, next, session::RunId{7});
        QVERIFY(selection.current() == session::Selected());
        selection.select(session::SelectedSpan{{}, RankId{}, 0, 10});
        carryOver(selection, next, session::RunId{7});
        QVERIFY(selection.current() == session::Selected());
    }

    void whatIsOfTheModelIsLeftAloneByANewRun()
    {
        session::Selection selection;
        selection.select(NodeId{3});
        carryOver(selection, trace::Trace(), {});
        QCOMPARE(session::idIn<NodeId>(selection.current()), NodeId{3});
        selection.select(StageId{3});
        carryOver(selection, trace::Trace(), {});
        QCOMPARE(session::stageIn(selection.current()), StageId{3});
    }
};

PIPESCOPE_TEST(TestCarryOver)
#include "tst_carry_over.moc"

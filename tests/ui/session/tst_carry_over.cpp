#include "session/carry_over.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"

#include <QtTest>

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
};

QTEST_GUILESS_MAIN(TestCarryOver)
#include "tst_carry_over.moc"

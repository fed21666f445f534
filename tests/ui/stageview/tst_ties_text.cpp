#include "stageview/ties_text.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using stageview::TiesText;
using stageview::tiesText;

class TestTiesText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withoutTiesThereIsNothingToSay()
    {
        const auto graph = tests::graphFromText("in x\nparam w a.weight 8\ny = aten::linear x w\nreturn y\n");
        QCOMPARE(tiesText(graph, *partition::makePartition(graph, {})).line, QString());
    }

    void oneTieIsNamedWithItsStages()
    {
        const auto graph =
            tests::graphFromText("in x\nparam w a.weight 2048\na = aten::linear x w\n"
                                 "b = aten::linear a w\nc = aten::sin b\nd = aten::linear c w\nreturn d\n");
        const TiesText ties = tiesText(graph, *partition::makePartition(graph, {1, 2, 3}));
        QCOMPARE(ties.line, QString("tied: a.weight in stages 0, 1 and 3"));
        QCOMPARE(ties.details, QString("a.weight is used in stages 0, 1 and 3; each keeps a copy of 2.00 KiB\n"
                                       "Together the stages hold 4.00 KiB more than the model."));
    }

    void severalTiesAreCountedAndListedInTheDetails()
    {
        const auto graph = tests::graphFromText("in x\nparam v a.bias 1024\nparam w a.weight 2048\n"
                                                "a = aten::linear x w v\nb = aten::linear a w v\nreturn b\n");
        const TiesText ties = tiesText(graph, *partition::makePartition(graph, {1}));
        QCOMPARE(ties.line, QString("tied: 2 parameters in several stages, 3.00 KiB more in all"));
        QVERIFY(
            ties.details.startsWith("a.bias is used in stages 0 and 1; each keeps a copy of 1.00 KiB\na.weight is"));
    }

    void ofManyTiesTheFirstAreListed()
    {
        std::string text = "in x\n";
        std::string operands = "x";
        for (int i = 0; i < 25; ++i) {
            const std::string name = std::to_string(i);
            text += "param w" + name + " p" + name + " 1024\n";
            operands += " w" + name;
        }
        const auto graph =
            tests::graphFromText(text + "a = aten::f " + operands + "\nb = aten::g a " + operands + "\nreturn b\n");
        const TiesText ties = tiesText(graph, *partition::makePartition(graph, {1}));
        QCOMPARE(ties.details.count('\n'), 21);
        QVERIFY(ties.details.contains("\nand 5 more\n"));
    }
};

PIPESCOPE_TEST(TestTiesText)
#include "tst_ties_text.moc"

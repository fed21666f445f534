#include "runview/problem_text.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using runview::problemOf;

class TestProblemText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFailedNodeLeadsToItselfItsStageAndItsMicrobatch()
    {
        auto graph = tests::graphFromText("in x\na = aten::sin x\nreturn a");
        graph.nodes[0].source = {"/src/model.py", 12, 1, "y = x.sin()"};
        const auto problem =
            problemOf({ErrorCode::ModelFailed, "stage 1, microbatch 3, /aten::sin: no", "/aten::sin", "trace"}, &graph,
                      session::RunId{4});
        QCOMPARE(problem.source, QString("model.py:12: y = x.sin()"));
        QCOMPARE(problem.places.size(), std::size_t{3});
        QVERIFY(problem.places[0].selected == session::Selected(NodeId{0}));
        QCOMPARE(problem.places[1].text, QString("stage 1"));
        QVERIFY(problem.places[2].selected == session::Selected(tests::forwardOf(1, 3, session::RunId{4})));
        QCOMPARE(problem.details, QString("trace"));
    }

    void anInputLeadsToItsRowInTheTable()
    {
        const auto graph = tests::graphFromText("in x\nin y\na = aten::add x y\nreturn a");
        const auto problem =
            problemOf({ErrorCode::InvalidArgument, "missing a required argument: 'y'", "y", {}}, &graph);
        QCOMPARE(problem.places.size(), std::size_t{1});
        QCOMPARE(problem.places[0].text, QString("input y"));
        QCOMPARE(problem.places[0].input, 1);
    }

    void withoutAPlaceThereIsTheSentenceAlone()
    {
        const auto problem = problemOf({ErrorCode::NotFound, "There is no file 'x.pt'.", "x.pt", {}}, nullptr);
        QCOMPARE(problem.sentence, QString("There is no file 'x.pt'."));
        QVERIFY(problem.places.empty());
        QVERIFY(problemOf({ErrorCode::NotFound, "99999999999 stages", {}, {}}, nullptr).places.empty());
    }
};

PIPESCOPE_TEST(TestProblemText)
#include "tst_problem_text.moc"

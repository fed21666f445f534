#include "mainwindow/error_places.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::mainwindow;

namespace {

graph::ModelGraph placedModel()
{
    graph::ModelGraph graph = tests::graphFromText(R"(
        in x
        call layers.0
        a = aten::sin x
        end
        call layers.1
        b = aten::cos a
        end
        return b
    )");
    graph.nodes[1].source = {"/home/me/model.py", 12, 4, "return x.cos()"};
    return graph;
}

QStringList texts(const Error &error, int stages = 2)
{
    QStringList texts;
    for (const ErrorPlace &place : placesOf(error, placedModel(), stages))
        texts << place.text;
    return texts;
}

} // namespace

class TestErrorPlaces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void stagesNodesModulesAndSourceLinesAreFound()
    {
        const Error error{ErrorCode::ModelFailed, "stage 1: layers.1/aten::cos (model.py:12) failed.", "layers.0", {}};
        QCOMPARE(texts(error), QStringList({"layers.0", "stage 1", "layers.1/aten::cos"}));
        const auto places = placesOf(error, placedModel(), 2);
        QVERIFY((places[0].selected == session::Selected(session::SelectedModule{"layers.0", 0})));
        QVERIFY(places[1].selected == session::Selected(StageId{1}));
        QVERIFY(places[2].selected == session::Selected(NodeId{1}));
    }

    void aTracebackLeadsToItsLine()
    {
        const Error error{
            ErrorCode::ModelFailed, "the model failed", {}, "  File \"code/__torch__/model.py\", line 12\n"};
        QCOMPARE(texts(error), QStringList{"model.py:12"});
    }

    void whatIsNotInTheModelIsNoPlace()
    {
        QCOMPARE(texts({ErrorCode::ModelFailed, "stage 7 of decoder.pt, layers.9", "'x'", "\xff\xfe stage"}),
                 QStringList());
        QCOMPARE(texts({ErrorCode::ModelFailed, "stage 1, stage 1", {}, {}}), QStringList{"stage 1"});
    }
};

PIPESCOPE_TEST(TestErrorPlaces)
#include "tst_error_places.moc"

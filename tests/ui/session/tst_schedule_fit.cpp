#include "session/schedule_fit.h"

#include "session/document.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

std::shared_ptr<report::Inspection> threeLayers()
{
    auto model = std::make_shared<report::Inspection>();
    model->graph = tests::graphFromText("in x\ncall a\nh = aten::relu x\nend\ncall b\ni = aten::neg h\nend\n"
                                        "call c\ny = aten::abs i\nend\nreturn y");
    model->splitPoints = partition::splitPoints(model->graph);
    return model;
}

} // namespace

class TestScheduleFit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void whatFitsIsNoTrouble()
    {
        QCOMPARE(whyNotScheduled("gpipe", 4, 0, 8), QString());
        QCOMPARE(whyNotScheduled("GPipe", 4, 4, 8), QString());
        QCOMPARE(whyNotScheduled("forward", 4, 2, 8), QString());
        QCOMPARE(whyNotScheduled("forward", 1, 1, 1'000'000), QString());
    }

    void whatDoesNotFitSaysWhyAndWhatWould()
    {
        QCOMPARE(
            whyNotScheduled("gpipe", 4, 2, 8),
            QString("GPipe runs one stage per rank, but got 4 stages on 2 ranks; use `forward` for several stages on "
                    "a rank. With one device for each stage it can run."));
        QVERIFY(!whyNotScheduled("gpipe", 1, 2, 8).isEmpty());
        const QString few = whyNotScheduled("forward", 2, 3, 8);
        QVERIFY2(few.startsWith("A forward schedule needs") && few.contains("3 ranks, 2 stages"), qPrintable(few));
    }

    void schedulesOfFilesAreLeftToTheEngine()
    {
        QCOMPARE(whyNotScheduled("@mine.csv", 4, 2, 8), QString());
        QCOMPARE(whyNotScheduled("no such", 4, 2, 8), QString());
    }

    void aDocumentIsJudgedOnceItsStagesAreKnown()
    {
        Document document;
        plan::Plan plan;
        plan.model = "/models/m.pt";
        plan.splits = {"b", "c"};
        plan.devices = {"cpu:0", "cpu:1"};
        document.replace(plan, {});
        QVERIFY(!document.stages());
        QCOMPARE(whyNotScheduled(document), QString());
        const auto model = threeLayers();
        document.setModel(model);
        QCOMPARE(document.stages(), std::optional(3));
        QVERIFY(whyNotScheduled(document).contains("3 stages on 2 ranks"));
        document.edit("x", [](plan::Plan &changed) { changed.splits = {"b"}; });
        QCOMPARE(whyNotScheduled(document), QString());
        document.edit("x", [](plan::Plan &changed) { changed.splits = {"nowhere"}; });
        QVERIFY(!document.stages());
        auto read = std::make_shared<report::Inspection>(*model);
        read->structureOnly = true;
        document.edit("x", [](plan::Plan &changed) { changed.splits = {"b", "c"}; });
        document.setModel(read);
        QVERIFY(!document.stages());
    }
};

PIPESCOPE_TEST(TestScheduleFit)
#include "tst_schedule_fit.moc"

#include "session/document.h"
#include "session/staging.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using Words = std::vector<std::string>;

namespace {

std::shared_ptr<const report::Inspection> model()
{
    report::Inspection inspection;
    inspection.graph = tests::graphFromText(R"(
        in x
        param w0 layers.0.weight 64
        param w1 layers.1.weight 64
        param w2 layers.2.weight 64
        call layers.0
        a = aten::linear x w0
        end
        call layers.1
        b = aten::linear a w1
        end
        call layers.2
        c = aten::linear b w2
        end
        d = aten::relu_ !c
        return d
    )");
    inspection.splitPoints = partition::splitPoints(inspection.graph);
    return std::make_shared<const report::Inspection>(std::move(inspection));
}

std::string messageOf(const Status &status)
{
    return status ? "none" : status.error().message;
}

} // namespace

class TestStaging : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        pipescope::tests::failOnWarnings();
        m_document.newFor("model.pt");
        m_document.setModel(model());
    }

    void withoutSplitsTheModelIsOneStage()
    {
        const Staging staging = stagingOf(m_document.plan(), m_document.model()->graph);
        QCOMPARE(staging.stages.size(), std::size_t(1));
        QVERIFY(!staging.problem);
    }

    void whatNoStageUsesIsTold()
    {
        const auto graph = tests::graphFromText("in x\nunused critic.weight 64\na = aten::sin x\nreturn a\n");
        const Staging staging = stagingOf(plan::Plan(), graph);
        QCOMPARE(staging.unused, (partition::UnusedTensors{{"critic.weight"}, 1, 64}));
        QVERIFY(staging.partition.stages[0].parameters.empty());
        QCOMPARE(stagingOf(m_document.plan(), m_document.model()->graph).unused, partition::UnusedTensors());
    }

    void splitsAreKeptInTheModelsOrder()
    {
        QVERIFY(placeSplit(m_document, "layers.2"));
        QVERIFY(placeSplit(m_document, "layers.1"));
        QCOMPARE(m_document.plan().splits, (Words{"layers.1", "layers.2"}));
        const Staging staging = stagingOf(m_document.plan(), m_document.model()->graph);
        QCOMPARE(staging.stages.size(), std::size_t(3));
        QCOMPARE(staging.stages[1].first, std::string("layers.1"));
    }

    void modulesOfAnyNameCanBeSplitAt()
    {
        report::Inspection inspection;
        inspection.graph = tests::graphFromText(R"(
            in x
            a = aten::sin x
            call actor/actor/1/Elu
            b = aten::elu a
            end
            call p,q
            c = aten::linear b
            end
            call lin:end
            d = aten::linear c
            end
            return d
        )");
        inspection.splitPoints = partition::splitPoints(inspection.graph);
        m_document.setModel(std::make_shared<const report::Inspection>(inspection));
        for (const partition::SplitPoint &point : inspection.splitPoints)
            QVERIFY2(placeSplit(m_document, point.id), point.id.c_str());
        QCOMPARE(m_document.plan().splits, (Words{"actor/actor/1/Elu", "\"p,q\"", "lin:end"}));
        QCOMPARE(m_document.staging()->stages.size(), std::size_t(4));
        // As an older plan has it.
        m_document.edit(QString(), [](plan::Plan &plan) { plan.splits = {"p,q"}; });
        QVERIFY(!m_document.staging()->problem);
        QVERIFY(removeSplit(m_document, "\"p,q\""));
        QCOMPARE(m_document.plan().splits, Words{});
    }

    void aMoveIsOneStep()
    {
        QVERIFY(placeSplit(m_document, "layers.1"));
        QVERIFY(moveSplit(m_document, "layers.1", "layers.2"));
        QCOMPARE(m_document.plan().splits, Words{"layers.2"});
        QCOMPARE(m_document.undoStack().undoText(), QString("Move a split"));
        m_document.undoStack().undo();
        QCOMPARE(m_document.plan().splits, Words{"layers.1"});
    }

    void aPlaceThatHasASplitGetsNoSecondOne()
    {
        QVERIFY(placeSplit(m_document, "layers.1"));
        QVERIFY(placeSplit(m_document, "layers.0:end"));
        QCOMPARE(m_document.plan().splits, Words{"layers.1"});
        QCOMPARE(m_document.undoStack().count(), 1);
    }

    void removingIsTheOtherWayRound()
    {
        QVERIFY(placeSplit(m_document, "layers.1"));
        QVERIFY(placeSplit(m_document, "layers.2"));
        QVERIFY(removeSplit(m_document, "layers.1"));
        QCOMPARE(m_document.plan().splits, Words{"layers.2"});
    }

    void whatCannotBeCutSaysWhyAndChangesNothing()
    {
        const Status placed = placeSplit(m_document, "/aten::relu_");
        QVERIFY(!placed);
        QCOMPARE(placed.error().code, ErrorCode::IllegalCut);
        QVERIFY2(messageOf(placed).find("is written in place") != std::string::npos, messageOf(placed).c_str());
        QVERIFY(!placeSplit(m_document, "layers.9"));
        QCOMPARE(m_document.undoStack().count(), 0);
    }

    void aPlanWhoseSplitsDoNotFitIsShownAsOneStageWithTheReason()
    {
        m_document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1", "layers.9"}; });
        const Staging staging = stagingOf(m_document.plan(), m_document.model()->graph);
        QCOMPARE(staging.stages.size(), std::size_t(1));
        QVERIFY(staging.problem && staging.problem->message.find("layers.9") != std::string::npos);
    }

    void balancingMakesSoManyStages()
    {
        QVERIFY(balance(m_document, 3));
        QCOMPARE(stagingOf(m_document.plan(), m_document.model()->graph).stages.size(), std::size_t(3));
        QVERIFY(!balance(m_document, 17));
        QCOMPARE(m_document.undoStack().count(), 1);
    }

    void withoutAModelNothingIsPlaced()
    {
        m_document.newFor("other.pt");
        QCOMPARE(messageOf(placeSplit(m_document, "layers.1")), std::string("the model is not loaded yet"));
    }

private:
    Document m_document;
};

PIPESCOPE_TEST(TestStaging)
#include "tst_staging.moc"

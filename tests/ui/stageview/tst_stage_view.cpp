#include "stageview/stage_view.h"

#include "support/layers_model.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using stageview::StageView;

namespace {

std::shared_ptr<const report::Inspection> chain()
{
    return std::make_shared<const report::Inspection>(tests::layersModel(3));
}

struct Desk : tests::SessionDesk
{
    StageView view{document, controller, selection};

    Desk()
    {
        view.resize(700, 300);
        view.show();
        document.newFor("model.pt");
    }
    [[nodiscard]] QTableView &table() const { return *view.findChild<QTableView *>("stages"); }
    void click(const char *button) const { QTest::mouseClick(view.findChild<QPushButton *>(button), Qt::LeftButton); }
};

} // namespace

class TestStageView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withoutAModelThereIsNothingToBalance()
    {
        const Desk desk;
        QVERIFY(!desk.view.findChild<QPushButton *>("balance")->isEnabled());
        QCOMPARE(desk.table().model()->rowCount(), 0);
    }

    void aModelThatWasOnlyReadHasNoStagesYet()
    {
        Desk desk;
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        report::Inspection read = *chain();
        read.structureOnly = true;
        desk.document.setModel(std::make_shared<const report::Inspection>(read));
        QCOMPARE(desk.table().model()->rowCount(), 0);
        auto *problem = desk.view.findChild<QLabel *>("problem");
        QVERIFY(problem->isVisible());
        QCOMPARE(problem->text(), QString("Not loaded: trust and load it to place splits."));
        QVERIFY(!desk.view.findChild<QPushButton *>("balance")->isEnabled());
        desk.document.setModel(chain());
        QCOMPARE(desk.table().model()->rowCount(), 2);
        QVERIFY(!problem->isVisible());
        QVERIFY(desk.view.findChild<QPushButton *>("balance")->isEnabled());
    }

    void theNumberOfStagesIsOfTheModelThatIsOpen()
    {
        Desk desk;
        const auto &count = *desk.view.findChild<QSpinBox *>("count");
        desk.document.setModel(chain());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1", "layers.2"}; });
        QCOMPARE(count.value(), 3);
        desk.document.newFor("other.pt");
        desk.document.setModel(chain());
        QCOMPARE(count.value(), 2);
        QCOMPARE(desk.view.findChild<QPushButton *>("balance")->text(), QString("&Balance into 2 stages"));
    }

    void theButtonPlacesTheSplitsAsOneStep()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.view.findChild<QSpinBox *>("count")->setValue(3);
        desk.click("balance");
        QCOMPARE(desk.table().model()->rowCount(), 3);
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.1", "layers.2"}));
        QCOMPARE(desk.view.findChild<QPushButton *>("balance")->text(), QString("&Balance into 3 stages"));
        desk.document.undoStack().undo();
        QCOMPARE(desk.table().model()->rowCount(), 1);
    }

    void whatCannotBeBalancedIsToldInPlace()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.view.findChild<QSpinBox *>("count")->setValue(9);
        desk.click("balance");
        const auto *problem = desk.view.findChild<QLabel *>("problem");
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("3"), qPrintable(problem->text()));
        QCOMPARE(desk.table().model()->rowCount(), 1);
    }

    void splitsThatDoNotFitTheModelAreTold()
    {
        Desk desk;
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.9"}; });
        desk.document.setModel(chain());
        const auto *problem = desk.view.findChild<QLabel *>("problem");
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("layers.9"), qPrintable(problem->text()));
    }

    void theLineBetweenTwoRowsIsDraggedToAnotherPlace()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        QTableView &table = desk.table();
        const QPoint line(60, table.rowViewportPosition(1));
        QTest::mousePress(table.viewport(), Qt::LeftButton, {}, line);
        QTest::mouseMove(table.viewport(), line + QPoint(0, 10));
        const auto *pace = desk.view.findChild<QLabel *>("pace");
        QCOMPARE(pace->text(), QString("stage 1 begins at layers.2"));
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.1"}));
        QTest::mouseRelease(table.viewport(), Qt::LeftButton, {}, line + QPoint(0, 10));
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.2"}));
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.1"}));
    }

    void escapeLeavesADraggedLineWhereItWas()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        QTableView &table = desk.table();
        const QPoint line(60, table.rowViewportPosition(1));
        QTest::mousePress(table.viewport(), Qt::LeftButton, {}, line);
        QTest::mouseMove(table.viewport(), line + QPoint(0, 10));
        QTest::keyClick(&table, Qt::Key_Escape);
        QTest::mouseRelease(table.viewport(), Qt::LeftButton, {}, line + QPoint(0, 10));
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.1"}));
    }

    void aLineThatIsDraggedIsNotMovedInAnotherModel()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        QTableView &table = desk.table();
        const QPoint line(60, table.rowViewportPosition(1));
        QTest::mousePress(table.viewport(), Qt::LeftButton, {}, line);
        QTest::mouseMove(table.viewport(), line + QPoint(0, 10));
        desk.document.setModel(std::make_shared<const report::Inspection>(tests::layersModel(4)));
        QTest::mouseRelease(table.viewport(), Qt::LeftButton, {}, line + QPoint(0, 10));
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.1"}));
    }

    void theKeysMoveWhereTheSelectedStageBegins()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        desk.selection.select(StageId{1});
        QApplication::setActiveWindow(&desk.view);
        desk.table().setFocus();
        QTest::keyClick(&desk.table(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.2"}));
        QTest::keyClick(&desk.table(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(desk.view.findChild<QLabel *>("pace")->text(), QString("stage 1 cannot begin any further"));
        QTest::keyClick(&desk.table(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"layers.1"}));
        desk.selection.select(StageId{0});
        QTest::keyClick(&desk.table(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(desk.view.findChild<QLabel *>("pace")->text().contains("stage 1"));
    }

    void aBoundaryStopsAtItsNeighbours()
    {
        const auto points = partition::splitPoints(chain()->graph);
        QCOMPARE(stageview::moveBoundary(points, {1}, 0, 1),
                 (std::optional<stageview::BoundaryMove>({"layers.1", "layers.2", 2})));
        QCOMPARE(stageview::moveBoundary(points, {1}, 0, 9)->to, std::string("layers.2"));
        QVERIFY(!stageview::moveBoundary(points, {1, 2}, 0, 1));
        QVERIFY(!stageview::moveBoundary(points, {1}, 0, -1));
        QVERIFY(!stageview::moveBoundary(points, {1}, 3, 1));
    }

    void aClickedRowIsTheSelectedStageAndTheOtherWayRound()
    {
        Desk desk;
        desk.document.setModel(chain());
        desk.click("balance");
        QTableView &table = desk.table();
        const QPoint second = table.visualRect(table.model()->index(1, 0)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(session::stageIn(desk.selection.current()), StageId{1});
        desk.selection.select(StageId{0});
        QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table.selectionModel()->selectedRows().first().row(), 0);
        desk.selection.clear();
        QVERIFY(table.selectionModel()->selectedRows().isEmpty());
    }

    void whatIsTiedIsSaidAsSoonAsThereAreStages()
    {
        Desk desk;
        report::Inspection model = *chain();
        model.graph = tests::graphFromText("in x\nparam w transformer.wte.weight 1048576\ntied w lm_head.weight\n"
                                           "call layers.0\na = aten::embedding w x\nend\n"
                                           "call layers.1\nb = aten::sin a\nend\n"
                                           "call layers.2\nc = aten::linear b w\nend\nreturn c\n");
        model.splitPoints = partition::splitPoints(model.graph);
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        const auto *ties = desk.view.findChild<QLabel *>("ties");
        QVERIFY(!ties->isVisible()); // one stage has it all
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1", "layers.2"}; });
        QVERIFY(ties->isVisible());
        QCOMPARE(ties->text(), QString("tied: transformer.wte.weight in stages 0 and 2"));
        QVERIFY(ties->toolTip().contains(
            "transformer.wte.weight is used in stages 0 and 2; each keeps a copy of 1.00 MiB"));
        QVERIFY2(ties->toolTip().contains("Together the stages hold 1.00 MiB more than the model."),
                 qPrintable(ties->toolTip()));
        QVERIFY(ties->minimumSizeHint().width() < 40); // a long name makes the dock no wider
        QVERIFY(ties->y() < desk.view.findChild<QPushButton *>()->geometry().bottom()); // beside, not a line of its own
        QVERIFY(ties->geometry().bottom() > desk.view.findChild<QPushButton *>()->y());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {}; });
        QVERIFY(!ties->isVisible());
    }

    void whatNoStageUsesIsSaidBesideTheBalance()
    {
        Desk desk;
        report::Inspection model = *chain();
        model.graph = tests::graphFromText("in x\nparam w actor.weight 64\nunused critic.bias 1024\n"
                                           "unused critic.weight 1024\ncall actor\na = aten::linear x w\nend\n"
                                           "b = aten::sin a\nreturn b\n");
        model.splitPoints = partition::splitPoints(model.graph);
        const auto *unused = desk.view.findChild<QLabel *>("unused");
        QVERIFY(!unused->isVisible());
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        QVERIFY(unused->isVisible());
        QCOMPARE(unused->text(), QString("in no stage: 2 tensors, 2.00 KiB"));
        QVERIFY(unused->toolTip().contains("critic.bias\ncritic.weight"));
        QVERIFY(unused->minimumSizeHint().width() < 40);
        desk.document.setModel(chain());
        QVERIFY(!unused->isVisible());
    }

    void itSaysOfWhichRunTheTimesAre()
    {
        Desk desk;
        desk.client.start();
        desk.engine.greet();
        desk.document.setModel(chain());
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        const auto *label = desk.view.findChild<QLabel *>("ofRun");
        QVERIFY(label->isHidden());
        report::TracedRun run;
        run.plan = desk.document.plan();
        run.plan.schedule = "gpipe";
        run.schedule = "forwards of gpipe";
        run.trace.microbatches = 4;
        run.stages.resize(2);
        desk.finish(run);
        QCOMPARE(label->text(), QString("Run 1 forwards of GPipe ×4"));
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.2"}; });
        QVERIFY(label->isHidden()); // no run of these stages
    }
};

PIPESCOPE_WIDGET_TEST(TestStageView)
#include "tst_stage_view.moc"

#include "checkview/check_view.h"

#include "support/layers_model.h"
#include "support/links.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/session_desk.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QFile>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;
using checkview::CheckView;

namespace {

struct Desk : tests::SessionDesk
{
    CheckView view{controller, selection, style::Theme::dark()};

    Desk() { begin(); }
    [[nodiscard]] QTableView &table(const char *name) const { return *view.findChild<QTableView *>(name); }
    [[nodiscard]] QLabel &label(const char *name) const { return *view.findChild<QLabel *>(name); }
};

report::TracedRun wrong()
{
    report::TracedRun run;
    run.plan.model = "model.pt";
    run.equivalence.emplace();
    run.equivalence->overall.bitwise = run.equivalence->overall.equal = false;
    run.equivalence->explanation = "x < y & z";
    run.equivalence->byMicrobatch.resize(4);
    run.equivalence->first.emplace();
    run.equivalence->first->node = NodeId{7};
    run.equivalence->first->nodeName = "layers.0/aten::linear";
    run.equivalence->first->stage = StageId{1};
    run.equivalence->first->microbatch = MicrobatchId{2};
    run.stages.resize(3);
    run.separability.emplace();
    return run;
}

std::vector<report::OutputEquivalence> outputsOf(int count)
{
    std::vector<report::OutputEquivalence> outputs;
    for (int i = 0; i < count; ++i)
        outputs.emplace_back().name = "output[" + std::to_string(i) + "]";
    return outputs;
}

void click(QTableView &table, int row)
{
    table.setFocus();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
}

} // namespace

class TestCheckView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void bothQuestionsStandThereBeforeTheyAreAnswered()
    {
        const Desk desk;
        QVERIFY(desk.label("equivalent").text().contains("Is the split model the unsplit one?"));
        QVERIFY(desk.label("equivalent").text().contains("not asked"));
        QVERIFY(desk.label("separable").text().contains("May this batch be cut?"));
    }

    void aPlanThatWasEditedSinceSaysSo()
    {
        Desk desk;
        const auto setMicrobatches = [&desk](int count) {
            desk.document.edit("Microbatches", [count](plan::Plan &plan) { plan.microbatches = count; });
        };
        const auto saysSo = [&desk] { return desk.label("equivalent").text().contains("has changed since"); };
        setMicrobatches(2);
        desk.controller.run();
        setMicrobatches(3); // while it is run
        desk.answer(wrong());
        QVERIFY(saysSo());
        desk.document.undoStack().undo();
        QVERIFY(!saysSo());
        setMicrobatches(4);
        QVERIFY(saysSo());
        desk.document.newFor("other.pt");
        QVERIFY(!saysSo());
    }

    void stageFilesBesideThePlanAreAnsweredFor()
    {
        Desk desk;
        const QTemporaryDir folder;
        QFile index(folder.filePath("stages.json"));
        QVERIFY(index.open(QIODevice::WriteOnly) && index.write("{}") == 2);
        index.close();
        QVERIFY(desk.document.saveAs(folder.filePath("plan.json")));
        QVERIFY(!desk.label("stageFiles").isVisibleTo(&desk.view));
        desk.controller.check();
        desk.answer(wrong());
        QTRY_VERIFY(desk.label("stageFiles").isVisibleTo(&desk.view));
        QVERIFY(desk.label("stageFiles").text().contains("Are the stage files beside the plan as they were saved?"));
        QVERIFY(desk.label("stageFiles").text().remove(QChar(0x200b)).contains("stages.json is damaged; split again"));
        desk.finish(wrong()); // a run looks at none
        QVERIFY(!desk.label("stageFiles").isVisibleTo(&desk.view));
    }

    void theLastRunIsShown()
    {
        Desk desk;
        desk.finish(wrong());
        QVERIFY(desk.label("equivalent").text().contains(">no<"));
        QVERIFY(desk.label("equivalent").text().contains("x &lt; y &amp; z"));
        QCOMPARE(desk.view.findChild<QTableView *>("differences")->model()->rowCount(), 4);
        report::TracedRun right;
        right.equivalence.emplace();
        desk.finish(right);
        QVERIFY(desk.label("equivalent").text().contains("yes (bitwise)"));
        QVERIFY(!desk.label("equivalent").text().contains("href"));
    }

    void whatTheEngineWarnedOfStandsAboveTheAnswers()
    {
        Desk desk;
        desk.view.show();
        report::TracedRun run = wrong();
        run.warnings = {"16 microbatches were asked for and 8 made: input 'x<y>' has 8 rows along dimension 0"};
        desk.finish(run);
        QVERIFY(desk.label("checkWarnings").isVisible());
        QCOMPARE(
            desk.label("checkWarnings").text(),
            QString("Warning: 16 microbatches were asked for and 8 made: input 'x<y>' has 8 rows along dimension 0"));
        QCOMPARE(desk.label("checkWarnings").textFormat(), Qt::PlainText);
        desk.finish(wrong());
        QVERIFY(!desk.label("checkWarnings").isVisible());
    }

    void oneLinkSelectsTheNodeToBlameTheOtherItsAction()
    {
        Desk desk;
        desk.finish(wrong());
        QVERIFY(desk.label("equivalent").text().contains("stage 1, microbatch 2"));
        desk.view.show();
        QVERIFY(tests::followByKeys(desk.label("equivalent"), "0"));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{7});
        QVERIFY(tests::followByKeys(desk.label("equivalent"), "1"));
        QVERIFY(tests::isForward(desk.selection.current(), 1, 2));
        QVERIFY(tests::clickFirstLink(desk.label("equivalent")));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{7});
    }

    void aNodeOfAModelThatIsAnotherByNowIsNoLink()
    {
        Desk desk;
        const auto read = [&desk](const std::string &sha256, bool isOnlyRead = false) {
            report::Inspection model = tests::layersModel(8, isOnlyRead);
            model.sha256 = sha256;
            desk.document.setModel(std::make_shared<const report::Inspection>(model));
        };
        const std::string before(64, 'a');
        read(before);
        report::TracedRun run = wrong();
        run.plan = desk.document.plan();
        run.plan.modelSha256 = before;
        run.equivalence->first->nodeName = "layers.7/aten::sin";
        run.separability->node = NodeId{6};
        run.separability->nodeName = "layers.6/aten::sin";
        desk.finish(run);
        const auto links = [&desk](const char *name) { return desk.label(name).text().count("href"); };
        QCOMPARE(links("equivalent"), 2); // and the action's
        QCOMPARE(links("separable"), 1);
        read(std::string(64, 'b'));
        QCOMPARE(links("equivalent"), 1);
        QCOMPARE(links("separable"), 0);
        QVERIFY(desk.label("equivalent").text().remove(QChar(0x200b)).contains("It begins at layers.7/aten::sin, in"));
        read(before, true); // its outline numbers nodes otherwise
        QCOMPARE(links("equivalent"), 1);
        read(before);
        QCOMPARE(links("equivalent"), 2);
    }

    void theCauseThatABatchMayNotBeCutIsALinkToo()
    {
        Desk desk;
        report::TracedRun run = wrong();
        run.separability->holds = false;
        run.separability->node = NodeId{9};
        run.separability->nodeName = "norm/aten::batch_norm";
        desk.finish(run);
        desk.view.show();
        QVERIFY(tests::followByKeys(desk.label("separable"), "2"));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{9});
    }

    void aRowOfTheTableIsItsMicrobatchsLastAction()
    {
        Desk desk;
        desk.finish(wrong());
        auto &table = *desk.view.findChild<QTableView *>("differences");
        desk.view.show();
        table.setFocus();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(3, 0)).center());
        QVERIFY(tests::isForward(desk.selection.current(), 2, 3));
    }

    void aRowOfAnOutputLeadsToWhatIsToBlame()
    {
        Desk desk;
        report::TracedRun run = wrong();
        std::vector<report::OutputEquivalence> &outputs = run.equivalence->byOutput = outputsOf(3);
        outputs[0].first = run.equivalence->first;
        outputs[1].worst = MicrobatchId{2};
        desk.finish(run);
        desk.view.resize(600, 900);
        desk.view.show();
        auto &table = desk.table("outputs");
        QCOMPARE(table.model()->rowCount(), 3);
        click(table, 0);
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{7});
        click(table, 1);
        QVERIFY(tests::isForward(desk.selection.current(), 2, 2));
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(session::stageIn(desk.selection.current()), StageId{2});
        QVERIFY(!std::holds_alternative<session::SelectedAction>(desk.selection.current()));
    }

    void onlyOneOfTheTwoTablesHasARowSelected()
    {
        Desk desk;
        report::TracedRun run = wrong();
        run.equivalence->byOutput = outputsOf(2);
        desk.finish(run);
        desk.view.resize(600, 900);
        desk.view.show();
        click(desk.table("outputs"), 1);
        click(desk.table("differences"), 1);
        QVERIFY(!desk.table("outputs").selectionModel()->hasSelection());
        QVERIFY(tests::isForward(desk.selection.current(), 2, 1));
        click(desk.table("outputs"), 0);
        QVERIFY(desk.table("outputs").selectionModel()->hasSelection());
        QVERIFY(!desk.table("differences").selectionModel()->hasSelection());
    }

    void columnsThatSayNothingAreHidden()
    {
        using checkview::OutputTableModel;
        Desk desk;
        report::TracedRun run = wrong();
        run.equivalence->byOutput = outputsOf(2);
        desk.finish(run);
        for (const int column :
             {OutputTableModel::Microbatch, OutputTableModel::First, OutputTableModel::Kind, OutputTableModel::Worst})
            QVERIFY(desk.table("outputs").isColumnHidden(column));
        QVERIFY(!desk.table("outputs").isColumnHidden(OutputTableModel::Tolerance));
        run.equivalence->byOutput[1].first = run.equivalence->first;
        desk.finish(run);
        QVERIFY(!desk.table("outputs").isColumnHidden(OutputTableModel::First));
    }

    void withoutAComparisonThereAreNoTables()
    {
        Desk desk;
        desk.view.show();
        for (const char *name : {"outputs", "differences"})
            QVERIFY(!desk.table(name).isVisible());
        report::TracedRun run = wrong();
        run.equivalence->byOutput = outputsOf(1);
        desk.finish(run);
        for (const char *name : {"outputs", "differences"})
            QVERIFY(desk.table(name).isVisible());
    }

    void theTablesStandBesideTheAnswersWhereThatIsWideEnough()
    {
        Desk desk;
        report::TracedRun run = wrong();
        run.equivalence->byOutput = outputsOf(2);
        desk.view.show();
        desk.finish(run);
        const auto placeOf = [&desk](const QWidget &widget) {
            return QRect(widget.mapTo(desk.view.widget(), QPoint()), widget.size());
        };
        const QLabel &answer = desk.label("equivalent");
        desk.view.resize(1200, 200);
        QCoreApplication::processEvents();
        for (const char *name : {"outputs", "differences"})
            QVERIFY(placeOf(desk.table(name)).left() > placeOf(answer).right());
        QVERIFY(placeOf(desk.table("outputs")).bottom() < desk.view.viewport()->height());
        desk.view.resize(400, 600);
        QCoreApplication::processEvents();
        for (const char *name : {"outputs", "differences"}) {
            QVERIFY(placeOf(desk.table(name)).top() > placeOf(desk.label("separable")).bottom());
            QCOMPARE(placeOf(desk.table(name)).left(), placeOf(answer).left());
        }
    }

    void nothingIsCutOffInANarrowDock()
    {
        Desk desk;
        report::TracedRun run = wrong();
        run.equivalence->overall.maxAbsError = 1.25;
        run.equivalence->first->nodeName = "transformer.h.10.attention.output.dense/aten::linear";
        desk.view.resize(320, 500);
        desk.view.show();
        desk.finish(run);
        QVERIFY(desk.view.widget()->minimumSizeHint().width() <= 320);
        QVERIFY(desk.label("equivalent").text().contains("1.25")); // a number stays whole
    }

    void itSaysOfWhichRunItIs()
    {
        Desk desk;
        QVERIFY(desk.label("ofRun").isHidden());
        report::TracedRun run = wrong();
        run.plan.schedule = "gpipe";
        run.schedule = "forwards of gpipe";
        run.trace = tests::evenForward(3, 4, 10);
        desk.finish(run);
        desk.finish(run);
        QCOMPARE(desk.label("ofRun").text(), QString("Run 2 forwards of GPipe ×4"));
        QVERIFY(!desk.label("ofRun").isHidden());
    }
};

PIPESCOPE_WIDGET_TEST(TestCheckView)
#include "tst_check_view.moc"

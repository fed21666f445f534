#include "graphview/split_gutter.h"

#include "plan/plan_file.h"

#include "support/qt_warnings.h"
#include "support/window_desk.h"

#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QtTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;
using tests::twoLayers;

namespace {

struct Desk : tests::WindowDesk
{
    [[nodiscard]] bool isAsked() const { return find<QWidget>("trustBar")->isVisible(); }
    [[nodiscard]] bool asksStructureOnly() const
    {
        return protocol::fromBody<report::InspectRequest>(engine.requests.back().body)->structureOnly;
    }
    void split()
    {
        window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
    }
};

void answerQuestion(QMessageBox::StandardButton button)
{
    QTimer::singleShot(0, [button] {
        if (auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget()))
            QTest::mouseClick(question->button(button), Qt::LeftButton);
    });
}

void chooseFile(const QString &path)
{
    QTimer::singleShot(0, [path] {
        if (auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget())) {
            auto *name = dialog->findChild<QLineEdit *>("fileNameEdit");
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
        }
    });
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileIsReadFirstAndLoadedWhenTheUserSaysSo()
    {
        Desk desk;
        QVERIFY(!desk.isAsked());
        desk.begin(desk.file("model.pt"));
        QVERIFY(desk.asksStructureOnly());
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        QVERIFY(!desk.action("run").isEnabled());
        QVERIFY(desk.action("run").toolTip().contains("trust and load"));
        auto *bar = desk.find<QWidget>("trustBar");
        QVERIFY(bar->findChild<QLabel *>()->text().contains("Nothing in this file has run"));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        QVERIFY(!desk.asksStructureOnly());
        QVERIFY(bar->findChild<QLabel *>()->text().contains("is being loaded, which runs code in it"));
        QVERIFY(!desk.find<QPushButton>("trust")->isEnabled());
        desk.answer(twoLayers(false));
        QVERIFY(!desk.isAsked());
        QVERIFY(desk.action("run").isEnabled());
    }

    void aFileWhoseLoadingWasBegunMayHaveRun()
    {
        Desk desk;
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        const auto *bar = desk.find<QWidget>("trustBar")->findChild<QLabel *>();
        desk.window.controller().look(RunController::Look::Reading);
        QVERIFY2(bar->text().contains("Nothing in this file has run"), qPrintable(bar->text()));
        desk.answer(twoLayers(true));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.refuse({ErrorCode::Cancelled, "cancelled", {}, {}});
        QVERIFY(desk.isAsked() && desk.find<QPushButton>("trust")->isEnabled());
        QVERIFY2(bar->text().contains("code in it may have run"), qPrintable(bar->text()));
        desk.window.controller().look(RunController::Look::Reading);
        report::Inspection other = twoLayers(true);
        other.sha256 = std::string(64, 'b');
        desk.answer(other);
        QVERIFY2(bar->text().contains("Nothing in this file has run"), qPrintable(bar->text()));
    }

    void whatIsTrustedOnAnotherMachineIsAskedAboutHere()
    {
        Desk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.answer(twoLayers(false));
        QVERIFY(!desk.isAsked());
        QVERIFY(Trust(desk.settings).isTrusted(QString(64, 'a'), {}, desk.engine.elsewhere));
        QVERIFY(!Trust(desk.settings).isTrusted(QString(64, 'a'), {}));
    }

    void anAnswerGivenAfterTheEngineBecameAnotherIsNoneOfItsFile()
    {
        Desk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        desk.engine.elsewhere.clear();
        desk.window.engine().stop();
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.greeted();
        QVERIFY(desk.asksStructureOnly());
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        QVERIFY(!Trust(desk.settings).isTrusted(QString(64, 'a'), {}));
    }

    void anotherCommandForTheEngineEndsItAndHasWhatIsOpenReadAnew()
    {
        Desk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.open();
        QVERIFY(!desk.isAsked());
        QTimer::singleShot(0, [&desk] {
            auto *dialog = QApplication::activeModalWidget();
            desk.engine.elsewhere.clear();
            dialog->findChild<QLineEdit *>("engineCommand")->setText("mine");
            dialog->close();
        });
        desk.trigger("settings");
        QTRY_COMPARE(desk.engine.starts, 2);
        desk.engine.greet();
        QVERIFY(desk.asksStructureOnly());
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        const auto *bar = desk.find<QWidget>("trustBar")->findChild<QLabel *>();
        QVERIFY2(bar->text().contains("code in it may have run"), qPrintable(bar->text()));
    }

    void whatWasSelectedOfTheStructureStaysSelectedWhereItIsTheSame()
    {
        Desk desk;
        desk.begin(desk.file("model.pt"));
        report::Inspection read = twoLayers(true);
        std::swap(read.graph.nodes[0].name, read.graph.nodes[1].name); // nodes have other numbers there
        std::swap(read.graph.nodes[0].fqn, read.graph.nodes[1].fqn);
        desk.answer(read);
        session::Selection &selection = desk.window.selection();
        selection.selectNode(NodeId{0});
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.answer(twoLayers(false));
        QCOMPARE(selection.current().node, NodeId{1});
    }

    void anOperatorNobodyKnowsIsNamedWithWhatToDo()
    {
        Desk desk;
        desk.begin(desk.file("model.pt"));
        report::Inspection read = twoLayers(true);
        read.unknownOperators = {"nolib::mix"};
        desk.answer(read);
        QVERIFY(desk.isAsked());
        QVERIFY2(desk.notice("refusal").contains("nolib::mix"), qPrintable(desk.notice("refusal")));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        read.loadRefused = true;
        desk.answer(read);
        QVERIFY(!desk.isAsked());
        QVERIFY(!desk.action("run").isEnabled());
        QVERIFY(desk.action("run").toolTip().contains("nolib::mix"));
        QVERIFY(desk.notice("refusal").contains("load the library that registers it"));
        QVERIFY2(!desk.notice("refusal").contains("--"), qPrintable(desk.notice("refusal")));
        const QString library = desk.file("ops.so");
        chooseFile(library);
        desk.follow("Choose the library...");
        QCOMPARE(desk.window.document().plan().opLibraries, std::vector<std::string>{library.toStdString()});
        QVERIFY(!desk.asksStructureOnly());
        desk.answer(twoLayers(false));
        QCOMPARE(desk.notice("refusal"), QString());
        QVERIFY(desk.action("run").isEnabled());
        desk.trigger("undo");
        QVERIFY(desk.window.document().plan().opLibraries.empty());
    }

    void aFileThatWasTrustedBeforeIsLoadedWithoutAQuestion()
    {
        Desk desk;
        Trust(desk.settings).trust(QString(64, 'a'));
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        QVERIFY(!desk.asksStructureOnly());
        desk.answer(twoLayers(false));
        QVERIFY(!desk.isAsked());
    }

    /// The model's hash says nothing of them.
    void aLibraryOfThePlanIsAskedAboutHoweverWellItsModelIsKnown()
    {
        Desk desk;
        Trust(desk.settings).trust(QString(64, 'a'));
        plan::Plan plan;
        plan.model = desk.file("model.pt").toStdString();
        plan.opLibraries = {desk.file("<b>ops.so").toStdString()};
        const QString path = desk.folder.filePath("plan.json");
        QVERIFY(plan::savePlan(plan, path.toStdString()));
        desk.begin(path);
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        QVERIFY(desk.asksStructureOnly());
        QVERIFY(desk.find<QWidget>("trustBar")->findChild<QLabel *>()->text().contains("&lt;b&gt;ops.so"));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        QVERIFY(!desk.asksStructureOnly());
    }

    void anErrorOfMegabytesIsToldInPart()
    {
        Desk desk;
        desk.begin(desk.file("model.pt"));
        const std::string huge(3 << 20, 'x');
        QElapsedTimer time;
        time.start();
        desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "progress",
                                               protocol::toBody(protocol::ProgressNote{huge, 0.5})});
        desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "warning",
                                               protocol::toBody(protocol::TextNote{huge})});
        desk.refuse({ErrorCode::InvalidFile, huge, {}, huge});
        desk.window.grab();
        QVERIFY(time.elapsed() < 5000);
        QVERIFY(desk.notice().startsWith("xxx"));
        QVERIFY(desk.notice().size() < 3000);
    }

    void whatWasProfiledWithOtherInputsSaysSo()
    {
        Desk desk;
        desk.open();
        desk.window.document().edit("Input",
                                    [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[2]")}; });
        desk.window.controller().profile();
        report::Inspection profiled = twoLayers(false);
        profiled.profiled = true;
        profiled.inputs = desk.window.document().plan().inputs;
        desk.answer(profiled);
        const auto *summary = desk.find<QLabel>("summary");
        QVERIFY(summary->text().endsWith("profiled"));
        desk.window.document().edit("Input",
                                    [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[4]")}; });
        QVERIFY(summary->text().endsWith("profiled with other inputs"));
    }

    void aFileThatCannotBeOpenedLeavesTheDocumentAsItWas()
    {
        Desk desk;
        desk.open();
        desk.split();
        const auto model = desk.window.document().model();
        QVERIFY(!desk.window.open(desk.folder.filePath("nowhere.pt")));
        QVERIFY(desk.notice().contains("nowhere.pt"));
        QVERIFY(!desk.window.open(desk.file("broken.json", "{\"pipescopePlan\": 1, \"model\": 3}")));
        QVERIFY(desk.notice().contains("model"));
        // One that only the engine finds to be no model.
        QVERIFY(desk.window.open(desk.file("other.pt")));
        desk.refuse({ErrorCode::InvalidFile, "'other.pt' is no TorchScript model", "other.pt", {}});
        QCOMPARE(desk.notice(), QString("'other.pt' is no TorchScript model"));
        QVERIFY(desk.window.document().model() == model);
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QVERIFY(desk.window.document().undoStack().canUndo());
    }

    void anOpeningIsShownAndCanBeCancelled()
    {
        Desk desk;
        desk.open();
        QVERIFY(desk.window.open(desk.file("large.pt")));
        auto *cancel = desk.find<QToolButton>("cancelWork");
        QTRY_VERIFY(cancel->isVisible());
        QVERIFY(desk.find<QLabel>("summary")->text().contains("large.pt"));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
        const std::int64_t opening = desk.engine.requests[desk.engine.requests.size() - 2].id;
        desk.engine.say(protocol::Response{opening, Error{ErrorCode::Cancelled, "cancelled", {}, {}}});
        QVERIFY(!cancel->isVisible());
        QCOMPARE(desk.notice(), QString()); // as asked, and no fault
        QVERIFY(desk.window.document().plan().model.find("/model.pt") != std::string::npos);
    }

    void changesMadeWhileAFileIsOpenedAreAskedAbout()
    {
        Desk desk;
        desk.open();
        QVERIFY(desk.window.open(desk.file("other.pt")));
        desk.split();
        answerQuestion(QMessageBox::Cancel);
        desk.answer(twoLayers(true));
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
    }

    void aClickInTheGutterPlacesASplitAndASecondTakesItAway()
    {
        Desk desk;
        desk.open();
        auto *gutter = desk.find<graphview::SplitGutter>("gutter");
        QTRY_COMPARE(gutter->rows().size(), std::size_t(2));
        const QPoint gap = gutter->gapRect(1).center();
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gap);
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gap);
        QVERIFY(desk.window.document().plan().splits.empty());
    }

    void anEngineThatDiesIsToldWithAButtonThatStartsAnother()
    {
        Desk desk;
        desk.open();
        desk.split();
        desk.trigger("run");
        Q_EMIT desk.engine.link->ended("it was ended by signal 9");
        const QString told = "The engine is gone while running model.pt: it was ended by signal 9.";
        QCOMPARE(desk.notice(), told);
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().contains(told));
        QVERIFY(desk.find<QToolButton>("enginePill")->text().contains("gone"));
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QVERIFY(desk.window.document().model() != nullptr);
        desk.follow("Restart engine");
        QTRY_COMPARE(desk.engine.starts, 2);
        QCOMPARE(desk.notice(), QString());
    }

    void theNoticeOfALostEngineGoesWhenAnotherHasCome()
    {
        Desk desk;
        desk.open();
        desk.split();
        desk.trigger("run");
        Q_EMIT desk.engine.link->ended("it was ended by signal 9");
        QVERIFY(desk.notice().contains("gone"));
        desk.trigger("run"); // which starts another
        QTRY_COMPARE(desk.engine.starts, 2);
        desk.greeted();
        QCOMPARE(desk.notice(), QString()); // or "Restart engine" would end this run
    }

    void anErrorLinksToTheStageAndTheNodeItNames()
    {
        Desk desk;
        desk.open();
        desk.split();
        desk.trigger("run");
        desk.refuse({ErrorCode::ModelFailed, "stage 1 failed in layers.1/aten::sin", "", "a traceback"});
        desk.follow("layers.1/aten::sin");
        QCOMPARE(desk.window.selection().current().node, NodeId{1});
        desk.follow("stage 1");
        QCOMPARE(desk.window.selection().current().stage, StageId{1});
        desk.follow("Show log");
        QTRY_VERIFY(desk.find<QPlainTextEdit>("log")->isVisible());
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().contains("a traceback"));
    }

    void aCheckShowsItsAnswerAndARunTheTimeline()
    {
        Desk desk;
        desk.open();
        auto *dock = desk.find<QDockWidget>("checkDock");
        const auto *canvases = desk.find<QStackedWidget>("canvases");
        dock->hide();
        desk.window.controller().check(); // as the run dock asks for it
        desk.answer(report::RunReport());
        QVERIFY(dock->isVisible());
        QCOMPARE(canvases->currentIndex(), 0);
        desk.trigger("run");
        desk.refuse({ErrorCode::InvalidArgument, "missing a required argument: 'x'", {}, {}});
        QVERIFY(desk.notice().contains("missing"));
        desk.trigger("run");
        desk.answer(report::RunReport());
        QCOMPARE(canvases->currentIndex(), 1);
        QCOMPARE(desk.notice(), QString()); // what went wrong before is over
    }

    void aMissingInputLeadsToTheTableOfInputs()
    {
        Desk desk;
        desk.open();
        auto *dock = desk.find<QDockWidget>("runDock");
        dock->hide();
        desk.trigger("run");
        const std::string input = desk.window.document().model()->graph.arguments.at(0).name;
        desk.refuse({ErrorCode::InvalidArgument, "missing a required argument", input, {}});
        desk.follow("Show the inputs");
        QVERIFY(dock->isVisible());
    }

    void theStatusBarSaysTheStepThoughNobodyKnowsHowLongItTakes()
    {
        Desk desk;
        desk.open();
        desk.trigger("check");
        const auto say = [&](const char *step, double part) {
            desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "progress",
                                                   protocol::toBody(protocol::ProgressNote{step, part})});
        };
        const auto bars = desk.window.findChildren<QProgressBar *>();
        const auto bar = std::find_if(bars.begin(), bars.end(),
                                      [](QProgressBar *each) { return each->accessibleName() == "Progress"; });
        QVERIFY(bar != bars.end());
        QTRY_VERIFY((*bar)->isVisible());
        QVERIFY2((*bar)->text().startsWith("checking model.pt"), qPrintable((*bar)->text()));
        say("comparing with the unsplit model", -1);
        QCOMPARE((*bar)->text(), QString("comparing with the unsplit model"));
        say("running 4 microbatches", 0.5);
        QCOMPARE((*bar)->text(), QString("running 4 microbatches, 50 %"));
    }

    void whatTheEngineIsDoingCanBeCancelledFromTheStatusBar()
    {
        Desk desk;
        desk.open();
        auto *cancel = desk.find<QWidget>("cancelWork");
        QVERIFY(!cancel->isVisible());
        desk.trigger("run");
        QTRY_VERIFY(cancel->isVisible());
        QVERIFY(desk.action("run").toolTip().contains("running model.pt"));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
    }

    void changesAreNotLostWithoutAQuestion()
    {
        Desk desk;
        desk.open();
        desk.split();
        QVERIFY(desk.window.isWindowModified());
        answerQuestion(QMessageBox::Cancel);
        QVERIFY(!desk.window.close());
        QVERIFY(desk.window.isVisible());
        desk.window.document().undoStack().undo();
        QVERIFY(desk.window.close());
    }

    void filesThatWereOpenedAreRemembered()
    {
        Desk desk;
        desk.begin(desk.file("model.pt"));
        QVERIFY(desk.settings.value("files/recent").toStringList().isEmpty());
        desk.answer(twoLayers(true));
        QCOMPARE(desk.settings.value("files/recent").toStringList(), QStringList{desk.folder.filePath("model.pt")});
    }

    void aModelOnAnotherMachineIsOpenedByItsPathThere()
    {
        const QString there = "/nowhere/on/this/machine.pt";
        Desk desk;
        QVERIFY(!desk.action("openThere").isEnabled()); // the engine is this machine's
        QVERIFY(!desk.window.open(there));
        QTimer::singleShot(0, [&desk] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            desk.engine.elsewhere = "ssh host pipescope-cli serve"; // as a link by that command says
            QTest::keyClicks(dialog->findChild<QLineEdit *>("engineCommand"), "ssh host pipescope-cli serve");
            QTest::keyClick(dialog, Qt::Key_Escape);
        });
        desk.trigger("settings");
        QTimer::singleShot(0, [&there] {
            auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->setTextValue(there);
            dialog->accept();
        });
        desk.trigger("openThere");
        desk.greeted();
        desk.answer(twoLayers(true));
        QCOMPARE(desk.window.document().plan().model, there.toStdString());
        // It is among the recent files, and opened again from there.
        QCOMPARE(desk.settings.value("files/recent").toStringList(), QStringList{there});
        QVERIFY(desk.window.open(there));
        QCOMPARE(protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body)->model,
                 there.toStdString());
    }

    void aDroppedFileIsOpened()
    {
        Desk desk;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(desk.file("model.pt"))});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&desk.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&desk.window, &drop);
        desk.greeted();
        desk.answer(twoLayers(true));
        QVERIFY(desk.window.document().plan().model.find("model.pt") != std::string::npos);
    }

    void theStartPageOffersWhatWasOpenedBeforeAndSaysWhatIsGone()
    {
        Desk first;
        first.settings.setValue("files/recent", QStringList{first.file("here.pt"), first.folder.filePath("gone.pt")});
        MainWindow window([&first] { return std::make_unique<FakeLink>(first.engine); }, first.settings,
                          style::Theme::light());
        window.show();
        const auto rows = window.findChildren<QPushButton *>("recentFile");
        QCOMPARE(rows.size(), 2);
        QVERIFY(rows[0]->isEnabled());
        QVERIFY(!rows[1]->isEnabled());
        QVERIFY(rows[1]->text().contains("no longer there"));
        QTest::mouseClick(rows[0], Qt::LeftButton);
        QTRY_COMPARE(first.engine.starts, 1);
        QVERIFY(!window.findChild<QPushButton *>("openExample")->isEnabled()); // neither there nor to be made
    }

    void undoAndRedoNameWhatTheyDo()
    {
        Desk desk;
        QVERIFY(!desk.action("undo").isEnabled());
        desk.open();
        desk.window.selection().selectCut(1);
        desk.trigger("placeSplit");
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QCOMPARE(desk.action("undo").text(), QString("&Undo Place a split"));
        desk.trigger("undo");
        QVERIFY(desk.window.document().plan().splits.empty());
        QVERIFY(!desk.action("undo").isEnabled());
        QVERIFY(desk.action("undo").toolTip().contains("nothing to undo"));
        desk.trigger("redo");
        desk.trigger("removeSplits");
        QVERIFY(desk.window.document().plan().splits.empty());
    }

    void theToolBarEditsThePlanAndFollowsIt()
    {
        Desk desk;
        auto *microbatches = desk.find<QSpinBox>("toolMicrobatches");
        QVERIFY(!microbatches->isEnabled());
        desk.open();
        microbatches->setFocus();
        microbatches->selectAll();
        QTest::keyClicks(microbatches, "8");
        QTest::keyClick(microbatches, Qt::Key_Return);
        QCOMPARE(desk.window.document().plan().microbatches, 8);
        auto *devices = desk.find<QComboBox>("toolDevices");
        devices->setFocus();
        QTest::keyClick(devices, Qt::Key_Down);
        QTest::keyClick(devices, Qt::Key_Down);
        QCOMPARE(desk.window.document().plan().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        desk.trigger("undo");
        QCOMPARE(devices->currentText(), QString("cpu:1"));
        desk.window.document().edit("x", [](plan::Plan &plan) { plan.schedule = "@mine.csv"; });
        QCOMPARE(desk.find<QComboBox>("toolSchedule")->currentText(), QString("mine.csv"));
    }

    void aScheduleThatTheDevicesAreTooFewForCannotBeChosen()
    {
        Desk desk;
        desk.open();
        const auto *schedule = desk.find<QComboBox>("toolSchedule");
        const auto canChoose = [schedule](const char *key) {
            const int item = schedule->findData(QString::fromLatin1(key));
            return schedule->model()->flags(schedule->model()->index(item, 0)).testFlag(Qt::ItemIsEnabled);
        };
        desk.window.document().edit("x", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        QVERIFY(canChoose("gpipe") && canChoose("forward"));
        QVERIFY(desk.action("run").isEnabled());
        desk.window.document().edit("x", [](plan::Plan &plan) { plan.devices = {"cpu:0"}; });
        QVERIFY(!canChoose("gpipe") && canChoose("forward"));
        const QString why = schedule->itemData(schedule->findData("gpipe"), Qt::ToolTipRole).toString();
        QVERIFY2(why.contains("2 stages on 1 ranks"), qPrintable(why));
        QCOMPARE(schedule->toolTip(), why);
        QVERIFY(!desk.action("run").isEnabled() && !desk.action("check").isEnabled());
        QVERIFY2(desk.action("run").toolTip().contains(why), qPrintable(desk.action("run").toolTip()));
        QVERIFY(desk.action("profile").isEnabled());
        desk.window.document().edit("x", [](plan::Plan &plan) { plan.schedule = "forward"; });
        QVERIFY(desk.action("run").isEnabled());
        QVERIFY(!canChoose("gpipe")); // and could be again with a device more
    }

    void everyActionCanBeFoundAndSaysWhatItIs()
    {
        const Desk desk;
        for (const actions::ActionRow &row : desk.window.actionTable().rows()) {
            QVERIFY2(!actions::ActionTable::plainText(row).isEmpty(), qPrintable(row.id));
            QVERIFY2(desk.action(row.id.toLatin1().constData()).isEnabled() ||
                         desk.action(row.id.toLatin1().constData()).toolTip().contains('\n'),
                     qPrintable(row.id));
        }
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"

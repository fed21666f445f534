#include "mainwindow/reports.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QDockWidget>
#include <QFontMetrics>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>

using namespace pipescope;
using tests::WindowDesk;

/// What went wrong, as the window tells it: in a notice that leads somewhere, and in the log.
class TestReports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void anErrorOfMegabytesIsToldInPart()
    {
        WindowDesk desk;
        desk.begin(desk.file("model.pt"));
        const std::string huge(3 << 20, 'x');
        desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "progress",
                                               protocol::toBody(protocol::ProgressNote{huge, 0.5})});
        desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "warning",
                                               protocol::toBody(protocol::TextNote{huge})});
        desk.refuse({ErrorCode::InvalidFile, huge, {}, huge});
        QTRY_VERIFY_WITH_TIMEOUT(desk.notice().startsWith("xxx"), 60000); // so much is read beside the window
        desk.window.grab();
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().size() < 300'000); // of 9 million
        QVERIFY(desk.notice().size() < 3000);
    }

    void anEngineThatDiesIsToldWithAButtonThatStartsAnother()
    {
        WindowDesk desk;
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
        WindowDesk desk;
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

    void theLogsColumnsStandUnderOneAnother()
    {
        WindowDesk desk;
        const QFontMetrics metrics(desk.find<QPlainTextEdit>("log")->font());
        QCOMPARE(metrics.horizontalAdvance("~~~~ <--- HERE"), metrics.horizontalAdvance("self.layers.0("));
        QCOMPARE(metrics.horizontalAdvance("iiii"), metrics.horizontalAdvance("WWWW"));
    }

    void anErrorLinksToTheStageAndTheNodeItNames()
    {
        WindowDesk desk;
        desk.open();
        desk.split();
        desk.trigger("run");
        desk.refuse({ErrorCode::ModelFailed, "stage 1 failed in layers.1/aten::sin", "", "a traceback"});
        desk.follow("layers.1/aten::sin");
        QCOMPARE(session::idIn<NodeId>(desk.window.selection().current()), NodeId{1});
        desk.follow("stage 1");
        QCOMPARE(session::stageIn(desk.window.selection().current()), StageId{1});
        desk.follow("Show log");
        QTRY_VERIFY(desk.find<QPlainTextEdit>("log")->isVisible());
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().contains("a traceback"));
    }

    void aPlaceInAnErrorIsLookedForInTheModelAsItIsThen()
    {
        WindowDesk desk;
        desk.open();
        desk.split();
        desk.trigger("run");
        desk.refuse({ErrorCode::ModelFailed, "stage 1 failed in layers.1/aten::sin", "", {}});
        report::Inspection other = tests::twoLayers(false);
        other.graph = tests::graphFromText("in x\nu = aten::cos x\ncall layers.0\na = aten::sin u\nend\n"
                                           "call layers.1\nb = aten::sin a\nend\nreturn b");
        desk.window.document().setModel(std::make_shared<const report::Inspection>(other));
        desk.follow("layers.1/aten::sin");
        QCOMPARE(session::idIn<NodeId>(desk.window.selection().current()), NodeId{2}); // it was 1
        desk.window.document().setModel(std::make_shared<const report::Inspection>(tests::layersModel(1)));
        desk.window.selection().clear();
        desk.follow("layers.1/aten::sin");
        QVERIFY(desk.window.selection().current() == session::Selected());
        QCOMPARE(desk.window.statusBar()->currentMessage(),
                 QString("The model as it is open now has no layers.1/aten::sin."));
    }

    void aDifferenceLeadsToItsNodeInTheModelThatWasRunOnly()
    {
        WindowDesk desk;
        desk.open();
        desk.split();
        desk.trigger("run");
        report::TracedRun run;
        run.plan = desk.window.document().plan();
        run.plan.modelSha256 = desk.window.document().model()->sha256;
        run.equivalence.emplace();
        run.equivalence->overall.equal = false;
        run.equivalence->first.emplace();
        run.equivalence->first->node = NodeId{1};
        run.equivalence->first->nodeName = "layers.1/aten::sin";
        desk.answer(run);
        desk.follow("First difference");
        QCOMPARE(session::idIn<NodeId>(desk.window.selection().current()), NodeId{1});
        report::Inspection other = tests::twoLayers(false);
        other.sha256 = std::string(64, 'b');
        desk.window.document().setModel(std::make_shared<const report::Inspection>(other));
        desk.follow("First difference");
        QVERIFY(desk.window.selection().current() == session::Selected());
    }

    void anErrorAboutAnInputGoesAsThatInputIsGiven()
    {
        WindowDesk desk;
        desk.open();
        desk.trigger("run");
        const std::string input = desk.window.document().model()->graph.arguments[0].name;
        desk.refuse({ErrorCode::InvalidArgument, "missing a required argument", input, {}});
        desk.window.document().edit("x", [](plan::Plan &plan) { plan.microbatches = 2; });
        QCOMPARE(desk.notice(), QString("missing a required argument"));
        desk.window.document().edit("x", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[4]")}; });
        QCOMPARE(desk.notice(), QString());
    }

    void anErrorAboutSeveralInputsStaysUntilAllAreGiven()
    {
        WindowDesk desk;
        desk.open();
        report::Inspection model = tests::twoLayers(false);
        model.graph =
            tests::graphFromText("in x\nin mask\nin scale\nin eps\ncall layers.0\ny = aten::sin x\nend\nreturn y");
        model.graph.arguments[3].hasDefault = true;
        desk.window.document().setModel(std::make_shared<const report::Inspection>(model));
        desk.trigger("run");
        const QString told =
            "missing a required argument: 'x' (Tensor); missing too: 'mask' (Tensor), 'scale' (Tensor)";
        desk.refuse({ErrorCode::InvalidArgument, told.toStdString(), "x", {}});
        QCOMPARE(desk.notice(), told);
        const auto give = [&](const std::vector<std::string> &inputs) {
            desk.window.document().edit("x", [&](plan::Plan &plan) {
                plan.inputs.clear();
                for (const std::string &input : inputs)
                    plan.inputs.push_back(*plan::parseInputSpec(input));
            });
        };
        give({"float32[4]"});
        QCOMPARE(desk.notice(), QString("Still without a value: 'mask' (Tensor), 'scale' (Tensor)"));
        give({"float32[4]", "scale=float32[4]"});
        QCOMPARE(desk.notice(), QString("Still without a value: 'mask' (Tensor)"));
        give({});
        QCOMPARE(desk.notice(), told);
        give({"float32[4]", "scale=float32[4]", "mask=float32[4]"});
        QCOMPARE(desk.notice(), QString());
    }

    void aMissingInputLeadsToTheTableOfInputs()
    {
        WindowDesk desk;
        desk.open();
        auto *dock = desk.find<QDockWidget>("runDock");
        dock->hide();
        desk.trigger("run");
        const std::string input = desk.window.document().model()->graph.arguments.at(0).name;
        desk.refuse({ErrorCode::InvalidArgument, "missing a required argument", input, {}});
        desk.follow("Show the inputs");
        QVERIFY(dock->isVisible());
    }
};

PIPESCOPE_WIDGET_TEST(TestReports)
#include "tst_reports.moc"

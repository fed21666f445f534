#include "runview/run_view.h"

#include "run_view_desk.h"
#include "support/links.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QCheckBox>
#include <QSpinBox>
#include <QToolButton>

using namespace pipescope;
using namespace pipescope::session;
using tests::modelOfTwoInputs;
using Desk = tests::RunViewDesk;

class TestRunView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theBoxesFollowThePlanAndEditIt()
    {
        Desk desk;
        desk.find<QSpinBox>("microbatches").setValue(8);
        QCOMPARE(desk.document.plan().microbatches, 8);
        desk.document.undoStack().undo();
        QCOMPARE(desk.find<QSpinBox>("microbatches").value(), 1);
        desk.document.edit("Schedule", [](plan::Plan &plan) { plan.schedule = "@own.csv"; });
        QCOMPARE(desk.find<QComboBox>("schedule").currentText(), QString("own.csv"));
        QCOMPARE(desk.document.undoStack().count(), 1);
    }

    void buttonsSayAndCanWhatTheirActionsSayAndCan()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        desk.click("run");
        QCOMPARE(desk.engine.requests.back().method, std::string("run"));
        desk.click("cancel");
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
        desk.actions.profile.setEnabled(false);
        desk.actions.profile.setToolTip("The engine is busy.");
        const auto &profile = desk.find<QPushButton>("profile");
        QVERIFY(!profile.isEnabled());
        QCOMPARE(profile.toolTip(), QString("The engine is busy."));
        QCOMPARE(profile.text(), QString("Profile"));
        const auto asked = desk.engine.requests.size();
        desk.click("profile");
        QCOMPARE(desk.engine.requests.size(), asked);
        desk.actions.profile.setEnabled(true);
        QVERIFY(profile.isEnabled());
    }

    void whatTheNextRunNeedsStandsAboveItsButton()
    {
        Desk desk;
        const auto &needs = desk.find<QLabel>("needs");
        QVERIFY(!needs.isVisible()); // nothing is known of it
        report::Inspection model = *modelOfTwoInputs();
        model.graph = tests::graphFromText(R"(
            in x
            param w a.weight 2048
            y = aten::linear x w
            return y
        )");
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        QVERIFY(needs.isVisible());
        QCOMPARE(needs.text(), QString("Needs at least 2.00 KiB of memory (weights 2.00 KiB); what activations take is "
                                       "not known before the model is profiled or run; 1 thread."));
        QVERIFY2(needs.toolTip().contains("Weights are the model's parameters"), qPrintable(needs.toolTip()));
        desk.controller.look(session::RunController::Look::Loading);
        desk.engine.say(
            protocol::Notification{desk.engine.requests.back().id, std::string(protocol::MemoryEvent),
                                   protocol::toBody(protocol::MemoryNote{1, {1024, "/sys/fs/cgroup/memory.max"}})});
        QVERIFY2(needs.text().startsWith("Warning: the run needs at least 2.00 KiB of memory (weights 2.00 KiB), but "
                                         "1.00 KiB are free (as /sys/fs/cgroup/memory.max says): "),
                 qPrintable(needs.text()));
        desk.document.newFor("another.pt");
        QVERIFY(!needs.isVisible());
    }

    void whatIsRarelySetIsAClickAway()
    {
        Desk desk;
        QVERIFY(!desk.find<QLineEdit>("devices").isVisible());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "cpu:0,cpu:1");
        QCOMPARE(desk.document.plan().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString("cpu:2"));
        desk.type("tolerances", "1e-5, 1e-8");
        QCOMPARE(desk.document.plan().rtol, std::optional<double>(1e-5));
        QCOMPARE(desk.document.plan().atol, std::optional<double>(1e-8));
        desk.type("seed", "42");
        QCOMPARE(desk.document.plan().seed, std::uint64_t{42});
        desk.find<QSpinBox>("inFlight").setValue(3);
        QCOMPARE(desk.document.plan().maxInFlight, 3);
        desk.find<QCheckBox>("grad").click();
        QVERIFY(desk.document.plan().grad);
        desk.type("outputChunks", "sum");
        QCOMPARE(toText(*desk.document.plan().outputChunks), std::string("sum"));
    }

    void devicesAreCountedAndListedAsOnTheCommandLine()
    {
        Desk desk;
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "cpu:2");
        QCOMPARE(desk.document.plan().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        desk.type("devices", "cpu:1,cpu:0");
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString("cpu:1, cpu:0"));
        desk.type("devices", "cpu");
        QVERIFY(desk.document.plan().devices.empty());
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString());
        desk.type("devices", "cpu");
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString());
    }

    void theOneDeviceOfAPlanFileIsNotCounted()
    {
        Desk desk;
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.document.edit("x", [](plan::Plan &plan) { plan.devices = {"cpu:2"}; });
        auto &devices = desk.find<QLineEdit>("devices");
        QCOMPARE(devices.text(), QString("[cpu:2]"));
        devices.setFocus();
        QTest::keyClick(&devices, Qt::Key_Return);
        QCOMPARE(desk.document.plan().devices, std::vector<std::string>{"cpu:2"});
        QCOMPARE(desk.document.undoStack().count(), 1);
    }

    void aDeviceThatIsNoneIsRefusedAtOnceUntilItIsMended()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "gpu");
        const auto &problem = desk.find<QLabel>("problem");
        QVERIFY(problem.isVisible());
        QCOMPARE(problem.text(),
                 QString("Devices: 'gpu' is no device; write cpu:4 for four CPU devices, or a list like "
                         "cpu:0,cpu:1")
                     .toHtmlEscaped());
        QVERIFY(desk.document.plan().devices.empty());
        const std::size_t asked = desk.engine.requests.size();
        for (const char *name : {"run", "check", "profile"})
            desk.click(name);
        QCOMPARE(desk.engine.requests.size(), asked); // not without it
        QVERIFY(problem.isVisible());
        auto &devices = desk.find<QLineEdit>("devices");
        devices.setFocus();
        devices.selectAll();
        QTest::keyClick(&devices, Qt::Key_Delete);
        QTest::keyClick(&devices, Qt::Key_Return);
        QVERIFY(!problem.isVisible());
        desk.click("run");
        QCOMPARE(desk.engine.requests.back().method, std::string("run"));
    }

    void anErrorAndARefusalAreBothSaidUntilEachIsOver()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        const auto &problem = desk.find<QLabel>("problem");
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.click("run");
        const std::int64_t run = desk.engine.requests.back().id;
        desk.type("seed", "many"); // while it runs
        QVERIFY2(problem.text().contains("Seed: 'many'"), qPrintable(problem.text()));
        desk.engine.say(protocol::Response{run, Error{ErrorCode::ModelFailed, "it broke", {}, {}}});
        QVERIFY2(problem.text().contains("Seed: 'many'") && problem.text().contains("it broke"),
                 qPrintable(problem.text()));
        desk.type("seed", "3");
        QVERIFY2(!problem.isVisible(), qPrintable(problem.text())); // the plan is no longer what broke
        desk.click("run");
        desk.type("seed", "many");
        desk.engine.answer(desk.engine.requests.back().id, report::TracedRun{});
        QCOMPARE(problem.text(), desk.controller.heldBecause().toHtmlEscaped());
        QVERIFY(problem.isVisible());
    }

    void aRefusalBelongsToTheFieldItCameFrom()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        const auto &problem = desk.find<QLabel>("problem");
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "gpu");
        desk.type("seed", "1");
        desk.type("seed", "1"); // as it is
        QVERIFY2(problem.isVisible() && problem.text().startsWith("Devices: "), qPrintable(problem.text()));
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString("gpu"));
        desk.document.edit("x", [](plan::Plan &plan) { plan.microbatches = 2; });
        QVERIFY(problem.isVisible() && !desk.controller.heldBecause().isEmpty());
        desk.document.setModel(modelOfTwoInputs()); // fields show what the plan says again
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString());
        QVERIFY(!problem.isVisible() && desk.controller.heldBecause().isEmpty());
    }

    void oneToleranceAloneIsRefusedInWords()
    {
        Desk desk;
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("tolerances", "1e-5");
        QVERIFY(desk.find<QLabel>("problem").text().contains("two numbers"));
        QVERIFY(!desk.document.plan().rtol);
        desk.type("tolerances", "-1, 0");
        QVERIFY(!desk.document.plan().rtol);
        QVERIFY(desk.find<QLabel>("problem").isVisible());
    }

    void stagesThatDoNotFitTheDevicesSaySoBeforeARun()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        auto &misfit = desk.find<QLabel>("misfit");
        auto &schedule = desk.find<QComboBox>("schedule");
        const int gpipe = schedule.findText("GPipe"); // as the tool bar and the runs are called
        QCOMPARE(schedule.currentIndex(), gpipe);
        const auto canChoose = [&schedule](int item) {
            return schedule.model()->flags(schedule.model()->index(item, 0)).testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(!misfit.isVisible() && canChoose(gpipe));
        desk.document.edit("x", [](plan::Plan &plan) { plan.devices = {"cpu:0", "cpu:1"}; });
        QVERIFY(misfit.isVisible());
        QVERIFY2(misfit.text().contains("1 stages on 2 ranks"), qPrintable(misfit.text()));
        QVERIFY(!canChoose(gpipe));
        QCOMPARE(schedule.itemData(gpipe, Qt::ToolTipRole).toString(), misfit.text());
        desk.document.undoStack().undo();
        QVERIFY(!misfit.isVisible() && canChoose(gpipe));
    }

    void theLastErrorLeadsToWhereItHappened()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        desk.click("run");
        desk.engine.say(protocol::Response{
            desk.engine.requests.back().id,
            Error{ErrorCode::ModelFailed, "stage 1, microbatch 2, /aten::add: sizes < differ", "/aten::add", "trace"}});
        auto &problem = desk.find<QLabel>("problem");
        QVERIFY2(problem.text().contains("sizes &lt; differ"), qPrintable(problem.text()));
        QVERIFY(problem.toolTip().contains("trace"));
        QVERIFY2(problem.text().contains("<a href='0'>model.py:12: y = x + 1</a>"), qPrintable(problem.text()));
        QVERIFY(tests::followByKeys(problem, "0"));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{0});
        QVERIFY(tests::followByKeys(problem, "2"));
        QVERIFY(tests::isForward(desk.selection.current(), 1, 2));
        QVERIFY(tests::clickFirstLink(problem));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{0});
    }

    void theLastErrorIsOfItsOwnRunWhileTheNextIsUnderWay()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        desk.click("run");
        const session::RunId failed = desk.controller.begun().id;
        desk.engine.say(
            protocol::Response{desk.engine.requests.back().id,
                               Error{ErrorCode::ModelFailed, "stage 1, microbatch 2: sizes differ", {}, {}}});
        desk.click("run");
        QVERIFY(desk.controller.begun().id != failed);
        auto &problem = desk.find<QLabel>("problem");
        QVERIFY2(problem.isVisible() && problem.text().contains("<a href='1'>"), qPrintable(problem.text()));
        QVERIFY(tests::followByKeys(problem, "1"));
        QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(1, 2, failed)));
    }

    void whatIsToldIsSeenAsItWasWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("quotes") << R"("x" & 'y')";
        QTest::newRow("markup") << "<b>x</b>";
        QTest::newRow("entities") << "&lt;x&gt; &amp;";
    }

    void whatIsToldIsSeenAsItWasWritten()
    {
        QFETCH(QString, text);
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("seed", text);
        QVERIFY2(desk.seen("problem").startsWith("Seed: '" + text + "' is not"), qPrintable(desk.seen("problem")));
        desk.type("seed", "3");
        for (const QString &details : {text, text + "\nline 2"}) {
            desk.click("run");
            desk.engine.say(protocol::Response{
                desk.engine.requests.back().id,
                Error{ErrorCode::ModelFailed, "no " + text.toStdString(), {}, details.toStdString()}});
            QCOMPARE(desk.seen("problem"), "no " + text);
            QCOMPARE(desk.seenToolTip("problem"), details);
        }
    }

    void whatTheEngineDoesIsSaidWhileItDoesIt()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        const auto &step = desk.find<QLabel>("step");
        desk.click("run");
        QVERIFY(!step.isVisible());
        const std::int64_t run = desk.engine.requests.back().id;
        desk.engine.say(protocol::Notification{
            run, "progress", protocol::toBody(protocol::ProgressNote{"comparing with the unsplit model", -1})});
        QVERIFY(step.isVisible());
        QCOMPARE(step.text(), QString("Now: comparing with the unsplit model"));
        desk.engine.answer(run, report::TracedRun{});
        QVERIFY(!step.isVisible());
    }

    void nothingIsCutOffInANarrowDock()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        for (const QWidget *widget : desk.view.findChildren<QWidget *>())
            if (widget->isVisible() && widget->parentWidget() != nullptr && !widget->inherits("QScrollBar") &&
                widget->mapTo(&desk.view, QPoint(widget->width(), 0)).x() > desk.view.width())
                QFAIL(qPrintable(widget->objectName() + " " + widget->metaObject()->className()));
    }

    void theLastErrorIsASentenceInPlace()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        desk.click("run");
        desk.engine.say(
            protocol::Response{desk.engine.requests.back().id,
                               Error{ErrorCode::InvalidArgument, "missing a required argument: 'x'", {}, {}}});
        QCOMPARE(desk.find<QLabel>("problem").text(), QString("missing a required argument: 'x'"));
        QVERIFY(desk.find<QLabel>("problem").isVisible());
        desk.click("run");
        desk.engine.answer(desk.engine.requests.back().id, report::TracedRun{});
        QVERIFY(!desk.find<QLabel>("problem").isVisible());
    }
};

PIPESCOPE_WIDGET_TEST(TestRunView)
#include "tst_run_view.moc"

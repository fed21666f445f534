#include "mainwindow/save_stages_dialog.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

using namespace pipescope;

namespace {

struct RunDockDesk : tests::WindowDesk
{
    [[nodiscard]] QPushButton &button(const char *name) const { return *find<QPushButton>(name); }
    void click(const char *name) const { QTest::mouseClick(&button(name), Qt::LeftButton); }
    void edit(const std::function<void(plan::Plan &)> &change) { window.document().edit("x", change); }
    [[nodiscard]] std::string lastAsked() const { return engine.requests.back().method; }
    /// The field of the seed has the focus and this in it, not yet taken.
    void typeSeed(const QString &text)
    {
        open();
        window.findChild<QDockWidget *>("runDock")->raise();
        QTest::mouseClick(find<QToolButton>("more"), Qt::LeftButton);
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto *seed = find<QLineEdit>("seed");
        seed->setFocus();
        QTest::keyClicks(seed, text);
    }
    void saveStages()
    {
        QVERIFY(QDir(folder.path()).mkdir("out"));
        QTimer::singleShot(0, [this] {
            auto *dialog = qobject_cast<mainwindow::SaveStagesDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto *name = dialog->findChild<QLineEdit *>("stagesFolder");
            name->setText(folder.filePath("out"));
            QTest::keyClick(name, Qt::Key_Return);
        });
        trigger("saveStages");
        QCOMPARE(lastAsked(), std::string("split"));
    }
};

} // namespace

/// The dock of the run in its window: what its buttons can do is what the menu's rows can.
class TestRunDock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatCannotBeDoneSaysWhy()
    {
        RunDockDesk desk;
        for (const char *name : {"run", "profile", "check"}) {
            QVERIFY(!desk.button(name).isEnabled());
            QVERIFY2(desk.button(name).toolTip().contains("Open a model first."),
                     qPrintable(desk.button(name).toolTip()));
        }
        desk.open();
        QVERIFY(desk.button("run").isEnabled() && !desk.button("cancel").isEnabled());
        QVERIFY(desk.button("run").toolTip().startsWith("Run the stages in parallel"));
        desk.window.findChild<QDockWidget *>("runDock")->raise();
        desk.click("run");
        QCOMPARE(desk.lastAsked(), std::string("run"));
        for (const char *name : {"run", "profile", "check"})
            QVERIFY2(!desk.button(name).isEnabled() && desk.button(name).toolTip().contains("running model.pt"),
                     qPrintable(desk.button(name).toolTip()));
        desk.click("cancel");
        QCOMPARE(desk.lastAsked(), std::string("cancel"));
    }

    void stagesThatDoNotFitTheDevicesAreNotRun()
    {
        RunDockDesk desk;
        desk.open();
        desk.edit([](plan::Plan &plan) { plan.devices = {"cpu:0", "cpu:1"}; });
        for (const char *name : {"run", "check"}) {
            QVERIFY(!desk.button(name).isEnabled());
            QVERIFY2(desk.button(name).toolTip().contains("1 stages on 2 ranks"),
                     qPrintable(desk.button(name).toolTip()));
        }
        QVERIFY(desk.button("profile").isEnabled()); // of the whole model
        desk.trigger("undo");
        QVERIFY(desk.button("run").isEnabled());
    }

    void whileStagesAreSavedNothingIsRunAndSavingCanBeCancelled()
    {
        RunDockDesk desk;
        desk.open();
        desk.edit([](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        desk.saveStages();
        for (const char *name : {"run", "profile", "check"})
            QVERIFY2(!desk.button(name).isEnabled() && desk.button(name).toolTip().contains("The engine is saving"),
                     qPrintable(desk.button(name).toolTip()));
        QVERIFY(desk.button("cancel").isEnabled());
        desk.window.findChild<QDockWidget *>("runDock")->raise();
        desk.click("cancel");
        QCOMPARE(desk.lastAsked(), std::string("cancel"));
    }

    void profilingReadsAFileThatWasWrittenToFirst()
    {
        RunDockDesk desk;
        const QString path = desk.file("model.pt", "one");
        desk.begin(path);
        report::Inspection read = tests::twoLayers(true);
        read.path = path.toStdString();
        desk.answer(read);
        QTest::mouseClick(desk.find<QWidget>("trust"), Qt::LeftButton);
        read = tests::twoLayers(false);
        read.path = path.toStdString();
        desk.answer(read);
        QCOMPARE(desk.file("model.pt", "another"), path);
        desk.window.findChild<QDockWidget *>("runDock")->raise();
        desk.click("profile");
        const auto asked = protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body);
        QVERIFY(asked);
        QVERIFY(asked->structureOnly); // nothing in it runs until it is known to be the same
    }

    void whatWasRefusedIsWhyNothingRuns()
    {
        RunDockDesk desk;
        desk.typeSeed("many");
        const auto asked = desk.engine.requests.size();
        desk.trigger("run"); // with the focus still in the field
        QCOMPARE(desk.engine.requests.size(), asked);
        for (const char *name : {"run", "profile", "check"}) {
            QVERIFY(!desk.button(name).isEnabled() && !desk.action(name).isEnabled());
            QVERIFY2(desk.button(name).toolTip().contains("Seed: 'many' is not a whole number"),
                     qPrintable(desk.button(name).toolTip()));
        }
        auto *seed = desk.find<QLineEdit>("seed");
        seed->selectAll();
        QTest::keyClicks(seed, "4");
        QTest::keyClick(seed, Qt::Key_Return);
        desk.trigger("run");
        QCOMPARE(desk.lastAsked(), std::string("run"));
    }

    void theThreadsOfARankAreThePlansAndUndone()
    {
        RunDockDesk desk;
        desk.open();
        desk.window.findChild<QDockWidget *>("runDock")->raise();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        auto *threads = desk.find<QSpinBox>("threads");
        const auto type = [threads](const char *number) {
            threads->setFocus();
            threads->selectAll();
            QTest::keyClicks(threads, number);
            QTest::keyClick(threads, Qt::Key_Return);
        };
        QCOMPARE(threads->value(), 1);
        type("3");
        QCOMPARE(desk.window.document().plan().threadsPerRank, 3);
        desk.click("run");
        const auto asked = protocol::fromBody<report::RunRequest>(desk.engine.requests.back().body);
        QVERIFY(asked);
        QCOMPARE(asked->plan.threadsPerRank, 3);
        QCOMPARE(desk.action("undo").text(), QString("&Undo Threads per rank"));
        desk.trigger("undo");
        QCOMPARE(desk.window.document().plan().threadsPerRank, 1);
        QCOMPARE(threads->value(), 1);
        QVERIFY(!desk.action("undo").isEnabled());
        desk.trigger("redo");
        QCOMPARE(threads->value(), 3);
    }

    void aButtonTakesWhatIsBeingTyped()
    {
        RunDockDesk desk;
        desk.typeSeed("17");
        desk.button("run").click(); // as an assistive tool does, without the focus
        const auto asked = protocol::fromBody<report::RunRequest>(desk.engine.requests.back().body);
        QVERIFY(asked);
        QCOMPARE(asked->plan.seed, std::uint64_t{17});
    }
};

PIPESCOPE_WIDGET_TEST(TestRunDock)
#include "tst_run_dock.moc"

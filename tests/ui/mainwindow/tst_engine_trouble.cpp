#include "session/process_link.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QFile>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;
using State = EngineClient::State;

namespace {

/// A window with a plan that was made with an engine as it should be; those started after it are another program.
struct TroubledDesk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    FakeEngine good;
    QStringList bad; ///< command; empty: a good one is started
    mainwindow::MainWindow window{[this]() -> std::unique_ptr<EngineLink> {
                                      if (bad.isEmpty())
                                          return std::make_unique<FakeLink>(good);
                                      return std::make_unique<ProcessLink>(bad);
                                  },
                                  settings, style::Theme::dark()};

    explicit TroubledDesk(const QStringList &command)
    {
        window.show();
        QFile model(folder.filePath("model.pt"));
        QVERIFY(model.open(QIODevice::WriteOnly));
        QVERIFY(window.open(model.fileName()));
        QTRY_VERIFY(!good.requests.empty());
        good.greet();
        good.answer(good.requests.back().id, tests::twoLayers(true));
        QTest::mouseClick(window.findChild<QWidget *>("trust"), Qt::LeftButton);
        good.answer(good.requests.back().id, tests::twoLayers(false));
        window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        bad = command;
        trigger("stopEngine");
        trigger("run");
    }
    void trigger(const char *action) { window.actionTable().action(action).trigger(); }
    [[nodiscard]] QString notice() const
    {
        return window.findChild<mainwindow::NoticeArea *>("notices")->text("error");
    }
    [[nodiscard]] bool hasItsPlan()
    {
        return window.document().plan().splits == std::vector<std::string>{"layers.1"} &&
               window.document().model() != nullptr;
    }
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return window.findChild<Widget *>(name);
    }
    /// With an engine as it should be, and to the end.
    void runAgain()
    {
        bad.clear();
        trigger("restartEngine");
        trigger("run");
        QTRY_COMPARE(good.requests.size(), std::size_t(1));
        good.greet();
        QTRY_COMPARE(good.requests.back().method, std::string("run"));
        report::TracedRun report;
        report.plan = window.document().plan();
        good.answer(good.requests.back().id, report);
        QTRY_COMPARE(window.controller().runs().size(), std::size_t(1));
        QVERIFY(!window.controller().isRunning());
        QCOMPARE(notice(), QString());
    }
};

} // namespace

/// Engines that are none, in the middle of somebody's work: it is told, nothing is lost, and a good one goes on.
class TestEngineTrouble : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatIsNoEngineIsToldAndTheNextOneGoesOn_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("told");
        QTest::newRow("writes garbage") << QStringList{"sh", "-c", "head -c 100000 /dev/zero; exec sleep 60"}
                                        << "what arrived is no message of pipescope-cli";
        QTest::newRow("is not there")
            << QStringList{"/nowhere/pipescope-cli"}
            << "could not be started: there is no program '/nowhere/pipescope-cli'. The command is: ";
        QTest::newRow("is killed") << QStringList{"sh", "-c", "kill -KILL $$"} << "it was ended by signal 9";
    }

    void whatIsNoEngineIsToldAndTheNextOneGoesOn()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, told);
        TroubledDesk desk(command);
        QTRY_VERIFY2(desk.notice().contains(told), qPrintable(desk.notice()));
        QCOMPARE(desk.window.engine().state(), State::Lost);
        QVERIFY(!desk.window.controller().isRunning());
        QVERIFY(desk.hasItsPlan());

        desk.runAgain();
    }

    void oneThatNeverAnswersIsCancelledAndStopped()
    {
        TroubledDesk desk({"sleep", "60"});
        QTRY_COMPARE(desk.window.engine().state(), State::Starting);
        QVERIFY(desk.window.controller().isRunning());
        auto *cancel = desk.find<QToolButton>("cancelWork");
        QTRY_VERIFY(cancel->isVisible());
        QCOMPARE(desk.window.findChild<QProgressBar *>()->format(), QString("running model.pt"));
        QCOMPARE(desk.find<QToolButton>("enginePill")->text(), QString("engine starting"));

        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY(!desk.window.controller().isRunning());
        const QString told = "the engine was stopped";
        QCOMPARE(desk.window.statusBar()->currentMessage(), told);
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().endsWith(told));
        QCOMPARE(desk.notice(), QString()); // as asked: no fault
        QVERIFY(cancel->isHidden());
        QVERIFY(desk.hasItsPlan());

        desk.trigger("stopEngine");
        QCOMPARE(desk.window.engine().state(), State::Off);
        QCOMPARE(desk.find<QToolButton>("enginePill")->text(), QString("engine off"));
        desk.runAgain();
    }
};

PIPESCOPE_WIDGET_TEST(TestEngineTrouble)
#include "tst_engine_trouble.moc"

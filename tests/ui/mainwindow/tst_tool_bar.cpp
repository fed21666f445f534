#include "mainwindow/tool_bar.h"
#include "plan/limits.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <utility>
#include <vector>

using namespace pipescope;
using Devices = std::vector<std::string>;

namespace {

struct ToolBarDesk : tests::WindowDesk
{
    QComboBox &devices = *find<QComboBox>("toolDevices");

    ToolBarDesk() { open(); }
    void setDevices(const Devices &names)
    {
        window.document().edit("x", [&](plan::Plan &plan) { plan.devices = names; });
    }
    [[nodiscard]] const Devices &planned() { return window.document().plan().devices; }
    void step(Qt::Key key) const
    {
        devices.setFocus();
        QTest::keyClick(&devices, key);
    }
};

} // namespace

class TestToolBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void oneDeviceOfAPlanFileIsNotShownAsSoMany()
    {
        ToolBarDesk desk;
        desk.setDevices({"cpu:0", "cpu:1"});
        QCOMPARE(desk.devices.currentText(), QString("cpu:2"));
        const int listed = desk.devices.count();
        desk.setDevices({"cpu:2"});
        QCOMPARE(desk.devices.currentText(), QString("[cpu:2]"));
        QCOMPARE(desk.devices.currentData().toStringList(), QStringList{"cpu:2"});
        QCOMPARE(desk.devices.count(), listed + 1);
        desk.step(Qt::Key_Home);
        QVERIFY(desk.planned().empty());
        QCOMPARE(desk.devices.currentText(), QString("one per stage"));
        QCOMPARE(desk.devices.count(), listed);
    }

    void whatAPlanFileSaysThatLooksLikeAnotherChoiceIsItsOwn()
    {
        ToolBarDesk desk;
        desk.setDevices({"one per stage"});
        QCOMPARE(desk.devices.currentIndex(), desk.devices.count() - 1);
        QCOMPARE(desk.devices.currentData().toStringList(), QStringList{"one per stage"});
        desk.setDevices({"cpu:1", "cpu:0"});
        QCOMPARE(desk.devices.currentText(), QString("cpu:1, cpu:0"));
        desk.step(Qt::Key_Up);
        QVERIFY(desk.planned().size() >= 4);
    }

    void thereAreAsManyMicrobatchesAsAPlanMayHave()
    {
        const ToolBarDesk desk;
        QCOMPARE(desk.find<QSpinBox>("toolMicrobatches")->maximum(), plan::MostMicrobatches);
        QCOMPARE(desk.find<QSpinBox>("microbatches")->maximum(), plan::MostMicrobatches);
    }

    void theEnginesStateIsSeenAtAnyWidth_data()
    {
        QTest::addColumn<QString>("state");
        for (const char *state : {"engine 10.05 GiB", "engine silent"}) // as long as it gets
            QTest::newRow(state) << state;
    }

    void theEnginesStateIsSeenAtAnyWidth()
    {
        QFETCH(QString, state);
        ToolBarDesk desk;
        desk.find<QToolButton>("enginePill")->setText(state);
        const auto *bar = desk.window.findChild<mainwindow::ToolBar *>();
        const auto *more = bar->findChild<QToolButton *>("qt_toolbar_ext_button");
        for (int width = 940; width <= 1920; width += 40) {
            desk.window.resize(width, 800);
            QCoreApplication::processEvents();
            QVERIFY2(!more->isVisible(), qPrintable(QString::number(width)));
        }
    }

    void wordsGoWhereThereIsNoRoomForThem()
    {
        ToolBarDesk desk;
        const auto *palette = desk.find<QPushButton>("paletteField");
        const auto shown = [&](int width) {
            desk.window.resize(width, 800);
            QCoreApplication::processEvents();
            return palette->text();
        };
        QCOMPARE(shown(1920), QString("Search or type a command   Ctrl+K"));
        QCOMPARE(shown(1280), QString("Search   Ctrl+K"));
        QCOMPARE(shown(900), QString());
        QCOMPARE(palette->accessibleName(), QString("Command palette"));
        QCOMPARE(shown(1920), QString("Search or type a command   Ctrl+K"));
    }

    void aFieldIsReachedByTheLetterOfItsNameWhetherThatIsShownOrNot_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("wide") << 1600 << true;
        QTest::newRow("narrow") << 940 << false;
        QTest::newRow("as narrow as it gets") << 600 << false;
    }

    void aFieldIsReachedByTheLetterOfItsNameWhetherThatIsShownOrNot()
    {
        QFETCH(int, width);
        QFETCH(bool, isNamed);
        const std::vector<std::pair<Qt::Key, const char *>> letters{
            {Qt::Key_M, "toolMicrobatches"}, {Qt::Key_C, "toolSchedule"}, {Qt::Key_I, "toolDevices"}};
        ToolBarDesk desk;
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        const auto reach = [&] {
            for (const auto &[key, field] : letters) {
                QTest::keyClick(desk.window.windowHandle(), key, Qt::AltModifier);
                QCOMPARE(QApplication::focusWidget()->objectName(), QString(field));
            }
        };
        desk.window.resize(1600, 800);
        QCoreApplication::processEvents();
        reach();
        desk.window.resize(width, 800);
        QCoreApplication::processEvents();
        const auto *bar = desk.window.findChild<mainwindow::ToolBar *>();
        for (const auto *label : bar->findChildren<QLabel *>())
            if (label->buddy() != nullptr)
                QCOMPARE(label->isVisible(), isNamed);
        reach();
        desk.window.resize(1600, 800); // and back
        QCoreApplication::processEvents();
        reach();
    }

    void anEngineThatGrowsStaysInSight()
    {
        ToolBarDesk desk;
        const auto *bar = desk.window.findChild<mainwindow::ToolBar *>();
        desk.window.resize(1280, 800);
        QCoreApplication::processEvents();
        desk.find<QToolButton>("enginePill")->setText(QString("engine 10.05 GiB").repeated(2));
        QCoreApplication::processEvents();
        QTRY_VERIFY(!bar->findChild<QToolButton *>("qt_toolbar_ext_button")->isVisible());
        QCOMPARE(desk.find<QPushButton>("paletteField")->text(), QString());
        desk.find<QToolButton>("enginePill")->setText("engine");
        QTRY_COMPARE(desk.find<QPushButton>("paletteField")->text(), QString("Search   Ctrl+K"));
    }

    void theToolBarEditsThePlanAndFollowsIt()
    {
        tests::WindowDesk desk;
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
        tests::WindowDesk desk;
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
};

PIPESCOPE_WIDGET_TEST(TestToolBar)
#include "tst_tool_bar.moc"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "support/window_desk.h"
#include "trace/chrome_trace.h"

#include <QApplication>
#include <QColor>
#include <QDockWidget>
#include <QImage>
#include <QInputDialog>
#include <QPalette>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using mainwindow::MainWindow;
using Perspective = MainWindow::Perspective;

namespace {

struct LayoutsDesk : tests::WindowDesk
{
    [[nodiscard]] QDockWidget &dock(const char *id) const { return *find<QDockWidget>(id); }
    void clickTab(const QString &title) const
    {
        for (QTabBar *bar : window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly))
            for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab)
                if (bar->tabText(tab) == title)
                    return QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
        QFAIL(qPrintable("no tab " + title));
    }
    /// The tabs of each bar that can be seen and is of the docks.
    [[nodiscard]] QStringList tabBars() const
    {
        QStringList bars;
        for (const QTabBar *bar : window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly)) {
            QStringList tabs;
            for (int tab = 0; tab < bar->count(); ++tab)
                tabs << bar->tabText(tab);
            if (bar->isVisible())
                bars << tabs.join(", ");
        }
        bars.sort();
        return bars;
    }
    [[nodiscard]] int canvas() const { return find<QStackedWidget>("canvases")->currentIndex(); }
    void openTrace()
    {
        const QByteArray text = QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(2, 2, 1000)));
        const QSignalSpy opened(&window, &MainWindow::opened);
        QVERIFY(window.open(file("trace.json", text)));
        QTRY_COMPARE(opened.size(), 1);
    }
    /// Titles of those that are shown, whether another tab is before them or not.
    [[nodiscard]] QStringList shownDocks() const
    {
        QStringList shown;
        for (const QDockWidget *dock : window.findChildren<QDockWidget *>())
            if (dock->toggleViewAction()->isChecked())
                shown << dock->windowTitle();
        shown.sort();
        return shown;
    }
    [[nodiscard]] QByteArray kept(const char *perspective)
    {
        return session::LayoutStore(settings).perspective(perspective);
    }
};

const QStringList SplitDocks{"Check", "Inspector", "Log", "Run", "Split points", "Stages"};
const QStringList TimelineDocks{"Check", "Inspector", "Run", "Selection"};

/// A layout whose docks are many, of which none follows.
QByteArray breaksOff()
{
    return {"\0\0\0\xff\0\0\0\x3\xfd\xff\xff\xff\x7f\0", 14};
}

/// In the dialog that is about to block: this text, and OK; of a list its first without one.
void answerName(const QString &name = {})
{
    QTimer::singleShot(0, qApp, [name] {
        auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        if (!name.isEmpty())
            dialog->setTextValue(name);
        dialog->accept();
    });
}

/// Names of the docks that were shown as windows of their own since it was made.
class ShownWindows : public QObject
{
public:
    ShownWindows() { qApp->installEventFilter(this); }

    QStringList names;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const auto *dock = qobject_cast<QDockWidget *>(watched);
        if (event->type() == QEvent::Show && dock != nullptr && dock->isWindow() &&
            !dock->testAttribute(Qt::WA_DontShowOnScreen))
            names << dock->objectName();
        return false;
    }
};

} // namespace

class TestWindowLayouts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theStartPageHasNoDocksAndAModelHas()
    {
        LayoutsDesk desk;
        for (const QDockWidget *dock : desk.window.findChildren<QDockWidget *>())
            QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName()));
        desk.open();
        QVERIFY(desk.dock("runDock").isVisible());
        QVERIFY(desk.dock("stagesDock").isVisible());
        QVERIFY(!desk.dock("summaryDock").isVisible());
        QCOMPARE(desk.window.tabifiedDockWidgets(&desk.dock("stagesDock")).size(), 3);
    }

    void aPerspectiveChosenOnTheStartPageHidesNoDock()
    {
        LayoutsDesk desk;
        desk.trigger("showTimeline");
        QCOMPARE(desk.shownDocks(), QStringList());
        QVERIFY(desk.kept("Split").isEmpty() && desk.kept("Timeline").isEmpty());
        desk.open();
        QCOMPARE(desk.shownDocks(), SplitDocks);
        desk.window.show(Perspective::Timeline);
        QCOMPARE(desk.shownDocks(), TimelineDocks);
        desk.window.show(Perspective::Split);
        QCOMPARE(desk.shownDocks(), SplitDocks);
    }

    void aTraceThatIsOpenedFirstHidesNoDock()
    {
        LayoutsDesk desk;
        desk.openTrace();
        QCOMPARE(desk.shownDocks(), TimelineDocks);
        QVERIFY(desk.kept("Split").isEmpty());
        desk.open();
        QCOMPARE(desk.shownDocks(), SplitDocks);
    }

    void theArrangementOfBeforeOutlivesATraceThatIsOpenedFirst()
    {
        LayoutsDesk before;
        before.open();
        before.dock("logDock").hide();
        QVERIFY(before.window.close());
        LayoutsDesk desk;
        session::LayoutStore(desk.settings).keepPerspective("Split", before.kept("Split"));
        desk.openTrace();
        desk.window.show(Perspective::Split);
        QCOMPARE(desk.shownDocks(), QStringList({"Check", "Inspector", "Run", "Split points", "Stages"}));
    }

    void aWindowClosedOnTheStartPageKeepsNothing()
    {
        LayoutsDesk desk;
        desk.trigger("showTimeline");
        QVERIFY(desk.window.close());
        QVERIFY(desk.kept("Split").isEmpty() && desk.kept("Timeline").isEmpty());
    }

    void aKeptArrangementWithoutADockCountsAsNone()
    {
        LayoutsDesk before;
        before.open();
        for (QDockWidget *dock : before.window.findChildren<QDockWidget *>())
            dock->hide();
        QVERIFY(before.window.close());
        QVERIFY(!before.kept("Split").isEmpty());
        LayoutsDesk desk;
        session::LayoutStore(desk.settings).keepPerspective("Split", before.kept("Split"));
        desk.open();
        QCOMPARE(desk.shownDocks(), SplitDocks);
    }

    void theStartPageHasNoLayoutToSaveOrRestore()
    {
        LayoutsDesk desk;
        session::LayoutStore(desk.settings).keepNamed("mine", {"Split", "rubbish"});
        desk.window.findChild<actions::ActionTable *>()->refresh();
        for (const char *action : {"resetLayout", "saveLayout", "restoreLayout"})
            QVERIFY2(!desk.action(action).isEnabled() && desk.action(action).toolTip().contains("Open a model"),
                     qPrintable(desk.action(action).toolTip()));
        auto *docks = desk.window.findChild<mainwindow::DockSet *>();
        docks->saveLayout("mine too");
        docks->reset();
        QCOMPARE(docks->layouts(), QStringList("mine"));
        const Status restored = docks->restoreLayout("mine");
        QVERIFY(!restored);
        QCOMPARE(restored.error().message, std::string("Open a model or a trace first: the start page has no docks."));
        QCOMPARE(desk.shownDocks(), QStringList());
        desk.open();
        for (const char *action : {"resetLayout", "saveLayout", "restoreLayout"})
            QVERIFY2(desk.action(action).isEnabled(), action);
    }

    void theCanvasIsTheLargestThing()
    {
        LayoutsDesk desk;
        desk.open();
        QCoreApplication::processEvents();
        const QSize canvas = desk.find<QStackedWidget>("canvases")->size();
        QVERIFY2(canvas.width() > desk.window.width() / 2, qPrintable(QString::number(canvas.width())));
        QVERIFY2(canvas.height() > desk.window.height() / 2, qPrintable(QString::number(canvas.height())));
    }

    void eachPerspectiveKeepsItsOwnArrangement()
    {
        LayoutsDesk desk;
        desk.open();
        QCOMPARE(desk.canvas(), 0);
        desk.dock("runDock").hide();
        QTest::keyClick(&desk.window, Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(desk.canvas(), 1);
        QVERIFY(desk.action("showTimeline").isChecked());
        QVERIFY(desk.dock("runDock").isVisible());
        QTest::keyClick(&desk.window, Qt::Key_1, Qt::ControlModifier);
        QVERIFY(!desk.dock("runDock").isVisible());
        desk.trigger("resetLayout");
        QVERIFY(desk.dock("runDock").isVisible());
    }

    void theArrangementOutlivesTheWindow()
    {
        LayoutsDesk desk;
        desk.open();
        desk.dock("runDock").hide();
        QVERIFY(desk.window.close());
        MainWindow again([&desk] { return std::make_unique<session::FakeLink>(desk.engine); }, desk.settings,
                         style::Theme::dark());
        again.show();
        QVERIFY(again.open(desk.file("model.pt")));
        QTRY_COMPARE(desk.engine.starts, 2);
        desk.engine.greet();
        desk.answer(tests::twoLayers(true));
        QVERIFY(again.findChild<QDockWidget *>("stagesDock")->isVisible());
        QVERIFY(!again.findChild<QDockWidget *>("runDock")->isVisible());
    }

    void aNamedLayoutIsRestoredWithItsPerspective()
    {
        LayoutsDesk desk;
        desk.open();
        auto *docks = desk.window.findChild<mainwindow::DockSet *>();
        desk.window.show(Perspective::Timeline);
        desk.dock("runDock").hide();
        docks->saveLayout("wide");
        desk.window.show(Perspective::Split);
        QVERIFY(desk.dock("runDock").isVisible());
        QVERIFY(docks->restoreLayout("wide"));
        QCOMPARE(desk.canvas(), 1);
        QVERIFY(!desk.dock("runDock").isVisible());
        docks->deleteLayout("wide");
        const Status again = docks->restoreLayout("wide");
        QVERIFY(!again);
        QCOMPARE(again.error().message, std::string("There is no layout 'wide'."));
    }

    void aLayoutIsSavedRestoredAndDeletedByTheMenu()
    {
        LayoutsDesk desk;
        desk.open();
        QVERIFY(!desk.action("restoreLayout").isEnabled() && !desk.action("deleteLayout").isEnabled());
        desk.window.addDockWidget(Qt::LeftDockWidgetArea, &desk.dock("runDock"));
        desk.window.resizeDocks({&desk.dock("runDock")}, {400}, Qt::Horizontal);
        desk.dock("logDock").setFloating(true);
        desk.dock("checkDock").hide();
        QCoreApplication::processEvents();
        const QRect run = desk.dock("runDock").geometry();
        const QRect stages = desk.dock("stagesDock").geometry();
        answerName("  mine ");
        desk.trigger("saveLayout");
        QCOMPARE(session::LayoutStore(desk.settings).names(), QStringList("mine"));

        desk.trigger("resetLayout");
        QCoreApplication::processEvents();
        QCOMPARE(desk.window.dockWidgetArea(&desk.dock("runDock")), Qt::RightDockWidgetArea);
        QVERIFY(desk.dock("runDock").geometry() != run);
        answerName();
        desk.trigger("restoreLayout");
        QCOMPARE(desk.notice(), QString());
        QCOMPARE(desk.window.dockWidgetArea(&desk.dock("runDock")), Qt::LeftDockWidgetArea);
        QTRY_COMPARE(desk.dock("runDock").geometry(), run);
        QCOMPARE(desk.dock("stagesDock").geometry(), stages);
        QVERIFY(desk.dock("logDock").isFloating() && desk.dock("logDock").isVisible());
        QVERIFY(!desk.dock("checkDock").isVisible());

        answerName();
        desk.trigger("deleteLayout");
        QVERIFY(session::LayoutStore(desk.settings).names().isEmpty());
        QVERIFY(!desk.action("restoreLayout").isEnabled() && !desk.action("deleteLayout").isEnabled());
        QCOMPARE(desk.window.dockWidgetArea(&desk.dock("runDock")), Qt::LeftDockWidgetArea); // where they stand now
    }

    void aLayoutWithoutANameIsNotSaved()
    {
        LayoutsDesk desk;
        desk.open();
        answerName("  ");
        desk.trigger("saveLayout");
        QVERIFY(session::LayoutStore(desk.settings).names().isEmpty());
    }

    void aDamagedNamedLayoutChangesNothingAndIsTold()
    {
        LayoutsDesk desk;
        session::LayoutStore(desk.settings).keepNamed("torn", {"Timeline", breaksOff()});
        desk.open();
        desk.dock("runDock").hide();
        QTimer::singleShot(0, &desk.window, [] {
            if (auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget()))
                dialog->accept();
        });
        desk.trigger("restoreLayout");
        QCOMPARE(desk.notice(),
                 QString("The layout 'torn' cannot be read: the settings hold only a part of it. Delete it, "
                         "and save it again."));
        QCOMPARE(desk.canvas(), 0);
        QVERIFY(!desk.dock("runDock").isVisible());
        QVERIFY(desk.dock("stagesDock").isVisible());
    }

    void noDockStandsOnItsOwnWhilePerspectivesChange()
    {
        LayoutsDesk desk;
        desk.open();
        const ShownWindows shown;
        for (const Perspective to : {Perspective::Timeline, Perspective::Split, Perspective::Timeline}) {
            desk.window.show(to);
            QCoreApplication::processEvents();
        }
        QCOMPARE(shown.names, QStringList());
    }

    void aLayoutWithADockThatFloatsShowsThatOneOnly()
    {
        LayoutsDesk desk;
        desk.open();
        desk.dock("runDock").setFloating(true);
        auto *docks = desk.window.findChild<mainwindow::DockSet *>();
        docks->saveLayout("floating");
        docks->reset();
        QVERIFY(!desk.dock("runDock").isFloating());
        const ShownWindows shown;
        QVERIFY(docks->restoreLayout("floating"));
        QCoreApplication::processEvents();
        QVERIFY(desk.dock("runDock").isFloating());
        QCOMPARE(shown.names, QStringList("runDock"));
    }

    void aSettingsFileOfRubbishIsNoLayout_data()
    {
        QTest::addColumn<QByteArray>("rubbish");
        QTest::newRow("no state") << QByteArray("rubbish");
        QTest::newRow("a state that breaks off") << breaksOff();
    }

    void aSettingsFileOfRubbishIsNoLayout()
    {
        QFETCH(const QByteArray, rubbish);
        LayoutsDesk whole;
        whole.open();
        LayoutsDesk desk;
        desk.settings.setValue(QStringLiteral("layout/v%1/perspective/Split").arg(session::LayoutStore::Version),
                               rubbish);
        desk.open();
        QCoreApplication::processEvents();
        for (const char *id : {"runDock", "stagesDock", "inspectorDock"}) {
            QVERIFY2(desk.dock(id).toggleViewAction()->isChecked(), id);
            QCOMPARE(desk.dock(id).geometry(), whole.dock(id).geometry());
        }
        const auto tabs = [](const LayoutsDesk &one) {
            int seen = 0;
            for (const QTabBar *bar : one.window.findChildren<QTabBar *>())
                seen += bar->isVisible() ? bar->count() : 0;
            return seen;
        };
        QVERIFY(tabs(whole) >= 6); // of the docks below and of those on the right
        QCOMPARE(tabs(desk), tabs(whole));
    }

    void tabBarsOfAnotherArrangementCoverNoDock()
    {
        constexpr int rounds = 12; // in which order Qt retires tab bars is not the same each time
        LayoutsDesk desk;
        desk.open();
        auto *docks = desk.window.findChild<mainwindow::DockSet *>();
        for (int round = 0; round < rounds; ++round) {
            desk.clickTab("Run");
            desk.window.show(Perspective::Timeline);
            docks->reset();
            QCoreApplication::processEvents();
            QCOMPARE(desk.tabBars(), QStringList("Selection, Inspector, Run, Check"));
            desk.clickTab("Check");
            desk.window.show(Perspective::Split);
            docks->reset();
            QCoreApplication::processEvents();
            QCOMPARE(desk.tabBars(), (QStringList{"Inspector, Run", "Stages, Check, Log, Split points"}));
        }
    }

    void theThemeGoesToEverythingAtOnce()
    {
        LayoutsDesk desk;
        desk.open();
        desk.window.setTheme(style::Theme::light());
        const QColor ground = style::Theme::light().colour(style::Token::Window);
        QCOMPARE(desk.window.palette().color(QPalette::Window), ground);
        QCoreApplication::processEvents();
        const QImage picture = desk.window.grab().toImage();
        QCOMPARE(picture.pixelColor(picture.width() - 3, picture.height() - 3), ground);
        const QWidget *canvases = desk.find<QWidget>("canvases");
        const QPoint corner = canvases->mapTo(&desk.window, QPoint(canvases->width() - 4, canvases->height() - 4));
        QVERIFY(picture.pixelColor(corner * picture.devicePixelRatio()).lightness() > 128);
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowLayouts)
#include "tst_window_layouts.moc"

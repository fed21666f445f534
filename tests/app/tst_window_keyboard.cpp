#include "app/real_engine.h"
#include "graphview/split_gutter.h"
#include "mainwindow/main_window.h"
#include "plan/plan_file.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;
using tests::Long;

namespace {

/// To whatever has the keyboard, as the platform gives it.
void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    QTest::keyClick(QGuiApplication::focusWindow(), key, modifiers);
}

/// In the dialog that asks for a file, once it is there: its name has the keyboard.
void answer(const QString &path)
{
    auto *timer = new QTimer(qApp); // deletes itself
    QObject::connect(timer, &QTimer::timeout, timer, [timer, path] {
        auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        if (!dialog || !dialog->isActiveWindow())
            return;
        timer->deleteLater();
        timer->stop();
        auto *name = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY2(name, "the name of the file does not have the keyboard");
        name->insert(path); // at once: a completer would pop up at each letter
        QTest::keyClick(dialog->windowHandle(), Qt::Key_Return);
    });
    timer->start(10);
}

QString described(const QWidget *widget)
{
    return widget ? QString("%1 '%2'").arg(widget->metaObject()->className(), widget->objectName()) : "nothing";
}

/// Presses Tab until the keyboard is there.
void tabTo(const QWidget *wanted)
{
    constexpr int most = 200;
    QVERIFY(wanted != nullptr);
    QStringList path;
    for (int i = 0; i < most && QApplication::focusWidget() != wanted; ++i) {
        press(Qt::Key_Tab);
        path << described(QApplication::focusWidget());
    }
    QVERIFY2(QApplication::focusWidget() == wanted,
             qPrintable(described(wanted) + " is not reached by Tab, but: " + path.mid(0, 60).join(", ")));
}

/// The window on the real engine, with an example of its own.
struct Desk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
    QString path = folder.filePath("example.pipescope.json");

    Desk()
    {
        testing::transformerLike().save(folder.filePath("layers.pt").toStdString());
        plan::Plan example;
        example.model = folder.filePath("layers.pt").toStdString();
        example.inputs = {*plan::parseInputSpec("float32[16,16]")};
        example.microbatches = 4;
        if (!plan::savePlan(example, path.toStdString()))
            qFatal("no plan");
        mainwindow::WindowPlaces places;
        places.example.plans = {path};
        window = std::make_unique<MainWindow>(tests::realEngine(), settings, style::Theme::light(), places);
        window->resize(1280, 800);
        window->show();
    }
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return window->findChild<Widget *>(name);
    }
    [[nodiscard]] const std::vector<std::string> &splits() const { return window->document().plan().splits; }
    [[nodiscard]] bool isIdle() const
    {
        const auto model = window->document().model();
        return model && !model->structureOnly && !window->controller().isLooking() && !window->controller().isRunning();
    }
    [[nodiscard]] QByteArray problem() const
    {
        const auto &error = window->controller().lastError();
        return error ? QByteArray::fromStdString(error->message) : QByteArray();
    }
    /// Places a split in the next gap that may have one.
    void splitFurther() const
    {
        tabTo(find<graphview::SplitGutter>("gutter"));
        const std::size_t before = splits().size();
        for (int gap = 0; gap < 20 && splits().size() == before; ++gap) {
            press(Qt::Key_Down);
            press(Qt::Key_Space);
        }
        QCOMPARE(splits().size(), before + 1);
    }
};

} // namespace

/// What a user does who has no mouse.
class TestWindowKeyboard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
    void init() { tests::failOnWarnings(); }

    void fromTheStartPageToASavedPlan()
    {
        Desk desk;
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        tabTo(desk.find<QPushButton>("openExample"));
        press(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isIdle(), Long);
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<graphview::SplitGutter>("gutter")->rows().size() > 2, Long);
        desk.splitFurther();
        desk.splitFurther();
        const auto both = desk.splits();
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.splits().size(), std::size_t(1));
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.splits(), both);

        press(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(desk.window->controller().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(desk.isIdle(), Long);
        QVERIFY2(desk.window->controller().runs().size() == 1, desk.problem());
        auto *tables = desk.find<QTabWidget>("timelineTables");
        tabTo(tables->tabBar());
        press(Qt::Key_Right);
        QCOMPARE(tables->tabText(tables->currentIndex()), QString("Bubbles"));
        auto *bubbles = desk.find<QTableView>("bubbles");
        tabTo(bubbles);
        press(Qt::Key_Down);
        const int whyColumn = bubbles->model()->columnCount() - 1;
        QVERIFY(bubbles->currentIndex().isValid());
        QVERIFY(!bubbles->currentIndex().siblingAtColumn(whyColumn).data().toString().isEmpty());
        tabTo(tables->tabBar()); // out of the table again

        press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.window->controller().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(desk.isIdle(), Long);
        QVERIFY2(desk.window->controller().wasCheck(), desk.problem());
        QVERIFY(!desk.find<QLabel>("equivalent")->visibleRegion().isEmpty());
        QVERIFY(desk.find<QLabel>("equivalent")->text().contains("yes (bitwise)"));

        press(Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(plan::loadPlan(desk.path.toStdString())->splits, both);
        press(Qt::Key_Q, Qt::ControlModifier);
        QVERIFY(!desk.window->isVisible());
    }

    void aModelIsOpenedTrustedAndItsPlanSavedUnderAName()
    {
        Desk desk;
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        answer(desk.folder.filePath("layers.pt"));
        press(Qt::Key_O, Qt::ControlModifier);
        auto *trust = desk.find<QPushButton>("trust");
        desk.window->activateWindow(); // as a window manager does when a dialog closes
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(trust->isVisible(), Long);
        tabTo(trust);
        press(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isIdle(), Long);
        const QString saved = desk.folder.filePath("mine.json");
        answer(saved);
        press(Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFile::exists(saved));
        QCOMPARE(desk.window->document().path(), saved);
    }

    void everyDockIsReachedByTab()
    {
        Desk desk;
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        QVERIFY(desk.window->open(desk.path));
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<QPushButton>("trust")->isVisible(), Long);
        tabTo(desk.find<QPushButton>("trust"));
        press(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isIdle(), Long);
        for (QDockWidget *dock : desk.window->findChildren<QDockWidget *>()) {
            dock->show();
            dock->raise();
            QCoreApplication::processEvents();
            QStringList path;
            bool isReached = false;
            for (int i = 0; i < 200 && !isReached; ++i) {
                press(Qt::Key_Tab);
                path << described(QApplication::focusWidget());
                isReached = dock->isAncestorOf(QApplication::focusWidget());
            }
            QVERIFY2(isReached,
                     qPrintable(dock->objectName() + " is not reached by Tab, but: " + path.mid(0, 60).join(", ")));
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowKeyboard)
#include "tst_window_keyboard.moc"

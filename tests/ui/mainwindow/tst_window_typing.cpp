#include "plan/plan_file.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeySequence>
#include <QLineEdit>
#include <QMessageBox>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct TypingDesk : tests::WindowDesk
{
    QLineEdit *seed = nullptr;

    /// A loaded model, and a seed that is typed and not left.
    void type(const QString &text)
    {
        open();
        find<QDockWidget>("runDock")->show();
        QTest::mouseClick(find<QToolButton>("more"), Qt::LeftButton);
        seed = find<QLineEdit>("seed");
        QVERIFY(QTest::qWaitForWindowActive(&window));
        seed->setFocus();
        seed->selectAll();
        QTest::keyClicks(seed, text);
        QVERIFY(seed->hasFocus());
    }
};

} // namespace

class TestWindowTyping : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aToolButtonRunsWithWhatIsBeingTyped()
    {
        TypingDesk desk;
        desk.type("17");
        auto *bar = desk.find<QToolBar>("toolBar");
        QTest::mouseClick(bar->widgetForAction(&desk.action("run")), Qt::LeftButton);
        const auto asked = protocol::fromBody<report::RunRequest>(desk.engine.requests.back().body);
        QVERIFY(asked);
        QCOMPARE(asked->plan.seed, std::uint64_t{17});
        QVERIFY(desk.seed->hasFocus());
    }

    void aShortcutSavesWhatIsBeingTyped()
    {
        TypingDesk desk;
        const QString path = desk.folder.filePath("plan.json");
        desk.type("17");
        QVERIFY(desk.window.document().saveAs(path));
        QTest::keySequence(desk.seed, QKeySequence(QKeySequence::Save));
        const auto written = plan::loadPlan(path.toStdString());
        QVERIFY(written);
        QCOMPARE(written->seed, std::uint64_t{17});
        QVERIFY(!desk.window.document().isModified());
    }

    void closingAsksForWhatIsBeingTyped()
    {
        TypingDesk desk;
        desk.type("17");
        bool asked = false;
        QTimer::singleShot(0, &desk.window, [&asked] {
            auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            asked = question != nullptr;
            if (question)
                QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
        });
        QVERIFY(!desk.window.close());
        QVERIFY(asked);
        desk.window.document().undoStack().undo();
        QVERIFY(desk.window.close());
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowTyping)
#include "tst_window_typing.moc"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include "plan/plan_file.h"
#include "session/recovery.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct RecoveryDesk : tests::WindowDesk
{
    QString left = places.recovery + "/dead.json";
    QString planPath = folder.filePath("plan.json");

    /// What a window that crashed leaves: a plan's file, and changes to it.
    void crash()
    {
        plan::Plan plan;
        plan.model = file("model.pt").toStdString();
        QVERIFY(plan::savePlan(plan, planPath.toStdString()));
        plan.splits = {"layers.1"};
        QVERIFY(writeRecovery(left, {plan, planPath, QDateTime::currentDateTimeUtc()}));
    }
    [[nodiscard]] QString offered() const { return notice(qPrintable(left)); }
};

} // namespace

class TestWindowRecovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatACrashLeftIsOfferedAndRestored()
    {
        RecoveryDesk desk;
        desk.crash();
        desk.window.offerRecovery();
        QVERIFY2(desk.offered().contains("plan.json"), qPrintable(desk.offered()));
        desk.follow("Restore");
        desk.greeted();
        desk.answer(tests::twoLayers(true));
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QCOMPARE(desk.window.document().path(), desk.planPath);
        QVERIFY(desk.window.isWindowModified());
        QVERIFY(plan::loadPlan(desk.planPath.toStdString())->splits.empty()); // the user's file is as it was
        QVERIFY(!QFile::exists(desk.left));
        // This window's own copy has taken its place.
        QCOMPARE(QDir(desk.places.recovery).entryList({"*.json"}).size(), 1);
    }

    void whatIsDiscardedIsGone()
    {
        RecoveryDesk desk;
        desk.crash();
        desk.window.offerRecovery();
        desk.follow("Discard");
        QVERIFY(!QFile::exists(desk.left));
        QCOMPARE(desk.offered(), QString());
    }

    void aPlanWhoseModelCannotBeReadStaysToBeRestoredLater()
    {
        RecoveryDesk desk;
        desk.crash();
        desk.window.offerRecovery();
        desk.follow("Restore");
        desk.greeted();
        desk.refuse({ErrorCode::InvalidFile, "no model", {}, {}});
        QVERIFY(QFile::exists(desk.left));
        QVERIFY(!desk.offered().isEmpty());
    }

    void whatIsNotRestoredAfterAllIsOfferedAgain()
    {
        RecoveryDesk desk;
        desk.crash();
        desk.window.offerRecovery();
        desk.follow("Restore");
        desk.greeted();
        QVERIFY(desk.window.open(desk.file("other.pt"))); // before the first has been read
        desk.answer(tests::twoLayers(true));
        QVERIFY(desk.window.document().plan().splits.empty());
        QVERIFY(QFile::exists(desk.left));
        QVERIFY(!desk.offered().isEmpty());
    }

    void manyAreOfferedAFewAtATime()
    {
        RecoveryDesk desk;
        desk.crash();
        const RecoveredPlan one = *readRecovery(desk.left);
        QVERIFY(QFile::remove(desk.left));
        constexpr int many = 200;
        for (int i = 0; i < many; ++i)
            QVERIFY(writeRecovery(desk.places.recovery + QString("/%1.json").arg(i), one));
        desk.window.offerRecovery();
        const auto offers = [&desk] {
            int shown = 0;
            for (const QWidget *notice : desk.window.findChildren<QWidget *>("notice"))
                shown += notice->isVisible() ? 1 : 0;
            return shown;
        };
        QCOMPARE(offers(), mainwindow::RecoveryOffers::MostOffers + 1);
        QVERIFY2(desk.notice("moreToRecover").contains("(17)"), qPrintable(desk.notice("moreToRecover")));
        for (std::size_t i = 0; i < MostLeftBehind; ++i)
            desk.follow("Discard");
        QCOMPARE(offers(), 0);
        // The others are there when it starts again.
        QCOMPARE(QDir(desk.places.recovery).entryList({"*.json"}).size(), many - static_cast<int>(MostLeftBehind));
    }

    void aCopyThatCannotBeKeptIsTold()
    {
        RecoveryDesk desk;
        QFile inTheWay(desk.places.recovery);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.close();
        QTimer::singleShot(0, [] {
            auto *dialog = QApplication::activeModalWidget();
            dialog->findChild<QSpinBox *>("autosave")->setValue(1);
            dialog->close();
        });
        desk.trigger("settings");
        desk.open();
        desk.split();
        QTRY_VERIFY(desk.notice("noCopy").startsWith("No copy of the changed plan is kept"));
        desk.window.document().undoStack().undo();
    }

    void twoWindowsOnOnePlanLeaveTwoThatAreBothOffered()
    {
        RecoveryDesk desk;
        desk.crash();
        const QString second = desk.places.recovery + "/second.json";
        RecoveredPlan other = *readRecovery(desk.left);
        other.plan.splits.clear();
        other.plan.microbatches = 5;
        QVERIFY(writeRecovery(second, other));
        desk.window.offerRecovery();
        QVERIFY(!desk.offered().isEmpty());
        QVERIFY(!desk.notice(qPrintable(second)).isEmpty());
    }

    void aCorruptFileIsToldInTheLogAndKeepsNothingFromStarting()
    {
        RecoveryDesk desk;
        QVERIFY(QDir().mkpath(desk.places.recovery));
        QFile corrupt(desk.left);
        QVERIFY(corrupt.open(QIODevice::WriteOnly));
        corrupt.write("{\"pipescopeRecovery\": 1, \"plan\": \"[[[[\"");
        corrupt.close();
        desk.window.offerRecovery();
        QCOMPARE(desk.offered(), QString());
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().contains("dead.json"));
    }

    void aWindowThatIsEndedFromOutsideLeavesItsChangesAtOnce()
    {
        QTemporaryDir folder;
        const auto left = [&folder] { return session::findLeftBehind(folder.path()); };
        {
            RecoveryDesk desk;
            desk.places.recovery = folder.path();
            mainwindow::MainWindow window([&desk] { return std::make_unique<session::FakeLink>(desk.engine); },
                                          desk.settings, style::Theme::dark(), desk.places);
            window.document().newFor(desk.file("model.pt"));
            window.document().edit("Microbatches", [](plan::Plan &plan) { plan.microbatches = 7; });
            window.leave(); // the copy was not due yet
        }
        QCOMPARE(left().size(), std::size_t(1));
        QCOMPARE(left().front().recovered.plan.microbatches, 7);
    }

    void closingAWindowLeavesNothingBehind()
    {
        QString recovery;
        const QTemporaryDir folder;
        {
            RecoveryDesk desk;
            recovery = desk.places.recovery;
            desk.open();
            desk.split();
            desk.window.document().undoStack().undo();
            QVERIFY(desk.window.close());
            QVERIFY(QDir(recovery).entryList({"*.json"}).isEmpty());
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowRecovery)
#include "tst_window_recovery.moc"

#include "mainwindow/notice_area.h"
#include "plan/plan_file.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;
using tests::twoLayers;

namespace {

/// A window with a saved plan that was edited since, and another window that saved it meanwhile.
struct ConflictDesk : tests::WindowDesk
{
    QString path = folder.filePath("plan.json");

    ConflictDesk()
    {
        plan::Plan plan;
        plan.model = file("model.pt").toStdString();
        write(plan);
        openPlan();
    }
    void openPlan()
    {
        begin(path);
        answer(twoLayers(true));
        QCOMPARE(window.document().path(), path);
    }
    void write(const plan::Plan &plan) const { QVERIFY(plan::savePlan(plan, path.toStdString())); }
    void edit()
    {
        window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
    }
    void saveElsewhere()
    {
        plan::Plan theirs = written();
        theirs.microbatches = 7;
        write(theirs);
    }
    [[nodiscard]] plan::Plan written() const { return *plan::loadPlan(path.toStdString()); }
    [[nodiscard]] bool isTold() const { return notice("onDisk").contains("plan.json was changed on disk"); }
};

/// Presses a button of the question that is about to be asked; `asked` says that it was.
void answerWith(const char *button, bool &asked)
{
    QTimer::singleShot(0, [button, &asked] {
        auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        asked = question != nullptr;
        if (!question)
            return;
        if (auto *pressed = question->findChild<QAbstractButton *>(button))
            QTest::mouseClick(pressed, Qt::LeftButton);
        else
            QTest::keyClick(question, Qt::Key_Escape);
    });
}

} // namespace

class TestWindowConflict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aPlanThatNobodyElseSavedIsSavedWithoutAQuestion()
    {
        ConflictDesk desk;
        desk.edit();
        bool asked = false;
        answerWith("overwrite", asked);
        desk.trigger("save");
        QCoreApplication::processEvents();
        QVERIFY(!asked);
        QCOMPARE(desk.written().splits, std::vector<std::string>{"layers.1"});
    }

    void aPlanIsSavedUnderANewNameWhereItsModelIsGone()
    {
        ConflictDesk desk;
        desk.edit();
        QVERIFY(QFile::remove(desk.folder.filePath("model.pt"))); // or never was on this machine
        const QString fresh = desk.folder.filePath("fresh.json");
        QTimer::singleShot(0, [&fresh] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QLineEdit *>("fileNameEdit")->setText(fresh);
            QTest::keyClick(dialog, Qt::Key_Return);
        });
        desk.trigger("saveAs");
        QCOMPARE(desk.window.document().path(), fresh);
        QCOMPARE(plan::loadPlan(fresh.toStdString())->splits, std::vector<std::string>{"layers.1"});
    }

    void whatAnotherWindowSavedIsNotOverwrittenWithoutAQuestion()
    {
        ConflictDesk desk;
        desk.edit();
        desk.saveElsewhere();
        bool asked = false;
        answerWith("cancel", asked);
        desk.trigger("save");
        QVERIFY(asked);
        QCOMPARE(desk.written().microbatches, 7);
        QVERIFY(desk.written().splits.empty());
        QVERIFY(desk.window.document().isModified());

        answerWith("overwrite", asked);
        desk.trigger("save");
        QVERIFY(!desk.window.document().isModified());
        QCOMPARE(desk.written().splits, std::vector<std::string>{"layers.1"});
        QCOMPARE(desk.written().microbatches, 1);
        QVERIFY(!desk.isTold());
    }

    void thePlanOfTheOtherWindowCanBeReadInstead()
    {
        ConflictDesk desk;
        desk.edit();
        desk.saveElsewhere();
        bool asked = false;
        answerWith("reload", asked);
        desk.trigger("save");
        QVERIFY(asked);
        desk.answer(twoLayers(true));
        QCOMPARE(desk.window.document().plan().microbatches, 7);
        QVERIFY(desk.window.document().plan().splits.empty());
        QVERIFY(!desk.window.document().isModified());
        QCOMPARE(desk.written().microbatches, 7);
    }

    void aWindowThatClosesAsksToo()
    {
        ConflictDesk desk;
        desk.edit();
        desk.saveElsewhere();
        bool asked = false;
        QTimer::singleShot(0, [&asked] {
            auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            answerWith("cancel", asked);
            QTest::mouseClick(question->button(QMessageBox::Save), Qt::LeftButton);
        });
        QVERIFY(!desk.window.close());
        QVERIFY(asked);
        QVERIFY(desk.window.isVisible());
        QCOMPARE(desk.written().microbatches, 7);
    }

    void aChangeOnDiskIsToldWhileTheWindowIsIdleAndReloaded()
    {
        ConflictDesk desk;
        QVERIFY(!desk.isTold());
        desk.saveElsewhere();
        QTRY_VERIFY(desk.isTold());
        desk.follow("Reload"); // nothing was edited: no question
        desk.answer(twoLayers(true));
        QCOMPARE(desk.window.document().plan().microbatches, 7);
        QTRY_VERIFY(!desk.isTold());
    }

    void reloadingOverEditsAsks()
    {
        ConflictDesk desk;
        desk.edit();
        desk.saveElsewhere();
        QTRY_VERIFY(desk.isTold());
        bool asked = false;
        answerWith("cancel", asked);
        desk.follow("Reload");
        QVERIFY(asked);
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QVERIFY(desk.isTold()); // it is still so
    }

    void aPlanThatIsGoneIsToldAndWrittenAgain()
    {
        ConflictDesk desk;
        QVERIFY(QFile::remove(desk.path));
        QTRY_VERIFY2(desk.notice("onDisk").contains("no longer on disk"), qPrintable(desk.notice("onDisk")));
        desk.follow("Save plan");
        QVERIFY(QFile::exists(desk.path));
        QCOMPARE(desk.notice("onDisk"), QString());
    }

    void aPlanForAnotherModelIsTold()
    {
        ConflictDesk desk;
        plan::Plan theirs = desk.written();
        theirs.modelSha256 = std::string(64, 'a');
        desk.write(theirs);
        desk.openPlan();
        QCOMPARE(desk.notice("replacedModel"), QString());
        theirs.modelSha256 = std::string(64, 'c');
        desk.write(theirs);
        desk.openPlan();
        QVERIFY(desk.notice("replacedModel").contains("model.pt is not the file that the plan was made for"));
    }

    void aNewPlanIsProposedBesideItsModelAndASavedOneWhereItIs()
    {
        ConflictDesk desk;
        QString proposed;
        const auto ask = [&] {
            QTimer::singleShot(0, [&] {
                auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
                QVERIFY(dialog);
                proposed = dialog->selectedFiles().value(0);
                dialog->reject();
            });
            desk.trigger("saveAs");
        };
        ask();
        QCOMPARE(proposed, desk.path);
        desk.window.document().newFor(desk.folder.filePath("model.pt"));
        ask();
        QCOMPARE(proposed, desk.folder.filePath("model.pipescope.json"));
    }

    void aPlanIsNotSavedOverItsModel()
    {
        ConflictDesk desk;
        bool asked = false;
        QTimer::singleShot(0, [&] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->setOption(QFileDialog::DontConfirmOverwrite);
            dialog->findChild<QLineEdit *>("fileNameEdit")->setText(desk.folder.filePath("model.pt"));
            answerWith("none", asked);
            QTest::keyClick(dialog, Qt::Key_Return);
        });
        desk.trigger("saveAs");
        QVERIFY(asked);
        QCOMPARE(QFileInfo(desk.folder.filePath("model.pt")).size(), 0);
        QCOMPARE(desk.window.document().path(), desk.path);
    }

    void aModelThatWasReplacedIsToldAtTheNextRunAndAskedAbout()
    {
        ConflictDesk desk;
        QTest::mouseClick(desk.find<QWidget>("trust"), Qt::LeftButton);
        desk.answer(twoLayers(false));
        static_cast<void>(desk.file("model.pt", "another model"));
        desk.trigger("run");
        report::Inspection other = twoLayers(true);
        other.sha256 = std::string(64, 'b');
        desk.answer(other);
        QVERIFY2(desk.notice("replacedModel").contains("model.pt is another file now"),
                 qPrintable(desk.notice("replacedModel")));
        QVERIFY(desk.find<QWidget>("trustBar")->isVisible());
        QVERIFY(!desk.action("run").isEnabled());
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowConflict)
#include "tst_window_conflict.moc"

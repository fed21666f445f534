#include "runview/run_view.h"
#include "runview/schedule_choice.h"
#include "support/qt_warnings.h"
#include "support/run_actions.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <QWidget>

using namespace pipescope;
using runview::RunView;
using runview::ScheduleChoice;

namespace {

struct ChoiceDesk : tests::SessionDesk
{
    QTemporaryDir folder;
    tests::PlayedActions actions{controller};
    RunView view{document, controller, actions.all()};
    QComboBox &box = *view.findChild<QComboBox *>("schedule");
    ScheduleChoice &choice = *view.findChild<ScheduleChoice *>();
    QString chosen; ///< by the user, when asked
    int asked = 0;
    QString askedIn;

    ChoiceDesk()
    {
        begin(write("model.pt", {}));
        view.resize(300, 700);
        view.show();
        choice.setChooser([this](QWidget & /*box*/, const QString &in) {
            ++asked;
            askedIn = in;
            return chosen;
        });
    }
    QString write(const QString &name, const QByteArray &text) const
    {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("no file");
        return file.fileName();
    }
    /// Opens the list by its key, and goes to its end.
    void chooseLast() const
    {
        QTest::keyClick(&box, Qt::Key_F4);
        QVERIFY(box.view()->isVisible());
        QTest::keyClick(box.view(), Qt::Key_End);
        QTest::keyClick(box.view(), Qt::Key_Return);
        QTRY_VERIFY(!box.view()->isVisible());
    }
    [[nodiscard]] QString schedule() const { return QString::fromStdString(document.plan().schedule); }
    [[nodiscard]] QLabel &problem() const { return *view.findChild<QLabel *>("problem"); }
};

} // namespace

/// A schedule of the user's own, chosen in the run dock.
class TestScheduleChoice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theLastOneAsksForAFileWhichThePlanThenFollows()
    {
        ChoiceDesk desk;
        desk.chosen = desk.write("mine.csv", "0F0,0F1\n,1F0,1F1\n");
        QCOMPARE(desk.box.itemText(desk.box.count() - 1), QString("From file..."));
        const int before = desk.box.count();
        desk.chooseLast();
        QTRY_COMPARE(desk.schedule(), "@" + desk.chosen);
        QCOMPARE(desk.asked, 1);
        QCOMPARE(desk.askedIn, desk.folder.path()); // beside the model
        QCOMPARE(desk.box.currentText(), QString("mine.csv"));
        QCOMPARE(desk.box.itemData(desk.box.currentIndex(), Qt::ToolTipRole).toString(), desk.chosen);
        QCOMPARE(desk.box.count(), before + 1);
        desk.document.undoStack().undo();
        QCOMPARE(desk.box.currentText(), QString("GPipe"));
        QCOMPARE(desk.box.count(), before);
        QVERIFY(!desk.problem().isVisible());
    }

    void aFaultInTheFileIsToldWithRowAndColumnAndThePlanStays()
    {
        ChoiceDesk desk;
        desk.chosen = desk.write("bad.csv", "0F0,0F1\n,1F0,1FX\n");
        desk.chooseLast();
        QTRY_VERIFY(desk.problem().isVisible());
        QVERIFY2(
            desk.problem().text().contains("'bad.csv' cannot be used as a schedule: row 2, column 3 (rank 1, step 2)"),
            qPrintable(desk.problem().text()));
        QCOMPARE(desk.schedule(), QString("gpipe"));
        QCOMPARE(desk.box.currentText(), QString("GPipe"));
    }

    void noFileLeavesWhatWasChosen()
    {
        ChoiceDesk desk;
        desk.chooseLast();
        QTRY_COMPARE(desk.asked, 1);
        QCOMPARE(desk.box.currentText(), QString("GPipe"));
        QVERIFY(!desk.document.undoStack().canUndo() && !desk.problem().isVisible());
    }

    void arrowsAndTheWheelNeverComeToAskForAFile()
    {
        ChoiceDesk desk;
        desk.box.setFocus();
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&desk.box, Qt::Key_Down);
        QTest::keyClick(&desk.box, Qt::Key_End);
        QWheelEvent wheel({5, 5}, desk.box.mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&desk.box, &wheel);
        QCoreApplication::processEvents();
        QCOMPARE(desk.asked, 0);
        QCOMPARE(desk.box.currentIndex(), desk.box.count() - 2);
        QTest::keyClick(&desk.box, Qt::Key_Home);
        QCOMPARE(desk.schedule(), desk.box.itemData(0).toString());
    }

    void thePlansOwnFileIsShownAndTheNextOneIsAskedForBesideIt()
    {
        ChoiceDesk desk;
        const QString own = desk.write("mine.csv", "0F0\n");
        desk.document.edit("x", [&](plan::Plan &plan) { plan.schedule = "@" + own.toStdString(); });
        QCOMPARE(desk.box.currentText(), QString("mine.csv"));
        desk.document.edit("x", [](plan::Plan &plan) { plan.schedule = "@/plans/orders/other.csv"; });
        QCOMPARE(desk.box.currentText(), QString("other.csv"));
        QCOMPARE(desk.box.findText("mine.csv"), -1);
        desk.chooseLast();
        QTRY_COMPARE(desk.askedIn, QString("/plans/orders"));
        QTest::keyClick(&desk.box, Qt::Key_Home); // away from it
        QCOMPARE(desk.box.findText("other.csv"), -1);
    }

    void aScheduleOfThePlanThatIsInNoTableIsShownAsItIs()
    {
        ChoiceDesk desk;
        desk.document.edit("x", [](plan::Plan &plan) { plan.schedule = "zigzag"; });
        QCOMPARE(desk.box.currentText(), QString("zigzag"));
        desk.document.edit("x", [](plan::Plan &plan) { plan.schedule = "GPipe"; });
        QCOMPARE(desk.box.currentText(), QString("GPipe"));
    }

    void theDialogItselfGivesTheFile()
    {
        ChoiceDesk desk;
        const RunView other(desk.document, desk.controller, desk.actions.all());
        const QString file = desk.write("mine.csv", "0F0\n");
        QTimer::singleShot(0, [&file] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto *name = dialog->findChild<QLineEdit *>("fileNameEdit");
            name->setText(file);
            QTest::keyClick(name, Qt::Key_Return);
        });
        other.findChild<ScheduleChoice *>()->chooseFile();
        QCOMPARE(desk.schedule(), "@" + file);
        QCOMPARE(desk.box.currentText(), QString("mine.csv")); // in every view
    }
};

PIPESCOPE_WIDGET_TEST(TestScheduleChoice)
#include "tst_schedule_choice.moc"

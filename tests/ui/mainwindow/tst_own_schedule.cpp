#include "runview/schedule_choice.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QInputDialog>
#include <QTimer>

using namespace pipescope;

namespace {

struct OwnScheduleDesk : tests::WindowDesk
{
    OwnScheduleDesk() { open(); }
    [[nodiscard]] QComboBox &box() const { return *find<QComboBox>("toolSchedule"); }
    void choose(const QString &file) const
    {
        auto *bar = window.findChild<QWidget *>("toolBar");
        bar->findChild<runview::ScheduleChoice *>()->setChooser([file](QWidget &, const QString &) { return file; });
        QTest::keyClick(&box(), Qt::Key_F4);
        QTest::keyClick(box().view(), Qt::Key_End);
        QTest::keyClick(box().view(), Qt::Key_Return);
    }
};

} // namespace

/// A schedule of the user's own, chosen in the toolbar.
class TestOwnSchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theToolbarAndTheRunDockShowTheSameFile()
    {
        OwnScheduleDesk desk;
        const QString file = desk.file("mine.csv", "0F0,0F1\n,1F0,1F1\n");
        desk.choose(file);
        QTRY_COMPARE(desk.window.document().plan().schedule, "@" + file.toStdString());
        for (const char *box : {"toolSchedule", "schedule"})
            QCOMPARE(desk.find<QComboBox>(box)->currentText(), QString("mine.csv"));
        desk.trigger("undo");
        for (const char *box : {"toolSchedule", "schedule"})
            QCOMPARE(desk.find<QComboBox>(box)->currentText().toLower(), QString("gpipe"));
    }

    void aFaultInItIsANoticeWithRowAndColumn()
    {
        OwnScheduleDesk desk;
        desk.choose(desk.file("bad.csv", "0F0,,junk\n"));
        QTRY_VERIFY2(desk.notice().contains("'bad.csv' cannot be used as a schedule: row 1, column 3"),
                     qPrintable(desk.notice()));
        QCOMPARE(desk.window.document().plan().schedule, std::string("gpipe"));
    }

    void oneOnTheEnginesMachineIsNamedByItsPathThere_data()
    {
        QTest::addColumn<QByteArray>("bar");
        QTest::newRow("in the toolbar") << QByteArray("toolBar");
        QTest::newRow("in the run dock") << QByteArray("runDock");
    }

    void oneOnTheEnginesMachineIsNamedByItsPathThere()
    {
        QFETCH(const QByteArray, bar);
        OwnScheduleDesk desk;
        desk.goElsewhere();
        QString shown;
        QTimer::singleShot(0, [&shown] {
            auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            shown = dialog->textValue();
            dialog->setTextValue("/nowhere/here/mine.csv");
            dialog->accept();
        });
        desk.find<QWidget>(bar.constData())->findChild<runview::ScheduleChoice *>()->chooseFile();
        QCOMPARE(shown, desk.folder.path() + '/'); // where the model is
        QCOMPARE(desk.window.document().plan().schedule, std::string("@/nowhere/here/mine.csv"));
        QCOMPARE(desk.find<QComboBox>("toolSchedule")->currentText(), QString("mine.csv"));
        QCOMPARE(desk.notice(), QString());
    }
};

PIPESCOPE_WIDGET_TEST(TestOwnSchedule)
#include "tst_own_schedule.moc"

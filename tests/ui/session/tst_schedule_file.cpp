#include "session/schedule_file.h"

#include "plan/plan_file.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct ScheduleFileDesk
{
    QTemporaryDir folder;
    Document document;

    ScheduleFileDesk() { document.newFor(write("model.pt", {})); }
    QString write(const QString &name, const QByteArray &text) const
    {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("no file");
        return file.fileName();
    }
};

} // namespace

class TestScheduleFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void thePlanFollowsAFileAndOneStepUndoesIt()
    {
        ScheduleFileDesk desk;
        const QString file = desk.write("mine.csv", "0F0,0F1\r\n,1F0,1F1\r\n");
        QVERIFY(takeScheduleFile(desk.document, file));
        QCOMPARE(desk.document.plan().schedule, "@" + file.toStdString());
        QCOMPARE(scheduleFileName(desk.document.plan().schedule), QString("mine.csv"));
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().schedule, std::string("gpipe"));
        QCOMPARE(scheduleFileName("gpipe"), QString());
    }

    void inThePlansFileItIsNamedFromThereAndReadFromAnywhere()
    {
        ScheduleFileDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("orders"));
        const QString file = desk.write("orders/mine.csv", "0F0\n");
        const QString plan = desk.folder.filePath("plan.json");
        QVERIFY(takeScheduleFile(desk.document, file));
        QVERIFY(desk.document.saveAs(plan));
        QFile saved(plan);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QVERIFY2(saved.readAll().contains(R"("@orders/mine.csv")"), "an absolute path");
        Document again;
        QVERIFY(again.open(plan));
        QCOMPARE(QFileInfo(QString::fromStdString(again.plan().schedule.substr(1))), QFileInfo(file));
        QVERIFY(desk.document.fileState() == Document::FileState::Same);
    }

    void aRelativePathIsTheCurrentFoldersAndNotThePlans()
    {
        ScheduleFileDesk desk;
        desk.write("mine.csv", "0F0\n");
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(desk.folder.path()));
        const Status taken = takeScheduleFile(desk.document, "mine.csv");
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(taken);
        QVERIFY(QFileInfo(QString::fromStdString(desk.document.plan().schedule.substr(1))).isAbsolute());
    }

    void whatIsWrongWithAFileIsSaidWithItsPlaceAndThePlanStays_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no action") << QByteArray("0F0,0F1\n1F0,,1FX\n")
                                   << "'mine.csv' cannot be used as a schedule: row 2, column 3 (rank 1, step 2): "
                                      "Invalid action string: 1FX";
        QTest::newRow("twice") << QByteArray("0F0,0F1,0F0\n,1F0,1F1\n")
                               << "row 1, column 3 (rank 0, step 2): 0F0 appears twice";
        QTest::newRow("missing") << QByteArray("0F0,0F1\n,1F0\n")
                                 << "Got 1 FORWARD microbatches for stage 1, expected 2";
        QTest::newRow("empty") << QByteArray(" \n") << "the schedule is empty: it needs a line per rank";
        QTest::newRow("no text") << QByteArray("PK\x03\x04\x00,", 6) << "row 1, column 1";
    }

    void whatIsWrongWithAFileIsSaidWithItsPlaceAndThePlanStays()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, said);
        ScheduleFileDesk desk;
        const Status taken = takeScheduleFile(desk.document, desk.write("mine.csv", text));
        QVERIFY(!taken);
        const QString message = QString::fromStdString(taken.error().message);
        QVERIFY2(message.contains(said), qPrintable(message));
        QCOMPARE(desk.document.plan().schedule, std::string("gpipe"));
        QVERIFY(!desk.document.undoStack().canUndo());
    }

    /// Which would take seconds, in which the window stands still.
    void aLargeFileIsLeftToTheEngine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isChecked");
        const auto cells = [](qint64 count) { return QByteArray(count - 2, ',') + ",junk"; };
        QTest::newRow("as many cells as are checked") << cells(MostCheckedCells) << true;
        QTest::newRow("a cell more") << cells(MostCheckedCells + 1) << false;
        QTest::newRow("few cells of many bytes") << QByteArray(MostCheckedBytes, ' ') + "junk" << false;
    }

    void aLargeFileIsLeftToTheEngine()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const bool, isChecked);
        ScheduleFileDesk desk;
        const QString file = desk.write("mine.csv", text);
        QCOMPARE(bool(takeScheduleFile(desk.document, file)), !isChecked);
        QCOMPARE(desk.document.plan().schedule, isChecked ? "gpipe" : "@" + file.toStdString());
    }

    void aFileTooLargeForAScheduleIsRefusedAtOnce()
    {
        ScheduleFileDesk desk;
        QFile file(desk.write("mine.csv", {}));
        QVERIFY(file.resize((64 << 20) + 1)); // without a byte on the disk
        const Status taken = takeScheduleFile(desk.document, file.fileName());
        QVERIFY(!taken);
        QVERIFY2(QString::fromStdString(taken.error().message).contains(file.fileName()),
                 taken.error().message.c_str());
        QCOMPARE(desk.document.plan().schedule, std::string("gpipe"));
    }

    void aFileOnTheEnginesMachineIsNotLookedForHere()
    {
        ScheduleFileDesk desk;
        const Status relative = takeScheduleFileThere(desk.document, "mine.csv");
        QVERIFY(!relative);
        QVERIFY2(relative.error().message.find("absolute") != std::string::npos, relative.error().message.c_str());
        QCOMPARE(desk.document.plan().schedule, std::string("gpipe"));
        QVERIFY(takeScheduleFileThere(desk.document, "/nowhere/here/mine.csv"));
        QCOMPARE(desk.document.plan().schedule, std::string("@/nowhere/here/mine.csv"));
    }

    void aFileThatCannotBeReadIsNamed()
    {
        ScheduleFileDesk desk;
        for (const QString &path : {desk.folder.filePath("none.csv"), desk.folder.path(), QString("/dev/zero")}) {
            const Status taken = takeScheduleFile(desk.document, path);
            QVERIFY(!taken);
            QVERIFY2(QString::fromStdString(taken.error().message).contains(path), taken.error().message.c_str());
        }
        QCOMPARE(desk.document.plan().schedule, std::string("gpipe"));
    }
};

PIPESCOPE_TEST(TestScheduleFile)
#include "tst_schedule_file.moc"

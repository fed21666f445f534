#include "session/autosave.h"

#include "session/recovery.h"
#include "support/full_disk.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::session;
using namespace std::chrono_literals;

namespace {

void split(Document &document, const std::string &at)
{
    document.edit("Split", [&at](plan::Plan &plan) { plan.splits = {at}; });
}

void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class TestAutosave : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aChangedPlanIsKeptSoonAndGoneOnceSaved()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        Autosave autosave(document, folder.filePath("recovery"), 1ms);
        split(document, "layers.1");
        QTRY_VERIFY(QFile::exists(autosave.file()));
        const Result<RecoveredPlan> kept = readRecovery(autosave.file());
        QVERIFY(kept);
        QVERIFY(kept->plan == document.plan());
        QCOMPARE(kept->planPath, QString());
        QVERIFY(document.saveAs(folder.filePath("plan.json")));
        QVERIFY(!QFile::exists(autosave.file()));
    }

    /// A copy may have failed, as on a full disk, or been removed by someone who cleans up.
    void whatIsLeftHasACopyWhateverBecameOfTheLast()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        QString file;
        {
            Autosave autosave(document, folder.filePath("recovery"), 1ms);
            file = autosave.file();
            split(document, "layers.1");
            QTRY_VERIFY(QFile::exists(file));
            QVERIFY(QFile::remove(file));
            autosave.leave();
        }
        QVERIFY(QFile::exists(file));
        QVERIFY(readRecovery(file)->plan == document.plan());
    }

    void aDelayOfAnySizeIsATime()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        Autosave autosave(document, folder.filePath("recovery"), std::chrono::seconds(std::numeric_limits<int>::max()));
        split(document, "layers.1");
        QCoreApplication::processEvents();
        QVERIFY(!QFile::exists(autosave.file()));
        autosave.setDelay(-5s);
        split(document, "layers.2");
        QTRY_VERIFY(QFile::exists(autosave.file()));
    }

    void theUsersOwnFileIsNeverWritten()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        QVERIFY(document.saveAs(folder.filePath("plan.json")));
        QFile own(folder.filePath("plan.json"));
        QVERIFY(own.open(QIODevice::ReadOnly));
        const QByteArray before = own.readAll();
        Autosave autosave(document, folder.filePath("recovery"), 1ms);
        split(document, "layers.1");
        autosave.flush();
        QCOMPARE(readRecovery(autosave.file())->planPath, folder.filePath("plan.json"));
        own.seek(0);
        QCOMPARE(own.readAll(), before);
    }

    void undoingAllChangesLeavesNothingToRecover()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        Autosave autosave(document, folder.path(), 1h);
        split(document, "layers.1");
        autosave.flush();
        QVERIFY(QFile::exists(autosave.file()));
        document.undoStack().undo();
        QVERIFY(!QFile::exists(autosave.file()));
    }

    void twoWindowsKeepTheirOwnAndNeitherTakesTheOthersForLeftBehind()
    {
        const QTemporaryDir folder;
        Document first;
        Document second;
        first.newFor("/models/first.pt");
        second.newFor("/models/second.pt");
        Autosave ofFirst(first, folder.path(), 1h);
        Autosave ofSecond(second, folder.path(), 1h);
        split(first, "a");
        split(second, "b");
        ofFirst.flush();
        ofSecond.flush();
        QVERIFY(ofFirst.file() != ofSecond.file());
        QVERIFY(findLeftBehind(folder.path()).empty());
    }

    void whatAWindowLeftBehindIsFoundOnceAndGoesWhenDiscarded()
    {
        const QTemporaryDir folder;
        plan::Plan plan;
        plan.model = "/models/decoder.pt";
        plan.splits = {"layers.1"};
        const RecoveredPlan left{plan, "/plans/mine.json", QDateTime::currentDateTimeUtc()};
        QVERIFY(writeRecovery(folder.filePath("dead.json"), left));
        const std::vector<LeftBehind> found = findLeftBehind(folder.path());
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(found[0].recovered.plan == plan);
        QCOMPARE(found[0].recovered.planPath, QString("/plans/mine.json"));
        QVERIFY(findLeftBehind(folder.path()).empty()); // another window starting at the same time
        found[0].discard();
        QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
    }

    void aFileThatCannotBeReadIsSetAsideAndTold_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray("\x00\xff{{{", 5);
        QTest::newRow("another version") << QByteArray("{\"pipescopeRecovery\": 9, \"plan\": \"{}\"}");
        QTest::newRow("no plan") << QByteArray("{\"pipescopeRecovery\": 1, \"plan\": 3}");
        QTest::newRow("a bad plan") << QByteArray("{\"pipescopeRecovery\": 1, \"plan\": \"{}\"}");
        QTest::newRow("deep") << QByteArray(100000, '[');
    }
    void aFileThatCannotBeReadIsSetAsideAndTold()
    {
        QFETCH(QByteArray, bytes);
        const QTemporaryDir folder;
        writeFile(folder.filePath("bad.json"), bytes);
        QStringList problems;
        QVERIFY(findLeftBehind(folder.path(), &problems).empty());
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems[0].contains("bad.json"), qPrintable(problems[0]));
        QVERIFY(QFile::exists(folder.filePath("bad.json.unreadable")));
        problems.clear();
        QVERIFY(findLeftBehind(folder.path(), &problems).empty());
        QVERIFY(problems.isEmpty());
    }

    void onAFullDiskTheCopyBeforeStays()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        Autosave autosave(document, folder.path(), 1h);
        const QSignalSpy failed(&autosave, &Autosave::failed);
        split(document, "a");
        autosave.flush();
        split(document, "b");
        {
            const tests::FullDisk full;
            autosave.flush();
        }
        QCOMPARE(failed.size(), 1);
        QCOMPARE(readRecovery(autosave.file())->plan.splits, std::vector<std::string>{"a"});
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2); // and its lock
        split(document, "c");
        autosave.flush();
        QCOMPARE(readRecovery(autosave.file())->plan.splits, std::vector<std::string>{"c"});
    }

    void aCopyWithoutALockGoesToo()
    {
        const QTemporaryDir folder;
        Document document;
        document.newFor("/models/decoder.pt");
        Autosave autosave(document, folder.path(), 1h);
        QVERIFY(QDir(folder.path()).mkdir(QFileInfo(autosave.file()).fileName() + ".lock")); // in its way
        split(document, "a");
        autosave.flush();
        QVERIFY(QFile::exists(autosave.file()));
        document.undoStack().undo();
        QVERIFY(!QFile::exists(autosave.file()));
    }

    void aFolderThatCannotBeWrittenIsToldOnce()
    {
        const QTemporaryDir folder;
        writeFile(folder.filePath("file"), "no folder");
        Document document;
        document.newFor("/models/decoder.pt");
        Autosave autosave(document, folder.filePath("file"), 1h);
        const QSignalSpy failed(&autosave, &Autosave::failed);
        split(document, "a");
        autosave.flush();
        split(document, "b");
        autosave.flush();
        QCOMPARE(failed.size(), 1);
    }
};

PIPESCOPE_TEST(TestAutosave)
#include "tst_autosave.moc"

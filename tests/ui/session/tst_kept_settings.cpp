#include "session/engine_command.h"
#include "session/layout_store.h"
#include "session/recent_files.h"
#include "session/settings_copy.h"
#include "support/full_disk.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

void writeSettings(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

/// Small things that are kept from one start to the next.
class TestKeptSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void recentFilesAreNewestFirstEachOnceAndTen()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        RecentFiles recent(settings);
        for (int i = 0; i < 12; ++i)
            recent.add(folder.filePath(QString::number(i)));
        recent.add(folder.filePath("5"));
        const auto files = recent.files();
        QCOMPARE(files.size(), std::size_t(RecentFiles::Most));
        QCOMPARE(files[0].name, QString("5"));
        QCOMPARE(files[1].name, QString("11"));
        recent.remove(files[0].path);
        QCOMPARE(recent.files()[0].name, QString("11"));
    }

    void filesOfAnotherWindowStay()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        RecentFiles recent(settings);
        recent.add("/mine");
        settings.sync();
        writeSettings(settings.fileName(), "[files]\nrecent=/theirs, /mine\n"); // which is another process
        recent.add("/mine too");
        const auto files = recent.files();
        QCOMPARE(files.size(), std::size_t(3));
        QCOMPARE(files[0].path, QString("/mine too"));
        QCOMPARE(files[1].path, QString("/theirs"));
    }

    void settingsThatAFullDiskEmptiedAreBackAtTheNextStart()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("settings.ini");
        writeSettings(path, "[trust]\nfolders=/models\n");
        keepCopyOfSettings(path);
        writeSettings(path, "");
        keepCopyOfSettings(path);
        QCOMPARE(QSettings(path, QSettings::IniFormat).value("trust/folders").toString(), QString("/models"));
        QVERIFY(QFile::remove(path)); // by the user, say
        keepCopyOfSettings(path);
        QVERIFY(!QFile::exists(path));
        writeSettings(path, "[trust]\nfolders=/others\n");
        {
            const tests::FullDisk full;
            keepCopyOfSettings(path);
        }
        writeSettings(path, "");
        keepCopyOfSettings(path);
        QCOMPARE(QSettings(path, QSettings::IniFormat).value("trust/folders").toString(), QString("/models"));
    }

    void aRecentFileThatIsGoneSaysSo()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        RecentFiles recent(settings);
        QFile here(folder.filePath("here.pt"));
        QVERIFY(here.open(QIODevice::WriteOnly));
        recent.add(here.fileName());
        recent.add(folder.filePath("gone.pt"));
        recent.add(folder.path());
        QCOMPARE(recent.files()[2].whyNot, QString());
        QCOMPARE(recent.files()[2].folder, folder.path());
        QCOMPARE(recent.files()[1].whyNot, QString("It is no longer there."));
        QCOMPARE(recent.files()[0].whyNot, QString("It is no file."));
        recent.add(QDir::homePath() + "/models/a.pt");
        QCOMPARE(recent.files()[0].folder, QString("~/models"));
    }

    void whereAnEnginesFilesAreIsSettledWhenItIsMade()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        settings.setValue(EngineCommandKey, "  ");
        const auto here = makeEngineLink(settings);
        settings.setValue(EngineCommandKey, "ssh \"my host\" pipescope-cli serve");
        QCOMPARE(here->elsewhere(), QString());
        QVERIFY2(here->command().endsWith("pipescope-cli serve"), qPrintable(here->command()));
        const auto there = makeEngineLink(settings);
        settings.remove(EngineCommandKey);
        QCOMPARE(there->elsewhere(), QString("ssh \"my host\" pipescope-cli serve"));
    }

    void aRecentFileMayBeOnTheEnginesMachine()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        RecentFiles recent(settings);
        recent.add("/nowhere/on/this/machine.pt");
        QVERIFY(!recent.files().front().whyNot.isEmpty());
        QVERIFY(recent.files("ssh host pipescope-cli serve").front().whyNot.isEmpty());
    }

    void layoutsAreKeptByPerspectiveAndByName()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        LayoutStore store(settings);
        QVERIFY(store.perspective("Split").isEmpty());
        store.keepPerspective("Split", "docks");
        QCOMPARE(store.perspective("Split"), QByteArray("docks"));
        QVERIFY(store.perspective("Timeline").isEmpty());
        store.forgetPerspective("Split");
        QVERIFY(store.perspective("Split").isEmpty());

        const NamedLayout wide{"Timeline", "wide"};
        store.keepNamed("wide / \u00fc", wide);
        store.keepNamed("a", {"Split", "a"});
        store.keepNamed("   ", wide);
        QCOMPARE(store.names(), QStringList({"a", "wide / \u00fc"}));
        QCOMPARE(store.named("wide / \u00fc"), wide);
        store.forgetNamed("a");
        QCOMPARE(store.names(), QStringList({"wide / \u00fc"}));
        QVERIFY(store.named("a").state.isEmpty());
    }

    void theEnginesCommandIsReadAsAShellReadsItsQuotes()
    {
        QCOMPARE(engineCommand(QString("ssh \"my host\" pipescope-cli serve")),
                 QStringList({"ssh", "my host", "pipescope-cli", "serve"}));
        const QStringList own = engineCommand(QString("  "));
        QVERIFY(own[0].endsWith("/pipescope-cli"));
        QCOMPARE(own[1], QString("serve"));
    }
};

PIPESCOPE_TEST(TestKeptSettings)
#include "tst_kept_settings.moc"

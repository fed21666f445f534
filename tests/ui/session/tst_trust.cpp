#include "session/trust.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using pipescope::session::Trust;

class TestTrust : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void nothingIsTrustedAtFirst()
    {
        QSettings settings(file("none.ini"), QSettings::IniFormat);
        QVERIFY(!Trust(settings).isTrusted("aa", file("model.pt")));
        QVERIFY(!Trust(settings).isTrusted("", ""));
    }

    void anAnswerIsKeptForTheFilesHash()
    {
        {
            QSettings settings(file("kept.ini"), QSettings::IniFormat);
            Trust(settings).trust("aa");
            Trust(settings).trust("aa");
        }
        QSettings settings(file("kept.ini"), QSettings::IniFormat);
        QVERIFY(Trust(settings).isTrusted("aa", "/anywhere/model.pt"));
        QVERIFY(!Trust(settings).isTrusted("ab", "/anywhere/model.pt"));
        QCOMPARE(settings.value("trust/hashes").toStringList().size(), 1);
    }

    void anUnknownHashIsNeverTrusted()
    {
        QSettings settings(file("empty.ini"), QSettings::IniFormat);
        Trust(settings).trust("");
        QVERIFY(!Trust(settings).isTrusted("", "/anywhere/model.pt"));
    }

    void whatAnEngineElsewhereSaysOfAFileIsBelievedOfFilesThereOnly()
    {
        QSettings settings(file("there.ini"), QSettings::IniFormat);
        Trust trust(settings);
        trust.trust("aa", "ssh host");
        QVERIFY(trust.isTrusted("aa", "/m.pt", "ssh host"));
        QVERIFY(!trust.isTrusted("aa", "/m.pt"));
        QVERIFY(!trust.isTrusted("aa", "/m.pt", "ssh other"));
        trust.trust("", "ssh host");
        QVERIFY(!trust.isTrusted("", "/m.pt", "ssh host"));
        trust.trust("bb");
        QVERIFY(trust.isTrusted("bb", "/m.pt", "ssh host"));
        QVERIFY(QDir(m_folder.path()).mkpath("of here") && QFile(file("of here/a.pt")).open(QIODevice::WriteOnly));
        trust.trustFolder(file("of here"));
        QVERIFY(trust.isTrusted("cc", file("of here/a.pt")));
        QVERIFY(!trust.isTrusted("cc", file("of here/a.pt"), "ssh host"));
    }

    void ofManyHashesTheOldestAreAskedAboutAgain()
    {
        QSettings settings(file("many.ini"), QSettings::IniFormat);
        Trust trust(settings);
        QStringList many;
        for (qsizetype i = 0; i < Trust::MostHashes; ++i)
            many << QString::number(i);
        trust.trust(many);
        QVERIFY(trust.isTrusted("0", {}) && trust.isTrusted("1", {}));
        trust.trust("0"); // which makes it the newest
        trust.trust("one more");
        QVERIFY(trust.isTrusted("0", {}) && trust.isTrusted("one more", {}) && trust.isTrusted("2", {}));
        QVERIFY(!trust.isTrusted("1", {}));
        QCOMPARE(settings.value("trust/hashes").toStringList().size(), Trust::MostHashes);
    }

    void whatIsTrustedForNowIsForgottenWithIt()
    {
        QSettings settings(file("now.ini"), QSettings::IniFormat);
        Trust trust(settings);
        trust.trustForNow({"aa"});
        QVERIFY(trust.isTrusted("aa", {}) && !trust.isTrusted("bb", {}));
        QVERIFY(!Trust(settings).isTrusted("aa", {}));
        QVERIFY(settings.allKeys().isEmpty());
    }

    void aTrustedFolderIsWhatIsReallyBelowIt()
    {
        QVERIFY(QDir(m_folder.path()).mkpath("mine/deep") && QDir(m_folder.path()).mkpath("mine too"));
        for (const char *name : {"mine/deep/a.pt", "b.pt", "mine too/c.pt"})
            QVERIFY(QFile(file(name)).open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(file("b.pt"), file("mine/link.pt")));
        QSettings settings(file("folders.ini"), QSettings::IniFormat);
        Trust trust(settings);
        trust.trustFolder(file("mine"));
        QVERIFY(trust.isTrusted("", file("mine/deep/a.pt")));
        QVERIFY(!trust.isTrusted("", file("mine/../b.pt")));
        QVERIFY(!trust.isTrusted("", file("mine/link.pt")));
        QVERIFY(!trust.isTrusted("", file("mine too/c.pt")));
        QVERIFY(!trust.isTrusted("", file("mine/nowhere.pt")));
    }

    void aFolderThatAnotherWindowNoLongerTrustsIsNotTrustedHereNorComesBack()
    {
        QVERIFY(QDir(m_folder.path()).mkpath("theirs"));
        QVERIFY(QFile(file("theirs/a.pt")).open(QIODevice::WriteOnly));
        QSettings settings(file("two.ini"), QSettings::IniFormat);
        Trust trust(settings);
        trust.trustFolder(file("theirs"));
        QVERIFY(trust.isTrusted("", file("theirs/a.pt")));
        QFile other(settings.fileName()); // as the other process writes it
        QVERIFY(other.open(QIODevice::WriteOnly | QIODevice::Truncate));
        other.write("[trust]\nhashes=bb\n");
        other.close();
        QVERIFY(!trust.isTrusted("", file("theirs/a.pt")));
        trust.trust("aa");
        settings.sync();
        QVERIFY(trust.folders().isEmpty());
        QCOMPARE(settings.value("trust/hashes").toStringList(), (QStringList{"bb", "aa"}));
    }

    void settingsThatAreGarbageTrustNothing()
    {
        QVERIFY(QFile(file("some.pt")).open(QIODevice::WriteOnly));
        QSettings settings(file("garbage.ini"), QSettings::IniFormat);
        for (const QVariant &garbage : {QVariant(""), QVariant(QStringList{"", "relative", "."}), QVariant(7)}) {
            settings.setValue("trust/folders", garbage);
            settings.setValue("trust/hashes", garbage);
            QVERIFY(!Trust(settings).isTrusted("", file("some.pt")));
            QVERIFY(!Trust(settings).isTrusted("aa", file("some.pt")));
        }
    }

private:
    QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestTrust)
#include "tst_trust.moc"

#include "output_path.h"

#include "support/as_other_user.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using app::checkOutputFiles;
using app::checkOutputFolder;

class TestOutputPath : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    static std::string messageOf(const Status &status) { return status ? std::string() : status.error().message; }

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QFile file(m_folder.filePath("model.pt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(QDir(m_folder.path()).mkdir("folder"));
    }

    void aNewFileInAFolderThatExistsIsFine()
    {
        QVERIFY(checkOutputFiles({{"--trace", path("t.json")}, {"--save-plan", path("p.json")}}, {path("model.pt")}));
        QVERIFY(checkOutputFiles({{"--trace", ""}, {"--save-plan", ""}}, {}));
        QVERIFY(!QFile::exists(m_folder.filePath("t.json")));
    }

    void aMissingFolderIsNamed()
    {
        const Status status = checkOutputFiles({{"--trace", path("missing/t.json")}}, {});
        QVERIFY(!status);
        QVERIFY(status.error().code == ErrorCode::WriteFailed);
        QCOMPARE(status.error().where, std::string("--trace"));
        QCOMPARE(status.error().message,
                 "cannot write '" + path("missing/t.json") + "': the folder '" + path("missing") + "' does not exist");
    }

    void foldersAndTheModelAreNotOverwritten()
    {
        QCOMPARE(messageOf(checkOutputFiles({{"--trace", path("folder")}}, {})),
                 "cannot write '" + path("folder") + "': it is a folder");
        QCOMPARE(messageOf(checkOutputFiles({{"--trace", path("folder/../model.pt")}}, {path("model.pt")})),
                 "cannot write '" + path("folder/../model.pt") + "': it is the file that is read");
        QCOMPARE(messageOf(checkOutputFiles({{"--trace", path("model.pt/t.json")}}, {})),
                 "cannot write '" + path("model.pt/t.json") + "': '" + path("model.pt") + "' is not a folder");
    }

    void twoOutputsInOneFileAreRefused()
    {
        QCOMPARE(
            messageOf(checkOutputFiles({{"--trace", path("x.json")}, {"--save-plan", path("folder/../x.json")}}, {})),
            "cannot write '" + path("folder/../x.json") + "': --trace goes to the same file");
    }

    void twoOutputsInOneFileAreRefusedWhereALinkLeadsToWhatIsNotThereYet()
    {
        QVERIFY(QFile::link("later.json", m_folder.filePath("link.json")));
        QVERIFY(QFile::link(m_folder.filePath("link.json"), m_folder.filePath("folder/chain.json")));
        for (const char *link : {"link.json", "folder/chain.json"}) {
            QCOMPARE(messageOf(checkOutputFiles({{"--trace", path("later.json")}, {"--save-plan", path(link)}}, {})),
                     "cannot write '" + path(link) + "': --trace goes to the same file");
            QCOMPARE(messageOf(checkOutputFiles({{"--trace", path(link)}, {"--save-plan", path("later.json")}}, {})),
                     "cannot write '" + path("later.json") + "': --trace goes to the same file");
        }
        QVERIFY(checkOutputFiles({{"--trace", path("other.json")}, {"--save-plan", path("link.json")}}, {}));
    }

    void aFolderMayBeMadeBelowOneThatExists()
    {
        QVERIFY(checkOutputFolder({"--out", path("folder")}, {}));
        QVERIFY(checkOutputFolder({"--out", path("folder/a/b/c")}, {}));
        QCOMPARE(messageOf(checkOutputFolder({"--out", path("model.pt")}, {})),
                 "cannot write '" + path("model.pt") + "': '" + path("model.pt") + "' is not a folder");
        QCOMPARE(messageOf(checkOutputFolder({"--out", path("model.pt/a/b")}, {})),
                 "cannot write '" + path("model.pt/a/b") + "': '" + path("model.pt") + "' is not a folder");
    }

    void aFolderWithoutPermissionIsRefused()
    {
        const tests::AsOtherUser other(m_folder.path().toStdString());
        QVERIFY(QDir(m_folder.path()).mkdir("closed"));
        QVERIFY(QFile::setPermissions(m_folder.filePath("closed"), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        QVERIFY(!checkOutputFiles({{"--trace", path("closed/t.json")}}, {}));
        QVERIFY(!checkOutputFolder({"--out", path("closed/new")}, {}));
        QFile::setPermissions(m_folder.filePath("closed"),
                              QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }
};

PIPESCOPE_TEST(TestOutputPath)
#include "tst_output_path.moc"

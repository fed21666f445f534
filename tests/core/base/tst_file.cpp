#include "base/file.h"

#include "base/commit.h"
#include "support/as_other_user.h"
#include "support/failing_calls.h"
#include "support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace pipescope;

namespace {

std::string errorOf(const Result<std::string> &result)
{
    return result ? "no error" : result.error().message;
}

} // namespace

class TestFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        tests::calls = {};
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void bytesGoThereAndBack()
    {
        const std::string bytes("a\0b\r\n\xff", 6);
        QVERIFY(bool(writeFile(path("file"), bytes)));
        QCOMPARE(*readFile(path("file"), 6), bytes);
        QVERIFY(bool(writeFile(path("file"), "")));
        QCOMPARE(*readFile(path("file"), 0), std::string());
        const std::string large(200'000, 'x'); // more than one buffer
        QVERIFY(bool(writeFile(path("file"), large)));
        QVERIFY(*readFile(path("file"), large.size()) == large);
    }

    void aFileThatHidesItsLengthIsReadNoFurtherThanTheLimit()
    {
        const auto result = readFile("/proc/self/status", 4); // its size is told as 0
        QCOMPARE(errorOf(result),
                 std::string("cannot read '/proc/self/status': it is longer than the 4 bytes such a file "
                             "may have"));
    }

    void aFileLongerThanTheLimitIsRefused()
    {
        QVERIFY(bool(writeFile(path("file"), "12345")));
        const auto result = readFile(path("file"), 4);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::InvalidFile);
        QCOMPARE(errorOf(result),
                 "cannot read '" + path("file").string() + "': it is longer than the 4 bytes such a file may have");
        QVERIFY(!readFile("/dev/zero", 4));
    }

    void whatIsNoFileIsNamed()
    {
        for (const auto &result : {readFile(path("none"), 9), fileSha256(path("none"))}) {
            QCOMPARE(errorOf(result), "there is no file '" + path("none").string() + "'");
            QCOMPARE(result.error().code, ErrorCode::NotFound);
            QCOMPARE(result.error().where, path("none").string());
        }
        for (const auto &result : {readFile(path(""), 9), fileSha256(path(""))}) {
            QCOMPARE(errorOf(result), "cannot read '" + path("").string() + "': it is a folder");
            QCOMPARE(result.error().code, ErrorCode::InvalidFile);
        }
        QCOMPARE(errorOf(fileSha256("/dev/null")), std::string("cannot read '/dev/null': it is not a regular file"));
    }

    void aFileIsReplacedAndNothingElseIsLeft()
    {
        QVERIFY(bool(writeFile(path("file"), "a longer text")));
        QVERIFY(bool(writeFile(path("file"), "new")));
        QCOMPARE(*readFile(path("file"), 99), std::string("new"));
        QCOMPARE(entries(), QStringList{"file"});
    }

    void aWriteThatFailsNamesThePathAndTheReason()
    {
        const auto nowhere = writeFile(path("no folder/file"), "x");
        QVERIFY(!nowhere);
        QCOMPARE(nowhere.error().code, ErrorCode::WriteFailed);
        QCOMPARE(nowhere.error().where, path("no folder/file").string());
        QCOMPARE(nowhere.error().message,
                 "cannot write '" + path("no folder/file").string() + "': No such file or directory");
        QVERIFY(QDir(m_folder->path()).mkdir("taken"));
        const auto taken = writeFile(path("taken"), "x");
        QVERIFY(!taken);
        QCOMPARE(taken.error().message, "cannot write '" + path("taken").string() + "': it is not a regular file");
        QCOMPARE(entries(), QStringList{"taken"});
        QVERIFY(!writeFile("/dev/null", "x"));
    }

    void aLinkKeepsLeadingToTheFile()
    {
        std::filesystem::create_symlink("file", path("link"));
        QVERIFY(bool(writeFile(path("link"), "new"))); // the file is not there yet
        QVERIFY(std::filesystem::is_symlink(path("link")));
        QCOMPARE(*readFile(path("file"), 9), std::string("new"));
        QCOMPARE(*readFile(path("link"), 9), std::string("new"));
    }

    void pathsTheSystemRefusesGiveItsReason()
    {
        std::filesystem::create_symlink("circle", path("circle"));
        const Status circle = checkReadable(path("circle"));
        QVERIFY(!circle);
        QCOMPARE(circle.error().code, ErrorCode::InvalidFile);
        QCOMPARE(circle.error().message,
                 "cannot read '" + path("circle").string() + "': Too many levels of symbolic links");
        const Status longName = checkReadable(path(std::string(300, 'x').c_str()));
        QVERIFY(!longName);
        QVERIFY2(longName.error().message.ends_with("': File name too long"), longName.error().message.c_str());
    }

    void aProducerThatFailsLeavesTheOldFile()
    {
        QVERIFY(bool(writeFile(path("file"), "old")));
        const Error full{ErrorCode::WriteFailed, "the disk is full", {}, {}};
        std::filesystem::path given;
        const auto result = writeFileVia(path("file"), [&](const std::filesystem::path &temporary) -> Status {
            given = temporary;
            const Status half = writeFile(temporary, "half");
            return half ? Status(full) : half;
        });
        QVERIFY(!result);
        QCOMPARE(result.error(), full);
        QVERIFY(given != path("file") && given.parent_path() == path("file").parent_path());
        QCOMPARE(*readFile(path("file"), 9), std::string("old"));
        QCOMPARE(entries(), QStringList{"file"});
    }

    /// Else a machine that stops has an empty file where the old one was.
    void whatIsWrittenIsOnTheDiskBeforeItTakesTheOldOnesPlace()
    {
        QVERIFY(bool(writeFile(path("file"), "new")));
        const auto &synced = tests::calls.synced;
        QCOMPARE(synced.size(), std::size_t(2));
        QVERIFY2(QString::fromStdString(synced[0]).endsWith(".part"), synced[0].c_str());
        QCOMPARE(QString::fromStdString(synced[1]), m_folder->path());
    }

    void aFileSystemWithoutSyncIsWrittenToAllTheSame()
    {
        for (const int error : {EINVAL, ENOSYS, ENOTSUP}) {
            tests::calls.fsyncFails = error;
            QVERIFY(bool(writeFile(path("file"), "new")));
        }
        QCOMPARE(*readFile(path("file"), 9), std::string("new"));
    }

    void aFileThatOnlyItsOwnerMayReadStaysSo()
    {
        using std::filesystem::perms;
        QVERIFY(bool(writeFile(path("file"), "old")));
        std::filesystem::permissions(path("file"), perms::owner_read | perms::owner_write);
        QVERIFY(bool(writeFile(path("file"), "new")));
        QCOMPARE(std::filesystem::status(path("file")).permissions(), perms::owner_read | perms::owner_write);
        QCOMPARE(*readFile(path("file"), 9), std::string("new"));
    }

    void nobodyElseMayReadItWhileItIsWritten()
    {
        using std::filesystem::perms;
        const perms own = perms::owner_read | perms::owner_write;
        const auto writtenAs = [this](perms old) {
            std::filesystem::permissions(path("file"), old);
            perms meanwhile = perms::unknown;
            const Status done = writeFileVia(path("file"), [&](const std::filesystem::path &temporary) -> Status {
                meanwhile = std::filesystem::status(temporary).permissions();
                return writeFile(temporary, "new");
            });
            return done ? meanwhile : perms::unknown;
        };
        QVERIFY(bool(writeFile(path("file"), "old")));
        QCOMPARE(writtenAs(own), own);
        QCOMPARE(writtenAs(perms::owner_read), own); // it is to be written to
        QCOMPARE(std::filesystem::status(path("file")).permissions(), perms::owner_read);
        QCOMPARE(writtenAs(own | perms::set_uid), own);
        QCOMPARE(std::filesystem::status(path("file")).permissions(), own);
        QCOMPARE(*readFile(path("file"), 9), std::string("new"));
        QCOMPARE(entries(), QStringList{"file"});
    }

    /// Such a file is read back while it is written, to be on the disk.
    void aFileThatItsOwnerMayNotReadIsReplaced_data()
    {
        QTest::addColumn<int>("permissions");
        QTest::newRow("to be written only") << 0200;
        QTest::newRow("for others only") << 0044;
        QTest::newRow("for nobody") << 0;
    }

    void aFileThatItsOwnerMayNotReadIsReplaced()
    {
        QFETCH(int, permissions);
        const tests::AsOtherUser otherUser(m_folder->path().toStdString());
        const auto old = static_cast<std::filesystem::perms>(permissions);
        QVERIFY(bool(writeFile(path("file"), "old")));
        std::filesystem::permissions(path("file"), old);
        const Status done = writeFile(path("file"), "new");
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        QCOMPARE(std::filesystem::status(path("file")).permissions(), old);
        std::filesystem::permissions(path("file"), std::filesystem::perms::owner_read);
        QCOMPARE(*readFile(path("file"), 9), std::string("new"));
        QCOMPARE(entries(), QStringList{"file"});
    }

    void nobodyEndsTheProcessBetweenTheBytesAndTheName()
    {
        bool isHeld = false;
        tests::calls.whenFsync = [&isHeld] { isHeld = !unlessCommitting({}, [] {}); };
        QVERIFY(bool(writeFile(path("file"), "new")));
        QVERIFY(isHeld);
    }

    void whatDoesNotReachTheDiskLeavesTheOldFile()
    {
        QVERIFY(bool(writeFile(path("file"), "old")));
        tests::calls.fsyncFails = ENOSPC;
        const Status full = writeFile(path("file"), "new");
        QVERIFY(!full);
        QCOMPARE(full.error().code, ErrorCode::WriteFailed);
        QCOMPARE(full.error().message, "cannot write '" + path("file").string() + "': No space left on device");
        QCOMPARE(*readFile(path("file"), 9), std::string("old"));
        QCOMPARE(entries(), QStringList{"file"});
    }

    void hashingStopsWhenAsked()
    {
        QVERIFY(bool(writeFile(path("file"), "abc")));
        std::stop_source source;
        QVERIFY(fileSha256(path("file"), source.get_token()));
        source.request_stop();
        const auto stopped = fileSha256(path("file"), source.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void sha256IsThatOfFips180()
    {
        QVERIFY(bool(writeFile(path("file"), "abc")));
        QCOMPARE(*fileSha256(path("file")),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QVERIFY(bool(writeFile(path("file"), "")));
        QCOMPARE(*fileSha256(path("file")),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QVERIFY(bool(writeFile(path("file"), std::string(1'000'000, 'a'))));
        QCOMPARE(*fileSha256(path("file")),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

private:
    std::filesystem::path path(const char *name) const { return m_folder->filePath(name).toStdString(); }
    QStringList entries() const { return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

PIPESCOPE_TEST(TestFile)
#include "tst_file.moc"

#include "exec/file_batch.h"

#include "base/commit.h"
#include "base/file.h"
#include "support/failing_calls.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace pipescope;
using namespace pipescope::exec;

namespace {

std::function<Status(std::ostream &)> text(const std::string &content)
{
    return [content](std::ostream &out) -> Status {
        out << content;
        return Success{};
    };
}

std::vector<std::string> entries(const std::filesystem::path &folder)
{
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

/// Of a process that was.
pid_t gonePid()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
}

} // namespace

class TestFileBatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filesAppearTogether()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.filePath("a/b").toStdString();
        auto batch = FileBatch::open(folder);
        QVERIFY(batch);
        QVERIFY(batch->write("one", text("1")));
        QVERIFY(batch->write("two", text("2")));
        QVERIFY(!std::filesystem::exists(folder / "one"));
        QVERIFY(batch->commit());
        {
            const FileBatch done = std::move(*batch);
        }
        QCOMPARE(entries(folder), (std::vector<std::string>{"one", "two"}));
        QCOMPARE(*readFile(folder / "two", 10), std::string("2"));
    }

    void filesThatDoNotReachTheDiskReplaceNone()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.path().toStdString();
        QVERIFY(writeFile(folder / "one", "old"));
        {
            auto batch = FileBatch::open(folder);
            QVERIFY(batch);
            QVERIFY(batch->write("one", text("new")));
            tests::calls.fsyncFails = ENOSPC;
            const Status full = batch->commit();
            tests::calls = {};
            QVERIFY(!full);
            QCOMPARE(full.error().message, "cannot write '" + (folder / "one").string() + "': No space left on device");
        }
        QCOMPARE(*readFile(folder / "one", 10), std::string("old"));
        QCOMPARE(entries(folder), std::vector<std::string>{"one"});
    }

    void nobodyMayReadWhoMightNotReadWhatIsReplaced()
    {
        using std::filesystem::perms;
        QTemporaryDir root;
        const std::filesystem::path folder = root.path().toStdString();
        QVERIFY(writeFile(folder / "one", "old"));
        const perms own = perms::owner_read | perms::owner_write;
        std::filesystem::permissions(folder / "one", own);
        auto batch = FileBatch::open(folder);
        QVERIFY(batch);
        const std::filesystem::path temporary = folder / (".writing-" + processName());
        QCOMPARE(std::filesystem::status(temporary).permissions(), perms::owner_all);
        QVERIFY(batch->write("one", text("new")));
        QCOMPARE(std::filesystem::status(temporary / "one").permissions(), own);
        QVERIFY(batch->commit());
        QCOMPARE(std::filesystem::status(folder / "one").permissions(), own);
        QCOMPARE(*readFile(folder / "one", 10), std::string("new"));
    }

    void nobodyEndsTheProcessInTheMiddleOfACommit()
    {
        QTemporaryDir root;
        auto batch = FileBatch::open(root.path().toStdString());
        QVERIFY(batch);
        QVERIFY(batch->write("one", text("1")));
        QVERIFY(unlessCommitting({}, [] {})); // nor is it held up before
        bool isHeld = false;
        tests::calls.whenFsync = [&isHeld] { isHeld = !unlessCommitting({}, [] {}); };
        const Status committed = batch->commit();
        tests::calls = {};
        QVERIFY(committed && isHeld);
    }

    void whatAProcessThatIsNoMoreLeftIsRemoved()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.path().toStdString();
        const std::string gone = std::to_string(gonePid()) + processName().substr(processName().find('-'));
        std::filesystem::create_directory(folder / (".writing-" + gone));
        QVERIFY(writeFile(folder / (".writing-" + gone) / "stage0.pt", "half"));
        {
            const auto batch = FileBatch::open(folder);
            QVERIFY(batch);
        }
        QCOMPARE(entries(folder), std::vector<std::string>());
    }

    void withoutACommitNothingStays()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.filePath("new").toStdString();
        {
            auto batch = FileBatch::open(folder);
            QVERIFY(batch);
            QVERIFY(batch->write("one", text("1")));
        }
        QVERIFY(!std::filesystem::exists(folder));
    }

    void oldFilesOutliveAFailure()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.path().toStdString();
        QVERIFY(writeFile(folder / "one", "old"));
        {
            auto batch = FileBatch::open(folder);
            QVERIFY(batch);
            QVERIFY(batch->write("one", text("new")));
            const Status failed = batch->write("two", [](std::ostream &) -> Status {
                return Error{ErrorCode::Unsupported, "no", {}, {}};
            });
            QCOMPARE(failed.error().code, ErrorCode::Unsupported);
        }
        QCOMPARE(entries(folder), std::vector<std::string>{"one"});
        QCOMPARE(*readFile(folder / "one", 10), std::string("old"));
    }

    void aFileInTheWayIsNamed()
    {
        QTemporaryDir root;
        const std::filesystem::path file = root.filePath("file").toStdString();
        QVERIFY(writeFile(file, "x"));
        const auto batch = FileBatch::open(file / "sub");
        QVERIFY(!batch);
        QCOMPARE(batch.error().code, ErrorCode::WriteFailed);
        QCOMPARE(batch.error().message, "cannot write '" + (file / "sub").string() + "': Not a directory");
    }

    void aFolderInTheWayStopsTheCommit()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.path().toStdString();
        std::filesystem::create_directory(folder / "two");
        {
            auto batch = FileBatch::open(folder);
            QVERIFY(batch->write("one", text("1")));
            QVERIFY(batch->write("two", text("2")));
            const Status status = batch->commit();
            QVERIFY(!status);
            QVERIFY(status.error().message.ends_with("two': a folder of that name is in the way"));
        }
        QCOMPARE(entries(folder), std::vector<std::string>{"two"});
    }

    void aFullDiskIsAWriteFailure()
    {
        if (!std::filesystem::exists("/dev/full"))
            QSKIP("no /dev/full here");
        QTemporaryDir root;
        const std::filesystem::path folder = root.path().toStdString();
        auto batch = FileBatch::open(folder);
        QVERIFY(batch);
        std::filesystem::create_symlink("/dev/full", folder / (".writing-" + processName()) / "one");
        const Status status = batch->write("one", text(std::string(1 << 20, 'x')));
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::WriteFailed);
        QVERIFY(status.error().message.ends_with("No space left on device"));
    }
};

PIPESCOPE_TEST(TestFileBatch)
#include "tst_file_batch.moc"

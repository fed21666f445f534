#include "exec/locked_folder.h"

#include "base/file.h"
#include "support/failing_calls.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pipescope;
using namespace pipescope::exec;

namespace fs = std::filesystem;

class TestLockedFolder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itIsThisProcessesAndGoesWithIt()
    {
        const QTemporaryDir root;
        const fs::path parent = root.path().toStdString();
        {
            auto made = LockedFolder::make(parent);
            QVERIFY(made);
            QCOMPARE(made->path(), parent / (".writing-" + processName()));
            QCOMPARE(fs::status(made->path()).permissions(), fs::perms::owner_all);
            const auto second = LockedFolder::make(parent);
            QVERIFY(!second);
            QVERIFY2(second.error().message.ends_with("another process writes there; remove it if none does"),
                     second.error().message.c_str());
            LockedFolder moved = std::move(*made);
            QVERIFY(!made->remove() && fs::exists(moved.path()));
        }
        QVERIFY(fs::is_empty(parent));
        const fs::path stale = parent / (".writing-" + processName()); // of one that had this number
        fs::create_directory(stale);
        QVERIFY(writeFile(stale / "x", "x"));
        const auto made = LockedFolder::make(parent);
        QVERIFY(made && fs::is_empty(made->path()));
    }

    void whatMayBeLockedIsLeftWhereLocksAreNotTold()
    {
        const QTemporaryDir root;
        const fs::path folder = fs::path(root.path().toStdString()) / (".writing-" + processName());
        fs::create_directory(folder);
        QVERIFY(writeFile(folder / "x", "x"));
        tests::calls.flockFails = ENOLCK;
        const auto made = LockedFolder::make(folder.parent_path());
        tests::calls = {};
        QVERIFY(!made);
        QCOMPARE(made.error().message,
                 "cannot write '" + folder.string() + "': another process writes there; remove it if none does");
        QVERIFY(fs::exists(folder / "x"));
    }

    void onlyWhatADeadProcessOfThisHostLeftIsRemoved()
    {
        const QTemporaryDir root;
        const fs::path parent = root.path().toStdString();
        const std::string dead = std::to_string(gonePid());
        const std::string host = processName().substr(processName().find('-'));
        QVERIFY(writeFile(parent / (".writing-" + dead + host + ".txt"), "a file"));
        QVERIFY(writeFile(parent / "mine", "x"));
        fs::create_directory(parent / "elsewhere");
        QVERIFY(writeFile(parent / "elsewhere" / "stage0.pt", "x"));
        const std::vector<std::string> kept{".writing-" + dead,
                                            ".writing-" + dead + "-another-host",
                                            ".writing-0" + dead + host,
                                            ".writing-+" + dead + host,
                                            ".writing--" + dead + host,
                                            ".writing-" + host,
                                            ".writing-1" + host, // lives
                                            ".writing-99999999999999999999" + host,
                                            "x.writing-" + dead + host};
        for (const std::string &name : kept)
            fs::create_directory(parent / name);
        const fs::path left = parent / (".writing-" + dead + host);
        fs::create_directory_symlink("elsewhere", left); // which is no folder of ours
        removeLeftOver(parent);
        QVERIFY(fs::is_symlink(left) && fs::exists(parent / "elsewhere" / "stage0.pt"));
        fs::remove(left);
        fs::create_directory(left);
        fs::create_symlink(parent / "mine", left / "link");
        removeLeftOver(parent);
        QVERIFY(!fs::exists(fs::symlink_status(left)));
        QVERIFY(fs::exists(parent / "mine"));
        for (const std::string &name : kept)
            QVERIFY2(fs::exists(parent / name), name.c_str());
        removeLeftOver(parent / "none"); // which is nothing
    }

    /// As one of another container, whose number is none here.
    void whatSomebodyStillLocksStays()
    {
        const QTemporaryDir root;
        const fs::path left = fs::path(root.path().toStdString()) /
                              (".writing-" + std::to_string(gonePid()) + processName().substr(processName().find('-')));
        fs::create_directory(left);
        const int lock = ::open(left.c_str(), O_RDONLY | O_DIRECTORY);
        QCOMPARE(::flock(lock, LOCK_EX | LOCK_NB), 0);
        removeLeftOver(left.parent_path());
        QVERIFY(fs::exists(left));
        ::close(lock);
        removeLeftOver(left.parent_path());
        QVERIFY(!fs::exists(left));
    }

private:
    static pid_t gonePid()
    {
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(0);
        ::waitpid(child, nullptr, 0);
        return child;
    }
};

PIPESCOPE_TEST(TestLockedFolder)
#include "tst_locked_folder.moc"

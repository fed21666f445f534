#include "base/available_memory.h"

#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <string>

using namespace pipescope;

namespace {

/// The system's files, as a test wants them.
class System
{
public:
    System() { write("proc/meminfo", "MemTotal:  8000 kB\nMemFree:  10 kB\nMemAvailable:    4000 kB\n"); }

    void write(const std::string &name, const std::string &text) const
    {
        const std::filesystem::path file = std::filesystem::path(m_root.path().toStdString()) / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void group(const std::string &name, const std::string &limit, std::int64_t usage, std::int64_t cache = 0) const
    {
        write("sys/fs/cgroup/" + name + "memory.max", limit + "\n");
        write("sys/fs/cgroup/" + name + "memory.current", std::to_string(usage) + "\n");
        write("sys/fs/cgroup/" + name + "memory.stat",
              "anon 1\ninactive_file " + std::to_string(cache) + "\nactive_file 7\n");
    }
    [[nodiscard]] std::optional<AvailableMemory> available() const
    {
        return availableMemory(m_root.path().toStdString());
    }

private:
    QTemporaryDir m_root;
};

} // namespace

class TestAvailableMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutLimitsItIsWhatTheSystemSays()
    {
        const System system;
        QVERIFY(system.available() == (AvailableMemory{4000 * 1024, "/proc/meminfo"}));
        system.write("proc/self/cgroup", "0::/user/app\n");
        system.group("user/app/", "max", 5);
        QVERIFY(system.available() == (AvailableMemory{4000 * 1024, "/proc/meminfo"}));
    }

    void theLimitOfAGroupAndOfThoseAroundItCount()
    {
        const System system;
        system.write("proc/self/cgroup", "0::/user/app\n");
        system.group("user/app/", "3000000", 1000000);
        QVERIFY(system.available() == (AvailableMemory{2000000, "/sys/fs/cgroup/user/app/memory.max"}));
        system.group("user/", "1500000", 1000000);
        QVERIFY(system.available() == (AvailableMemory{500000, "/sys/fs/cgroup/user/memory.max"}));
    }

    void insideAContainerItsGroupIsTheTop()
    {
        const System system;
        system.write("proc/self/cgroup", "0::/\n");
        system.group("", "3000000", 1000000);
        QVERIFY(system.available() == (AvailableMemory{2000000, "/sys/fs/cgroup/memory.max"}));
        // One whose own path is not seen inside.
        system.write("proc/self/cgroup", "0::/docker/0a1b\n");
        QVERIFY(system.available() == (AvailableMemory{2000000, "/sys/fs/cgroup/memory.max"}));
    }

    void filesInTheCacheCanBeDropped()
    {
        const System system;
        system.write("proc/self/cgroup", "0::/\n");
        system.group("", "3000000", 2900000, 900000);
        QCOMPARE(system.available()->bytes, std::int64_t(1000000));
        system.group("", "1000", 2900000, 900000); // lowered while more was in use
        QCOMPARE(system.available()->bytes, std::int64_t(0));
    }

    void theFirstVersionOfGroupsIsReadToo()
    {
        const System system;
        system.write("proc/self/cgroup", "12:cpu,cpuacct:/x\n4:memory:/a\n1:name=systemd:/y\n");
        system.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000000\n");
        system.write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "500000\n");
        system.write("sys/fs/cgroup/memory/a/memory.stat", "total_inactive_file 100000\n");
        QVERIFY(system.available() == (AvailableMemory{1600000, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes"}));
    }

    void aSystemThatSaysNothingIsNotKnown()
    {
        const QTemporaryDir empty;
        QVERIFY(!availableMemory(empty.path().toStdString()));
    }

    void thisMachineSaysSomething()
    {
        const auto available = availableMemory();
        QVERIFY(available && available->bytes > 0 && !available->source.empty());
    }
};

PIPESCOPE_TEST(TestAvailableMemory)
#include "tst_available_memory.moc"

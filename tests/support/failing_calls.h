// System calls that fail when they are told to: a test that includes this has them in place of the system's own. They
// are weak, so that several tests of a program may include it.
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace pipescope::tests {

/// What fstat, fsync and flock do while the test runs.
struct Calls
{
    int fstatFails = 0; ///< with this errno; 0: it does not
    int fsyncFails = 0;
    int flockFails = 0;
    std::function<void()> whenFsync; ///< called first, where there is one
    std::vector<std::string> synced; ///< where what fsync was asked for stands
};

inline Calls calls; // NOLINT: the system's calls know nothing else

} // namespace pipescope::tests

extern "C" [[gnu::weak]] int fstat(int number, struct stat *status) noexcept
{
    if (pipescope::tests::calls.fstatFails == 0)
        return ::fstatat(number, "", status, AT_EMPTY_PATH);
    errno = pipescope::tests::calls.fstatFails;
    return -1;
}

extern "C" [[gnu::weak]] int fsync(int number)
{
    char path[4096] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(number);
    if (::readlink(link.c_str(), path, sizeof(path) - 1) > 0)
        pipescope::tests::calls.synced.emplace_back(path);
    if (pipescope::tests::calls.whenFsync)
        pipescope::tests::calls.whenFsync();
    if (pipescope::tests::calls.fsyncFails == 0)
        return static_cast<int>(::syscall(SYS_fsync, number));
    errno = pipescope::tests::calls.fsyncFails;
    return -1;
}

extern "C" [[gnu::weak]] int flock(int number, int operation) noexcept
{
    if (pipescope::tests::calls.flockFails == 0)
        return static_cast<int>(::syscall(SYS_flock, number, operation));
    errno = pipescope::tests::calls.flockFails;
    return -1;
}

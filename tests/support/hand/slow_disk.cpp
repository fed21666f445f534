// A slow disk: a library to load before the system's own (LD_PRELOAD). A file of a batch (exec/file_batch.h) reaches
// the disk only once there is the file that PIPESCOPE_TEST_SLOW_DISK_UNTIL names. The disk writes the file that
// PIPESCOPE_TEST_SLOW_DISK names when the first file gets there.
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

extern "C" int fsync(int number)
{
    char path[4096] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(number);
    const bool isKnown = ::readlink(link.c_str(), path, sizeof(path) - 1) > 0;
    const char *told = std::getenv("PIPESCOPE_TEST_SLOW_DISK");
    const char *until = std::getenv("PIPESCOPE_TEST_SLOW_DISK_UNTIL");
    if (isKnown && std::string_view(path).find("/.writing-") != std::string_view::npos && told && until) {
        ::close(::open(told, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        while (::access(until, F_OK) != 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return static_cast<int>(::syscall(SYS_fsync, number));
}

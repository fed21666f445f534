#include "base/file_sync.h"

#include "base/file_errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace pipescope {

namespace fs = std::filesystem;

namespace {

/// An errno; 0 where all went well.
int sync(const fs::path &path, int flags)
{
    const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
    if (number < 0)
        return errno;
    const int failed = ::fsync(number) == 0 ? 0 : errno;
    ::close(number);
    // There are file systems, as behind FUSE, that have no such call: what was written to them is as safe as it gets.
    return failed == EINVAL || failed == ENOSYS || failed == ENOTSUP ? 0 : failed;
}

} // namespace

Status syncFile(const fs::path &path, const fs::path &as)
{
    const int failed = sync(path, 0);
    return failed == 0 ? Status(Success{}) : Status(cannotWrite(as, std::strerror(failed)));
}

void syncFolder(const fs::path &folder)
{
    static_cast<void>(sync(folder.empty() ? fs::path(".") : folder, O_DIRECTORY));
}

} // namespace pipescope

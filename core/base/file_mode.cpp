#include "base/file_mode.h"

#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace pipescope {

namespace fs = std::filesystem;

namespace {

/// No set-user-ID and the like: those were given to what the file held.
std::optional<fs::perms> permissionsOf(const fs::path &path)
{
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    return fs::is_regular_file(status) ? std::optional(status.permissions() & fs::perms::all) : std::nullopt;
}

} // namespace

void makeLike(const fs::path &file, const fs::path &target)
{
    const auto permissions = permissionsOf(target);
    if (!permissions)
        return;
    std::error_code ignored;
    fs::remove(file, ignored); // which may have been made by others, or for others
    const auto mode = static_cast<mode_t>(*permissions | fs::perms::owner_read | fs::perms::owner_write);
    const int number = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (number >= 0)
        ::close(number);
}

void keepPermissions(const fs::path &target, const fs::path &file)
{
    std::error_code ignored; // a file system without any has none to lose
    if (const auto permissions = permissionsOf(target))
        fs::permissions(file, *permissions, ignored);
}

} // namespace pipescope

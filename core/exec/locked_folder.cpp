#include "exec/locked_folder.h"

#include "base/file_errors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pipescope::exec {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view Prefix = ".writing-";

std::string hostName()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0)
        return {};
    std::string host = name.data();
    std::replace(host.begin(), host.end(), '/', '_');
    return host;
}

/// The process that a folder of this host is named after.
std::optional<pid_t> processOf(std::string_view name)
{
    const std::string suffix = '-' + hostName();
    if (!name.starts_with(Prefix) || !name.ends_with(suffix) || name.size() <= Prefix.size() + suffix.size())
        return std::nullopt;
    name = name.substr(Prefix.size(), name.size() - Prefix.size() - suffix.size());
    pid_t process = 0;
    const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), process);
    const bool isNumber = failed == std::errc() && end == name.data() + name.size();
    return isNumber && process > 0 && name == std::to_string(process) ? std::optional(process) : std::nullopt;
}

bool isGone(pid_t process)
{
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

/// No link is followed: what is opened is the folder of that name itself.
int openFolder(const fs::path &path)
{
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool isOwn(int descriptor)
{
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid();
}

/// A process of another container has another number here, and may live; its lock is seen.
bool isLeftOver(const fs::path &path)
{
    const auto process = processOf(path.filename().string());
    if (!process || !isGone(*process))
        return false;
    const int descriptor = openFolder(path);
    if (descriptor < 0)
        return false;
    const bool isLeft = isOwn(descriptor) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return isLeft;
}

} // namespace

std::string processName()
{
    return fmt::format("{}-{}", ::getpid(), hostName());
}

LockedFolder::LockedFolder(fs::path path, int descriptor)
    : m_path(std::move(path))
    , m_descriptor(descriptor)
{
}

LockedFolder::LockedFolder(LockedFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

Result<LockedFolder> LockedFolder::make(const fs::path &parent)
{
    const fs::path path = parent / (std::string(Prefix) + processName());
    if (const int before = openFolder(path); before >= 0) { // of one that had this number
        const bool isFree = ::flock(before, LOCK_EX | LOCK_NB) == 0;
        ::close(before);
        if (!isFree)
            return cannotWrite(path, "another process writes there; remove it if none does");
    }
    std::error_code ec;
    fs::remove_all(path, ec);
    if (::mkdir(path.c_str(), S_IRWXU) != 0)
        return cannotWrite(parent, std::strerror(errno));
    const int descriptor = openFolder(path);
    if (descriptor >= 0)
        static_cast<void>(::flock(descriptor, LOCK_EX | LOCK_NB)); // where there are no locks nothing is removed
    return LockedFolder(path, descriptor);
}

bool LockedFolder::remove()
{
    if (m_path.empty())
        return false;
    std::error_code ignored;
    fs::remove_all(std::exchange(m_path, {}), ignored);
    return true;
}

LockedFolder::~LockedFolder()
{
    remove();
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void removeLeftOver(const fs::path &parent)
{
    std::error_code ignored;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end; entry.increment(ignored))
        if (isLeftOver(entry->path()))
            found.push_back(entry->path());
    for (const fs::path &path : found)
        fs::remove_all(path, ignored);
}

} // namespace pipescope::exec

#include "base/available_memory.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace pipescope {

namespace {

namespace fs = std::filesystem;

/// The files of one version of control groups.
struct GroupFiles
{
    std::string_view folder;
    std::string_view controllers; ///< of its line in /proc/self/cgroup
    std::string_view limit;
    std::string_view usage;
    std::string_view cache; ///< key in memory.stat of what can be dropped
};

constexpr std::array Versions{
    GroupFiles{"sys/fs/cgroup", "", "memory.max", "memory.current", "inactive_file"},
    GroupFiles{"sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
               "total_inactive_file"},
};

/// "max", which stands for no limit, is no number.
std::optional<std::int64_t> numberIn(const fs::path &file)
{
    std::ifstream stream(file);
    std::int64_t number = 0;
    return stream >> number ? std::optional(number) : std::nullopt;
}

/// What follows the key in a file of lines.
std::optional<std::int64_t> numberOf(const fs::path &file, std::string_view key)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string word;
        std::int64_t number = 0;
        if (words >> word && word == key && words >> number)
            return number;
    }
    return std::nullopt;
}

bool names(std::string_view list, std::string_view controller)
{
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        if (list.substr(begin, end - begin) == controller)
            return true;
        begin = end + 1;
    }
    return false;
}

/// The path of the process's group in that hierarchy; nullopt where it is in none.
std::optional<std::string> groupOf(const fs::path &root, const GroupFiles &files)
{
    std::ifstream stream(root / "proc/self/cgroup"); // "4:memory:/a/b", "0::/a/b"
    for (std::string line; std::getline(stream, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        if (names(std::string_view(line).substr(first + 1, second - first - 1), files.controllers))
            return line.substr(second + 1);
    }
    return std::nullopt;
}

std::optional<AvailableMemory> leftIn(const fs::path &root, const fs::path &folder, const GroupFiles &files)
{
    const fs::path limitFile = root / folder / files.limit;
    const auto limit = numberIn(limitFile);
    const auto usage = numberIn(root / folder / files.usage);
    if (!limit || !usage)
        return std::nullopt;
    const std::int64_t cache = numberOf(root / folder / "memory.stat", files.cache).value_or(0);
    const std::int64_t used = std::max<std::int64_t>(*usage - cache, 0);
    return AvailableMemory{std::max<std::int64_t>(*limit - used, 0), ("/" / folder / files.limit).string()};
}

void keepLess(std::optional<AvailableMemory> &least, std::optional<AvailableMemory> other)
{
    if (other && (!least || other->bytes < least->bytes))
        least = std::move(other);
}

} // namespace

std::optional<AvailableMemory> availableMemory(const fs::path &root)
{
    std::optional<AvailableMemory> least;
    if (const auto kibibytes = numberOf(root / "proc/meminfo", "MemAvailable:"))
        least = AvailableMemory{*kibibytes * 1024, "/proc/meminfo"};
    for (const GroupFiles &files : Versions) {
        const auto group = groupOf(root, files);
        if (!group)
            continue;
        // Where groups have names of their own inside a container, its own group is the top of what is seen.
        fs::path inside = fs::path(*group).relative_path();
        while (true) {
            keepLess(least, leftIn(root, (fs::path(files.folder) / inside).lexically_normal(), files));
            if (inside.empty())
                break;
            inside = inside.parent_path();
        }
    }
    return least;
}

} // namespace pipescope

// How much memory a process may still take on this machine: what the system has left, and within it what the limits of
// its control groups leave, as they are set for containers and services.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace pipescope {

struct AvailableMemory
{
    std::int64_t bytes = 0; ///< never negative
    std::string source;     ///< the file that says so: "/proc/meminfo", "/sys/fs/cgroup/memory.max"

    friend bool operator==(const AvailableMemory &, const AvailableMemory &) = default;
};

/// The least of MemAvailable (proc_meminfo(5)) and, for each control group of the process and those around it, its
/// limit less what is in use; files in the cache that may be dropped do not count as in use (cgroup v2's memory.max,
/// memory.current and memory.stat; v1's memory.limit_in_bytes, memory.usage_in_bytes and memory.stat). nullopt where
/// the system says nothing. `root` is where its files begin.
[[nodiscard]] std::optional<AvailableMemory> availableMemory(const std::filesystem::path &root = "/");

} // namespace pipescope

// Folders that belong to one process as long as it works in them, and what is left of such.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace pipescope::exec {

class LockedFolder
{
public:
    /// `.writing-PID-HOST` in `parent`, of this process, which only this user may enter. Error: WriteFailed; there is
    /// one that somebody works in, or the disk refuses.
    static Result<LockedFolder> make(const std::filesystem::path &parent);
    LockedFolder(LockedFolder &&other) noexcept;
    LockedFolder &operator=(LockedFolder &&) = delete;
    ~LockedFolder();
    LockedFolder(const LockedFolder &) = delete;
    LockedFolder &operator=(const LockedFolder &) = delete;

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    /// With all that is in it. False for one that is removed, or moved from.
    bool remove();

private:
    LockedFolder(std::filesystem::path path, int descriptor);

    std::filesystem::path m_path; // empty once moved from
    int m_descriptor = -1;        // of the folder, which is locked where the file system has locks
};

/// "PID-HOST" of this process.
[[nodiscard]] std::string processName();

/// Removes from `parent` the folders of processes of this host that are no more. Not one that is locked, that is
/// another user's, or where its file system cannot say whether it is locked; nothing else, whatever it is called.
void removeLeftOver(const std::filesystem::path &parent);

} // namespace pipescope::exec

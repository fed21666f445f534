// Several files that appear together: written under a temporary folder beside their place, then renamed. The temporary
// folder is named after its host and process, and locked as long as it is written to: what a process left that was
// ended in the middle is known by that.
#pragma once

#include "base/result.h"
#include "exec/locked_folder.h"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace pipescope::exec {

/// Without a commit() nothing stays behind, a folder made for the files included.
class FileBatch
{
public:
    /// Makes `folder`, if absent, and the temporary folder in it; those that processes of this host and user left
    /// there, which are gone, are removed. Error: WriteFailed.
    static Result<FileBatch> open(const std::filesystem::path &folder);
    FileBatch(FileBatch &&other) noexcept = default;
    FileBatch &operator=(FileBatch &&) = delete;
    ~FileBatch();
    FileBatch(const FileBatch &) = delete;
    FileBatch &operator=(const FileBatch &) = delete;

    /// Nobody may read it who may not read what it will replace. Error: WriteFailed where the disk refuses; else what
    /// `produce` returns.
    Status write(const std::string &name, const std::function<Status(std::ostream &)> &produce);
    /// Gives every file its place. Error: WriteFailed.
    Status commit();

private:
    FileBatch(std::filesystem::path folder, LockedFolder temporary, bool made);

    std::filesystem::path m_folder;
    LockedFolder m_temporary;
    bool m_madeFolder = false;
    std::vector<std::string> m_names;
};

} // namespace pipescope::exec

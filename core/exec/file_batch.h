// Several files that appear together: written under a temporary folder beside their place, then renamed.
#pragma once

#include "base/result.h"

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
    /// Makes `folder`, if absent, and the temporary folder in it. Error: WriteFailed.
    static Result<FileBatch> open(const std::filesystem::path &folder);
    FileBatch(FileBatch &&other) noexcept;
    FileBatch &operator=(FileBatch &&) = delete;
    ~FileBatch();

    /// Error: WriteFailed where the disk refuses; else what `produce` returns.
    Status write(const std::string &name, const std::function<Status(std::ostream &)> &produce);
    /// Gives every file its place. Error: WriteFailed.
    Status commit();

private:
    FileBatch(std::filesystem::path folder, std::filesystem::path temporary, bool made);

    std::filesystem::path m_folder;
    std::filesystem::path m_temporary; // empty once moved from
    bool m_madeFolder = false;
    std::vector<std::string> m_names;
};

} // namespace pipescope::exec

#include "output_path.h"

#include "base/links.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace pipescope::app {

namespace {

namespace fs = std::filesystem;

Error cannotWrite(const OutputPath &output, std::string_view reason)
{
    return {ErrorCode::WriteFailed,
            fmt::format("cannot write '{}': {}", output.path, reason),
            std::string(output.option),
            {}};
}

fs::path folderOf(const fs::path &path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

Status checkWritableFolder(const fs::path &folder, const OutputPath &output)
{
    std::error_code ec;
    if (!fs::exists(folder, ec))
        return cannotWrite(output, fmt::format("the folder '{}' does not exist", folder.string()));
    if (!fs::is_directory(folder, ec))
        return cannotWrite(output, fmt::format("'{}' is not a folder", folder.string()));
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        return cannotWrite(output, fmt::format("the folder '{}': {}", folder.string(), std::strerror(errno)));
    return Success{};
}

/// Also through links, hard ones too, and where one or both do not exist yet: a link is written through then too.
bool sameFile(const fs::path &a, const fs::path &b)
{
    std::error_code ec;
    if (fs::equivalent(a, b, ec) && !ec)
        return true;
    std::error_code unknown;
    const fs::path first = fs::weakly_canonical(fs::absolute(followLinks(a), unknown), unknown);
    const fs::path second = fs::weakly_canonical(fs::absolute(followLinks(b), unknown), unknown);
    return !unknown && first == second;
}

/// Whether `split` may write a file of that name into its folder.
bool isStageFile(const fs::path &path)
{
    const std::string name = path.filename().string();
    return (name.starts_with("stage") && name.ends_with(".pt")) || name == "stages.json" || name == "plan.json";
}

Status checkOutputFile(const OutputPath &output)
{
    std::error_code ec;
    if (fs::is_directory(output.path, ec))
        return cannotWrite(output, "it is a folder");
    if (fs::exists(output.path, ec) && !fs::is_regular_file(output.path, ec))
        return cannotWrite(output, "it is not a regular file");
    if (fs::path(output.path).filename().empty())
        return cannotWrite(output, "it names no file");
    if (fs::exists(output.path, ec) && access(output.path.c_str(), W_OK) != 0)
        return cannotWrite(output, std::strerror(errno));
    return checkWritableFolder(folderOf(output.path), output);
}

} // namespace

Status checkOutputFiles(const std::vector<OutputPath> &outputs, const std::vector<std::string> &inputs)
{
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].path.empty())
            continue;
        if (Status fine = checkOutputFile(outputs[i]); !fine)
            return fine;
        for (const std::string &input : inputs) {
            if (sameFile(outputs[i].path, input))
                return cannotWrite(outputs[i], "it is the file that is read");
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (!outputs[j].path.empty() && sameFile(outputs[i].path, outputs[j].path))
                return cannotWrite(outputs[i], fmt::format("{} goes to the same file", outputs[j].option));
        }
    }
    return Success{};
}

Status checkOutputFolder(const OutputPath &folder, const std::vector<std::string> &inputs)
{
    if (folder.path.empty())
        return Error{ErrorCode::InvalidArgument, "it names no folder", std::string(folder.option), {}};
    std::error_code ec;
    for (const std::string &input : inputs)
        if (fs::exists(folder.path, ec) && sameFile(folderOf(input), folder.path) && isStageFile(input))
            return cannotWrite(folder, fmt::format("'{}', which is read, would be written over", input));
    if (fs::exists(folder.path, ec))
        return checkWritableFolder(folder.path, folder);
    fs::path above = folderOf(fs::path(folder.path).lexically_normal());
    while (!above.empty() && !fs::exists(above, ec) && above != above.parent_path())
        above = folderOf(above);
    return checkWritableFolder(above, folder);
}

} // namespace pipescope::app

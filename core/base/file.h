// Files, read with a bound and written whole or not at all.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace pipescope {

/// Whether there is a regular file that may be read. Errors: NotFound when there is none; InvalidFile with the reason
/// when there is one that cannot be read, or a folder, or a path the system refuses. Never throws.
Status checkReadable(const std::filesystem::path &path);

/// Reads a whole file. Errors: NotFound, or InvalidFile when it is longer than `limit` bytes or cannot be read.
Result<std::string> readFile(const std::filesystem::path &path, std::uintmax_t limit);

/// Writes beside the target and renames, so that a reader sees the old file or the new one and never half of one. Links
/// are followed; what exists and is no regular file (a device, a pipe) is refused. The new file has the old one's
/// permissions, also while it is written; its group is that of new files. Error: WriteFailed, naming the path and the
/// system's reason.
Status writeFile(const std::filesystem::path &path, std::string_view bytes);

/// As writeFile, for producers that write a file themselves: `produce` gets a temporary path beside the target, where
/// an empty file may stand, to be written to.
Status writeFileVia(const std::filesystem::path &path,
                    const std::function<Status(const std::filesystem::path &)> &produce);

/// Lower-case hexadecimal SHA-256 of a file's bytes. Errors as readFile, without a size limit; Cancelled soon after
/// `stop` is requested.
Result<std::string> fileSha256(const std::filesystem::path &path, const std::stop_token &stop = {});

} // namespace pipescope

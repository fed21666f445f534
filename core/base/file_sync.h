// Bytes that are to outlast the machine's power.
#pragma once

#include "base/result.h"

#include <filesystem>

namespace pipescope {

/// Returns once what was written to the file is on the disk: else a machine that stops soon after a rename may have the
/// new name and none of the bytes. Error: WriteFailed, naming `as`, which is what the file will be called.
Status syncFile(const std::filesystem::path &path, const std::filesystem::path &as);

/// The same for what was renamed in a folder ("": the one we are in), as far as its file system can: the files are
/// there either way.
void syncFolder(const std::filesystem::path &folder);

} // namespace pipescope

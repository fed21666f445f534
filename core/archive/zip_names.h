// The names inside a zip archive, read from its central directory: enough to tell what an archive is without opening
// any record, and to tell a damaged archive from another kind of file. Contents are read through archive.h.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace pipescope::archive {

/// Names in the order of the directory, as stored ("model/data.pkl"). Zip64 is understood.
/// Error: InvalidFile when the directory is missing (the file was cut short) or does not add up.
Result<std::vector<std::string>> zipNames(const std::filesystem::path &path);
/// Of a stream that can be sought in; `name` is the file's in errors.
Result<std::vector<std::string>> zipNames(std::istream &file, const std::string &name);

} // namespace pipescope::archive

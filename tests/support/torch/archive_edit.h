// Archives made by hand: zip files with given records, and TorchScript archives with some record changed, left out or
// added.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace pipescope::testing {

/// Writes bytes to a file, replacing it.
void writeBytes(const std::filesystem::path &path, const std::string &bytes);
[[nodiscard]] std::string readBytes(const std::filesystem::path &path);

/// A zip archive, nothing compressed, with these records: not necessarily one of PyTorch's.
[[nodiscard]] std::string zipOf(const std::map<std::string, std::string> &records);

/// Gets a record's name and bytes; what it returns is written in their place, nothing leaves the record out.
using RecordChange = std::function<std::optional<std::string>(const std::string &name, const std::string &bytes)>;

/// Copies an archive of PyTorch's through `change`.
void rewriteArchive(const std::filesystem::path &from, const std::filesystem::path &to, const RecordChange &change);

/// Copies an archive of PyTorch's with so many bytes more, which take no place on the disk, between its records and
/// what says where they are. At least so long a file is then read as before.
void withHole(const std::filesystem::path &from, const std::filesystem::path &to, std::uint64_t bytes);

/// `text` with every `from` replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string &from, const std::string &to);

} // namespace pipescope::testing

// A TorchScript archive's records, with bounds: what a hostile file can make us read is limited, and everything
// LibTorch's zip reader throws is an Error here.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caffe2::serialize {
class PyTorchStreamReader;
}

namespace pipescope::import {

class ModelFile;

/// Code and pickled values of one archive together.
inline constexpr std::uint64_t MaxArchiveText = 1ULL << 30;

class Archive
{
public:
    /// Errors: InvalidFile naming what is wrong with the archive; Unsupported for one that a newer PyTorch wrote.
    static Result<Archive> open(const ModelFile &file);
    /// The same; errors as ModelFile::open too.
    static Result<Archive> open(const std::filesystem::path &path);

    Archive(Archive &&) noexcept;
    Archive &operator=(Archive &&) noexcept;
    ~Archive();
    Archive(const Archive &) = delete;
    Archive &operator=(const Archive &) = delete;

    /// Record names without the archive's own folder, in the order of the file.
    [[nodiscard]] const std::vector<std::string> &names() const { return m_names; }
    [[nodiscard]] bool has(const std::string &name) const;
    /// Bytes a record has; nullopt when there is none of that name or its header is damaged.
    [[nodiscard]] std::optional<std::uint64_t> sizeOf(const std::string &name) const;
    /// A vector, not a string: views into it stay good when it is moved.
    /// Error: InvalidFile when it cannot be read, or when all read so far would pass MaxArchiveText.
    Result<std::vector<char>> read(const std::string &name);

private:
    explicit Archive(std::unique_ptr<caffe2::serialize::PyTorchStreamReader> reader);

    std::unique_ptr<caffe2::serialize::PyTorchStreamReader> m_reader;
    std::vector<std::string> m_names;
    std::uint64_t m_read = 0;
};

} // namespace pipescope::import

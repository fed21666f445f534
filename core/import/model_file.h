// A model's file, opened once: what is recognised, checked and hashed is what LibTorch reads, even where another takes
// its place meanwhile.
// Private to import/.
#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <stop_token>
#include <string>

namespace caffe2::serialize {
class ReadAdapterInterface;
}

namespace pipescope::import {

class ModelFile
{
public:
    /// Errors as base/file.h's checkReadable.
    static Result<ModelFile> open(const std::filesystem::path &path);

    /// By which it was opened, for messages.
    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    /// Bytes it had when it was opened.
    [[nodiscard]] std::uintmax_t size() const;
    /// Its first bytes, at most so many. Error: InvalidFile where they cannot be read.
    Result<std::string> head(std::size_t most) const;
    /// A stream of its own that can be sought in; keeps the file open.
    [[nodiscard]] std::unique_ptr<std::istream> stream() const;
    /// Lower-case hexadecimal; says how far it is as "reading the file". Cancelled soon after `stop` is requested;
    /// InvalidFile where it cannot be read to its end.
    Result<std::string> sha256(const std::stop_token &stop, const Progress &progress = {}) const;
    /// InvalidFile where the opened file was written to since, or the path leads to another by now, and where the
    /// system does not tell.
    Status checkUnchanged() const;
    /// What LibTorch reads it through; keeps the file open. `progress` is told how much of it was read as "loading the
    /// model", on the thread that reads; it must live as long as the reader.
    [[nodiscard]] std::shared_ptr<caffe2::serialize::ReadAdapterInterface> reader(const Progress &progress = {}) const;

private:
    class Descriptor;
    class Reader;
    class Stream;

    ModelFile(std::filesystem::path path, std::shared_ptr<const Descriptor> descriptor);

    std::filesystem::path m_path;
    std::shared_ptr<const Descriptor> m_descriptor;
};

} // namespace pipescope::import

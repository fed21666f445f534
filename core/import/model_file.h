// A model's file, opened once: what is hashed is what LibTorch reads, even where another takes its place meanwhile.
// Private to import/.
#pragma once

#include "base/result.h"

#include <filesystem>
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

    /// Lower-case hexadecimal. Cancelled soon after `stop` is requested; InvalidFile where it cannot be read to its
    /// end.
    Result<std::string> sha256(const std::stop_token &stop) const;
    /// InvalidFile where the opened file was written to since, or the path leads to another by now, and where the
    /// system does not tell.
    Status checkUnchanged() const;
    /// What LibTorch reads it through; keeps the file open.
    [[nodiscard]] std::shared_ptr<caffe2::serialize::ReadAdapterInterface> reader() const;

private:
    class Descriptor;
    class Reader;

    ModelFile(std::filesystem::path path, std::shared_ptr<const Descriptor> descriptor);

    std::filesystem::path m_path;
    std::shared_ptr<const Descriptor> m_descriptor;
};

} // namespace pipescope::import

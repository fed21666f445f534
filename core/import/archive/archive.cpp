#include "import/archive/archive.h"

#include "import/model_file.h"
#include "tensor/torch_guard.h"

#include <caffe2/serialize/inline_container.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <fmt/format.h>
#include <torch/headeronly/version.h>

namespace pipescope::import {

using caffe2::serialize::PyTorchStreamReader;

Archive::Archive(std::unique_ptr<PyTorchStreamReader> reader)
    : m_reader(std::move(reader))
    , m_names(m_reader->getAllRecords())
{
}

Archive::Archive(Archive &&) noexcept = default;
Archive &Archive::operator=(Archive &&) noexcept = default;
Archive::~Archive() = default;

Result<Archive> Archive::open(const std::filesystem::path &path)
{
    const Result<ModelFile> file = ModelFile::open(path);
    return file ? open(*file) : Result<Archive>(file.error());
}

Result<Archive> Archive::open(const ModelFile &file)
{
    const std::filesystem::path &path = file.path();
    auto opened = tensor::guardTorch(ErrorCode::InvalidFile, path.string(),
                                     [&] { return Archive(std::make_unique<PyTorchStreamReader>(file.reader())); });
    if (opened || opened.error().message.find("maximum supported version") == std::string::npos)
        return opened;
    return Error{ErrorCode::Unsupported,
                 fmt::format("'{}' was written by a newer PyTorch than this one reads; save the model again with "
                             "PyTorch {} or older, or build Pipescope with a newer LibTorch",
                             path.string(), TORCH_VERSION),
                 path.string(), opened.error().message};
}

bool Archive::has(const std::string &name) const
{
    const Result<bool> found =
        tensor::guardTorch(ErrorCode::InvalidFile, name, [&] { return m_reader->hasRecord(name); });
    return found && *found;
}

std::optional<std::uint64_t> Archive::sizeOf(const std::string &name) const
{
    if (!has(name))
        return std::nullopt;
    const auto size = tensor::guardTorch(ErrorCode::InvalidFile, name,
                                         [&] { return static_cast<std::uint64_t>(m_reader->getRecordSize(name)); });
    return size ? std::optional(*size) : std::nullopt;
}

Result<std::vector<char>> Archive::read(const std::string &name)
{
    const std::optional<std::uint64_t> size = sizeOf(name);
    if (!size)
        return Error{ErrorCode::InvalidFile, fmt::format("record {} is missing", name), name, {}};
    if (*size > MaxArchiveText - m_read)
        return Error{ErrorCode::InvalidFile,
                     fmt::format("its code and values are larger than 1 GiB at record {}", name),
                     name,
                     {}};
    m_read += *size;
    return tensor::guardTorch(ErrorCode::InvalidFile, name, [&] {
        std::vector<char> bytes(*size);
        if (!bytes.empty())
            m_reader->getRecord(name, bytes.data(), bytes.size());
        return bytes;
    });
}

} // namespace pipescope::import

// loadTensors of tensor_file.h: the zip file, by LibTorch's reader; what is in it is read by archive/pickle_tree.h and
// pickle/. LibTorch's own unpickler is not used: it takes sizes and strides as the file gives them, without asking
// whether the data is there, and does not read the state dicts and newer dtypes that torch.save writes.
#include "tensor/tensor_file.h"

#include "base/file.h"
#include "tensor/cut_text.h"
#include "tensor/pickle/value_from_pickle.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <array>
#include <caffe2/serialize/inline_container.h>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <system_error>

namespace pipescope::tensor {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t PickleLimit = std::size_t{64} << 20;

Error unreadable(const fs::path &path, std::string_view reason)
{
    return {ErrorCode::InvalidFile,
            fmt::format("cannot read tensors from '{}': {}", path.string(), reason),
            path.string(),
            {}};
}

bool isText(std::string_view bytes)
{
    return std::all_of(bytes.begin(), bytes.end(),
                       [](unsigned char c) { return c >= 0x20 || c == '\n' || c == '\r' || c == '\t'; });
}

/// What a file that is no zip file is, as far as its first bytes tell.
std::string_view describeStart(std::string_view start)
{
    constexpr std::string_view legacy("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);
    if (start.empty())
        return "the file is empty";
    if (start.starts_with(legacy) || (start.size() > 262 && start.substr(257, 5) == "ustar"))
        return "it is a file of torch.save before version 1.6; load it in Python and save it again";
    if (start.front() == '\x80')
        return "it is a bare Python pickle; save it with torch.save";
    if (start.starts_with("\x93NUMPY"))
        return "it is a NumPy array; in Python: torch.save(torch.from_numpy(numpy.load(...)), ...)";
    if (start.size() > 8 && start[8] == '{')
        return "it seems to be a safetensors file; load it in Python and save it with torch.save";
    if (isText(start))
        return "it is a text file; torch.save writes what is needed here";
    return "it is not a file that torch.save wrote";
}

/// What a zip file without the records of torch.save is; nullopt when it has them.
std::optional<std::string_view> describeOther(caffe2::serialize::PyTorchStreamReader &reader)
{
    if (reader.hasRecord("constants.pkl"))
        return "it is a TorchScript model; give it as the model, and tensors as the input";
    if (reader.hasRecord("archive_format"))
        return "it is an exported program (.pt2), not tensors";
    if (reader.hasRecord(".data/extern_modules"))
        return "it is a torch.package, not tensors";
    if (!reader.hasRecord("data.pkl"))
        return "it is a zip file, but not one that torch.save wrote";
    return std::nullopt;
}

/// Records of the file, each no larger than the file itself: torch.save does not compress, so a larger one is a trap.
class Records
{
public:
    Records(caffe2::serialize::PyTorchStreamReader &reader, std::uintmax_t fileSize)
        : m_reader(reader)
        , m_left(fileSize)
    {
    }

    Result<std::pair<at::DataPtr, std::size_t>> read(const std::string &name, std::uintmax_t limit)
    {
        if (!m_reader.hasRecord(name))
            return Error{ErrorCode::InvalidFile, fmt::format("its record '{}' is missing", cutText(name, 80)), {}, {}};
        const std::size_t size = m_reader.getRecordSize(name);
        if (size > std::min(m_left, limit))
            return Error{
                ErrorCode::InvalidFile,
                fmt::format("its record '{}' claims {} bytes, more than there can be", cutText(name, 80), size),
                {},
                {}};
        m_left -= size;
        auto [data, read] = m_reader.getRecord(name);
        return std::pair{std::move(data), read};
    }

    Result<c10::Storage> storage(const std::string &key)
    {
        auto record = read("data/" + key, m_left);
        if (!record)
            return record.error();
        return c10::Storage(c10::Storage::use_byte_size_t(), record->second, std::move(record->first));
    }

private:
    caffe2::serialize::PyTorchStreamReader &m_reader;
    std::uintmax_t m_left;
};

bool isBigEndian(caffe2::serialize::PyTorchStreamReader &reader, Records &records)
{
    if (!reader.hasRecord("byteorder"))
        return false;
    auto order = records.read("byteorder", 16);
    return order && std::string_view(static_cast<const char *>(order->first.get()), order->second) == "big";
}

Result<c10::IValue> readArchive(const fs::path &path, std::uintmax_t fileSize)
{
    caffe2::serialize::PyTorchStreamReader reader(path.string());
    if (const auto other = describeOther(reader))
        return unreadable(path, *other);
    Records records(reader, fileSize);
    if (isBigEndian(reader, records))
        return unreadable(path, "it was written on a big-endian machine");
    auto bytes = records.read("data.pkl", PickleLimit);
    if (!bytes)
        return unreadable(path, bytes.error().message);
    const auto tree = archive::readPickle({static_cast<const char *>(bytes->first.get()), bytes->second}, "data.pkl",
                                          archive::PickleDialect::TorchSave);
    if (!tree)
        return unreadable(path, tree.error().message);
    const StorageReader storages = [&](const std::string &key) { return records.storage(key); };
    auto value = valueFromPickle(*tree, storages);
    if (!value) {
        Error error = unreadable(path, value.error().message);
        error.code = value.error().code;
        return error;
    }
    return value;
}

} // namespace

Result<c10::IValue> loadTensors(const fs::path &path)
{
    if (auto ok = checkReadable(path); !ok)
        return ok.error();
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(path, failed);
    std::array<char, 512> buffer{};
    std::ifstream in(path, std::ios::binary);
    in.read(buffer.data(), buffer.size());
    const std::string_view start(buffer.data(), static_cast<std::size_t>(in.gcount()));
    if (failed || in.bad() || (start.empty() && size > 0))
        return unreadable(path, "the system does not let it be read");
    if (!start.starts_with("PK\x03\x04"))
        return unreadable(path, describeStart(start));
    auto value = guardTorch(ErrorCode::InvalidFile, path.string(), [&] { return readArchive(path, size); });
    if (!value && !value.error().message.starts_with("cannot read"))
        return unreadable(path, "it is damaged: " + value.error().message);
    return value;
}

} // namespace pipescope::tensor

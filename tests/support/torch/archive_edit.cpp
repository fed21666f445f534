#include "support/torch/archive_edit.h"

#include <caffe2/serialize/inline_container.h>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>

namespace pipescope::testing {

namespace {

std::string number(std::uint64_t value, int width)
{
    std::string bytes;
    for (int i = 0; i < width; ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

std::uint64_t numberAt(const std::string &bytes, std::size_t at, int width)
{
    std::uint64_t value = 0;
    for (int i = width - 1; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

/// Version, flags, method 0 and time of a zip entry, then checksum, sizes, and lengths of name and extra field.
std::string entryFields(const std::string &name, const std::string &bytes)
{
    return number(20, 2) + number(0, 8) + number(0, 4) + number(bytes.size(), 4) + number(bytes.size(), 4) +
           number(name.size(), 2) + number(0, 2);
}

} // namespace

void writeBytes(const std::filesystem::path &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string readBytes(const std::filesystem::path &path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string zipOf(const std::map<std::string, std::string> &records)
{
    std::string zip;
    std::string directory;
    for (const auto &[name, bytes] : records) {
        directory += "PK\1\2" + number(20, 2) + entryFields(name, bytes) + number(0, 10) + number(zip.size(), 4) + name;
        zip += "PK\3\4" + entryFields(name, bytes) + name + bytes;
    }
    const std::size_t begin = zip.size();
    return zip + directory + "PK\5\6" + number(0, 4) + number(records.size(), 2) + number(records.size(), 2) +
           number(directory.size(), 4) + number(begin, 4) + number(0, 2);
}

void rewriteArchive(const std::filesystem::path &from, const std::filesystem::path &to, const RecordChange &change)
{
    caffe2::serialize::PyTorchStreamReader reader(from.string());
    caffe2::serialize::PyTorchStreamWriter writer(to.string());
    const std::set<std::string> writtenByWriter{"version", "byteorder", ".data/serialization_id"};
    for (const std::string &name : reader.getAllRecords()) {
        const auto [data, size] = reader.getRecord(name);
        const std::string bytes(static_cast<const char *>(data.get()), size);
        const std::optional<std::string> written = change(name, bytes);
        if (written && (*written != bytes || !writtenByWriter.contains(name)))
            writer.writeRecord(name, written->data(), written->size());
    }
    writer.writeEndOfFile();
}

void withHole(const std::filesystem::path &from, const std::filesystem::path &to, std::uint64_t bytes)
{
    // At the end: the directory, where it is in 64 bits, where that is said, and the same in 32 bits.
    const std::string archive = readBytes(from);
    const std::size_t end = archive.rfind("PK\5\6");
    const std::size_t locator = end - 20;
    const std::size_t record = numberAt(archive, locator + 8, 8);
    const std::size_t directory = numberAt(archive, record + 48, 8);
    std::string rest = archive.substr(directory);
    rest.replace(record + 48 - directory, 8, number(directory + bytes, 8));
    rest.replace(locator + 8 - directory, 8, number(record + bytes, 8));
    rest.replace(end + 16 - directory, 4, number(0xffffffff, 4));
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    out.write(archive.data(), static_cast<std::streamsize>(directory));
    out.seekp(static_cast<std::streamoff>(directory + bytes));
    out.write(rest.data(), static_cast<std::streamsize>(rest.size()));
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

} // namespace pipescope::testing

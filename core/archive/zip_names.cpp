#include "archive/zip_names.h"

#include "base/file_errors.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

namespace pipescope::archive {

namespace {

// Field offsets are those of the zip specification (APPNOTE 6.3, sections 4.3.12 to 4.3.16).
constexpr std::size_t EndSize = 22;
constexpr std::size_t LocatorSize = 20;
constexpr std::size_t End64Size = 56;
constexpr std::size_t EntrySize = 46;
constexpr std::size_t LongestComment = 65535;
constexpr std::uint64_t LargestDirectory = 256ULL << 20;

std::uint64_t number(std::string_view bytes, std::size_t offset, std::size_t width)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
    return value;
}

struct Directory
{
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

class ZipFile
{
public:
    ZipFile(std::istream &file, const std::string &name)
        : m_name(name)
        , m_in(file)
        , m_size(file.seekg(0, std::ios::end) ? static_cast<std::uint64_t>(file.tellg()) : 0)
    {
    }

    Result<std::vector<std::string>> names()
    {
        const Result<Directory> place = findDirectory();
        if (!place)
            return place.error();
        if (place->size > LargestDirectory)
            return damaged("its directory of contents claims to be larger than 256 MiB");
        const std::string bytes = read(place->offset, place->size);
        if (bytes.size() != place->size)
            return damaged("its directory of contents points outside the file");
        return namesIn(bytes);
    }

private:
    [[nodiscard]] Error damaged(std::string_view reason) const
    {
        return {ErrorCode::InvalidFile,
                fmt::format("'{}' is a damaged zip archive: {}; copy or download it again", m_name, reason),
                m_name,
                {}};
    }

    std::string read(std::uint64_t offset, std::uint64_t size)
    {
        if (offset > m_size || size > m_size - offset)
            return {};
        std::string bytes(size, '\0');
        m_in.clear();
        m_in.seekg(static_cast<std::streamoff>(offset));
        m_in.read(bytes.data(), static_cast<std::streamsize>(size));
        bytes.resize(static_cast<std::size_t>(m_in.gcount()));
        return bytes;
    }

    Result<Directory> findDirectory()
    {
        const std::uint64_t tailSize = std::min<std::uint64_t>(m_size, EndSize + LongestComment);
        const std::string tail = read(m_size - tailSize, tailSize);
        const std::size_t end = tail.rfind("PK\5\6");
        if (end == std::string::npos || tail.size() - end < EndSize)
            return damaged("its end is missing, so it was cut short");
        const Directory small{number(tail, end + 16, 4), number(tail, end + 12, 4)};
        if (small.offset != 0xffffffff && small.size != 0xffffffff && number(tail, end + 10, 2) != 0xffff)
            return small;
        if (end < LocatorSize || tail.compare(end - LocatorSize, 4, "PK\6\7") != 0)
            return small;
        const std::string large = read(number(tail, end - LocatorSize + 8, 8), End64Size);
        if (large.size() != End64Size || large.compare(0, 4, "PK\6\6") != 0)
            return damaged("its zip64 record is not where it should be");
        return Directory{number(large, 48, 8), number(large, 40, 8)};
    }

    Result<std::vector<std::string>> namesIn(std::string_view bytes) const
    {
        std::vector<std::string> names;
        std::size_t at = 0;
        while (bytes.size() - at >= EntrySize && bytes.compare(at, 4, "PK\1\2") == 0) {
            const std::size_t nameSize = number(bytes, at + 28, 2);
            const std::size_t rest = number(bytes, at + 30, 2) + number(bytes, at + 32, 2);
            if (bytes.size() - at - EntrySize < nameSize + rest)
                break;
            names.emplace_back(bytes.substr(at + EntrySize, nameSize));
            at += EntrySize + nameSize + rest;
        }
        if (at != bytes.size())
            return damaged("its directory of contents does not add up");
        return names;
    }

    const std::string &m_name;
    std::istream &m_in;
    std::uint64_t m_size = 0;
};

} // namespace

Result<std::vector<std::string>> zipNames(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return cannotRead(path, std::strerror(errno));
    return zipNames(file, path.string());
}

Result<std::vector<std::string>> zipNames(std::istream &file, const std::string &name)
{
    return ZipFile(file, name).names();
}

} // namespace pipescope::archive

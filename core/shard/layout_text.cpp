#include "shard/layout_text.h"

#include "base/spec_reader.h"

#include <array>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::shard {

namespace {

using ReadItem = std::function<Status()>;

/// Items with commas between them, in brackets or without, and nothing after them.
Status readList(SpecReader &reader, const ReadItem &item)
{
    constexpr std::array<std::pair<char, char>, 2> Brackets{{{'[', ']'}, {'(', ')'}}};
    bool isInBrackets = false;
    for (const auto &[open, close] : Brackets) {
        if (isInBrackets || !reader.take(open))
            continue;
        isInBrackets = true;
        if (Status read = reader.items(close, item); !read)
            return read;
    }
    for (bool isFirst = true; !isInBrackets && (isFirst || (reader.take(',') && !reader.atEnd())); isFirst = false)
        if (Status read = item(); !read)
            return read;
    if (!reader.atEnd())
        return reader.expected(isInBrackets ? "the end" : "',' or the end");
    return Success{};
}

} // namespace

Result<Sizes> parseShape(std::string_view text)
{
    SpecReader reader(text);
    if (Status fits = reader.checkLength(); !fits)
        return fits.error();
    Sizes sizes;
    const Status read = readList(reader, [&]() -> Status {
        const Result<std::int64_t> size = reader.integer<std::int64_t>("a size, as in 10,8");
        if (!size)
            return size.error();
        if (*size < 0)
            return reader.wrong(fmt::format("the size {} is negative", *size));
        if (sizes.size() == static_cast<std::size_t>(Layout::MaxDims))
            return reader.wrong(fmt::format("more than {} dimensions", Layout::MaxDims));
        sizes.push_back(*size);
        return Success{};
    });
    if (!read)
        return read.error();
    return sizes;
}

Result<DeviceMesh> parseMesh(std::string_view text)
{
    SpecReader reader(text);
    if (Status fits = reader.checkLength(); !fits)
        return fits.error();
    std::vector<int> shape;
    std::vector<std::string> names;
    const Status read = readList(reader, [&]() -> Status {
        if (const std::string_view name = reader.word(); !name.empty()) {
            names.emplace_back(name);
            if (!reader.take('='))
                return reader.expected(fmt::format("'=' and the size of {}", name));
        }
        const Result<int> size = reader.integer<int>("the size of a mesh dimension, as in 2,4 or dp=2,tp=4");
        if (!size)
            return size.error();
        shape.push_back(*size);
        if (!names.empty() && names.size() != shape.size())
            return reader.wrong("a mesh has a name for each dimension or for none; there is one without");
        return Success{};
    });
    if (!read)
        return read.error();
    return DeviceMesh::make(std::move(shape), std::move(names));
}

} // namespace pipescope::shard

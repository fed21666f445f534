#include "archive/type_size.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace pipescope::archive {

namespace {

struct Size
{
    int parts = 1;
    int depth = 0; ///< NamedTuples one in the other
};

class TypeSizes
{
public:
    explicit TypeSizes(const CodeListing &listing)
        : m_listing(listing)
    {
    }

    /// `above`: how many NamedTuples are being measured around this one.
    Result<Size> measure(const std::string &type, int above)
    {
        const auto found = m_listing.classes.find(type);
        if (found == m_listing.classes.end() || found->second.fieldTypes.empty())
            return Size{};
        // One that holds itself is no type, as LibTorch will say.
        const auto [known, isNew] = m_known.try_emplace(type);
        if (!isNew)
            return known->second;
        if (above >= MaxTypeDepth)
            return refused("nests too deep", type);
        Size size;
        for (const std::string &field : found->second.fieldTypes) {
            Result<Size> added = measure(field, above + 1);
            if (!added)
                return added;
            size.parts = std::min(size.parts + added->parts, MaxTypeParts + 1);
            size.depth = std::max(size.depth, added->depth + 1);
        }
        if (size.parts > MaxTypeParts)
            return refused(fmt::format("has more than {} parts, those of its fields counted", MaxTypeParts), type);
        if (size.depth > MaxTypeDepth)
            return refused("nests too deep", type);
        m_known[type] = size;
        return size;
    }

private:
    static Error refused(std::string_view reason, const std::string &type)
    {
        return {ErrorCode::InvalidFile, fmt::format("the NamedTuple {} {}", type, reason), type, {}};
    }

    const CodeListing &m_listing;
    std::unordered_map<std::string, Size> m_known;
};

} // namespace

Status checkTypeSizes(const CodeListing &listing)
{
    TypeSizes sizes(listing);
    for (const auto &[name, added] : listing.classes)
        if (const Result<Size> size = sizes.measure(name, 0); !size)
            return size.error();
    return Success{};
}

} // namespace pipescope::archive

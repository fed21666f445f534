// Parts of a mesh: slices and flattened dimensions.
#include "base/quoted_text.h"
#include "shard/device_mesh.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace pipescope::shard {

namespace {

/// As Python writes a sequence of names.
std::string sequenceText(std::span<const std::string> names, std::string_view open, std::string_view close)
{
    std::string text(open);
    for (const std::string &name : names)
        text += fmt::format("{}{}", &name == names.data() ? "" : ", ", quotedText(name));
    return text + std::string(close);
}

std::string namesText(std::span<const std::string> names)
{
    return sequenceText(names, "(", names.size() == 1 ? ",)" : ")");
}

Error invalidSlice(ErrorCode code, std::span<const std::string> names, std::string_view problem)
{
    return {code, fmt::format("Invalid mesh_dim_names {} specified. {}", namesText(names), problem), {}, {}};
}

} // namespace

/// Without single ranks, neighbours joined where one goes on where the other ends: upstream's coalesce().
DeviceMesh::Axis DeviceMesh::coalesced(const Axis &parts)
{
    Axis joined;
    for (std::size_t i = parts.size(); i > 0; --i) {
        const auto &part = parts[i - 1];
        if (part.size == 1)
            continue;
        if (!joined.empty() && joined.back().size * joined.back().stride == part.stride)
            joined.back().size *= part.size;
        else
            joined.push_back(part);
    }
    std::reverse(joined.begin(), joined.end());
    return joined;
}

Result<std::vector<std::vector<int>>> DeviceMesh::dimsOf(std::span<const std::string> names) const
{
    std::vector<std::string> known = m_names;
    std::vector<std::vector<int>> dimsOfKnown;
    dimsOfKnown.reserve(static_cast<std::size_t>(ndim()) + m_flattenings.size());
    for (int dim = 0; dim < ndim(); ++dim)
        dimsOfKnown.push_back({dim});
    for (const Flattening &flattening : m_flattenings) {
        known.push_back(flattening.name);
        dimsOfKnown.push_back(flattening.dims);
    }
    std::vector<std::vector<int>> all;
    Axis axis;
    for (const std::string &name : names) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
            return invalidSlice(ErrorCode::NotFound, names,
                                fmt::format("Valid mesh_dim_names are {}.", sequenceText(known, "[", "]")));
        all.push_back(dimsOfKnown[static_cast<std::size_t>(found - known.begin())]);
        for (const int dim : all.back())
            axis.insert(axis.end(), m_axes[static_cast<std::size_t>(dim)].begin(),
                        m_axes[static_cast<std::size_t>(dim)].end());
    }
    if (names.empty())
        return invalidSlice(ErrorCode::InvalidArgument, names,
                            fmt::format("Name one or more of {}.", sequenceText(known, "[", "]")));
    const bool repeats = std::set<std::string>(names.begin(), names.end()).size() != names.size();
    axis = coalesced(axis);
    const auto outerFirst = [](const AxisPart &a, const AxisPart &b) { return a.stride > b.stride; };
    if (!std::is_sorted(axis.begin(), axis.end(), outerFirst))
        return invalidSlice(ErrorCode::InvalidArgument, names, "Mesh dim indices should be in ascending order.");
    const auto overlaps = [](const AxisPart &outer, const AxisPart &inner) {
        return outer.stride % (inner.stride * inner.size) != 0;
    };
    if (repeats || std::adjacent_find(axis.begin(), axis.end(), overlaps) != axis.end())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("Slicing overlapping dim_names {} is not allowed.", namesText(names)),
                     {},
                     {}};
    return all;
}

Result<DeviceMesh> DeviceMesh::slice(std::span<const std::string> names, RankId rank) const
{
    if (m_names.empty())
        return Error{ErrorCode::InvalidArgument, "Cannot slice a DeviceMesh without mesh_dim_names!", {}, {}};
    const auto dims = dimsOf(names);
    if (!dims)
        return dims.error();
    const std::optional<Coordinate> place = coordinate(rank);
    if (!place)
        return Error{ErrorCode::NotFound,
                     fmt::format("rank {} is not in {}, so it has no part of it", rank.value, text()),
                     {},
                     {}};
    if (std::equal(names.begin(), names.end(), m_names.begin(), m_names.end()))
        return *this;
    DeviceMesh part;
    std::vector<int> along;
    for (const std::vector<int> &joined : *dims) {
        Axis axis;
        part.m_shape.push_back(1);
        for (const int dim : joined) {
            part.m_shape.back() *= size(dim);
            axis.insert(axis.end(), m_axes[static_cast<std::size_t>(dim)].begin(),
                        m_axes[static_cast<std::size_t>(dim)].end());
        }
        part.m_axes.push_back(coalesced(axis));
        along.insert(along.end(), joined.begin(), joined.end());
    }
    part.m_ranks = std::make_shared<const std::vector<RankId>>(line(*place, along));
    part.m_names.assign(names.begin(), names.end());
    part.m_deviceType = m_deviceType;
    return part;
}

Status DeviceMesh::flatten(std::span<const std::string> names, std::string name)
{
    if (m_names.empty())
        return Error{ErrorCode::InvalidArgument, "Cannot flatten a DeviceMesh without mesh_dim_names!", {}, {}};
    const auto named = dimsOf(names);
    if (!named)
        return named.error();
    if (name.empty())
        name = fmt::format("{}", fmt::join(names, "_"));
    if (names.size() == 1 && names.front() == name)
        return Success{};
    if (std::find(m_names.begin(), m_names.end(), name) != m_names.end())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} already exists for submesh of the {}. The mesh_dim_names of submesh and flattened "
                                 "mesh are {}. Please specify another valid mesh_dim_name.",
                                 name, text(), namesText(m_names)),
                     {},
                     {}};
    Flattening flattening{{}, std::move(name)};
    for (const std::vector<int> &joined : *named)
        flattening.dims.insert(flattening.dims.end(), joined.begin(), joined.end());
    std::sort(flattening.dims.begin(), flattening.dims.end()); // single ranks may stand anywhere
    const auto sameName = [&](const Flattening &known) { return known.name == flattening.name; };
    const auto known = std::find_if(m_flattenings.begin(), m_flattenings.end(), sameName);
    if (known != m_flattenings.end() && *known != flattening)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("Flatten mesh with mesh_dim_name {} has been created before, Please specify another "
                                 "valid mesh_dim_name.",
                                 flattening.name),
                     {},
                     {}};
    if (known == m_flattenings.end())
        m_flattenings.push_back(std::move(flattening));
    return Success{};
}

} // namespace pipescope::shard

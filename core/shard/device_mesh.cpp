#include "shard/device_mesh.h"

#include "base/error.h"
#include "base/quoted_text.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>
#include <set>

namespace pipescope::shard {

namespace {

/// Those of torch.device that ranks can be on.
constexpr std::array DeviceTypes{"cpu", "cuda", "xpu", "mps", "hpu", "mtia", "xla", "meta", "privateuseone"};

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

std::vector<std::string> inQuotes(std::span<const std::string> names)
{
    std::vector<std::string> quoted;
    quoted.reserve(names.size());
    for (const std::string &name : names)
        quoted.push_back(quotedText(name));
    return quoted;
}

/// As Python writes a tuple of names.
std::string tupleText(std::span<const std::string> names)
{
    return fmt::format("({}{})", fmt::join(inQuotes(names), ", "), names.size() == 1 ? "," : "");
}

std::string tupleText(std::span<const int> numbers)
{
    return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

Status checkNames(const std::vector<std::string> &names, const std::vector<int> &shape)
{
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
        return invalid(fmt::format(
            "Each mesh_dim_name must be unique. Found repeated mesh_dim_name in mesh_dim_names {}", tupleText(names)));
    if (!names.empty() && names.size() != shape.size())
        return invalid(fmt::format("mesh_shape and mesh_dim_names should have same length! Found len(mesh_dim_names): "
                                   "{} and len(mesh_shape):{}.",
                                   names.size(), shape.size()));
    if (std::find(names.begin(), names.end(), "") != names.end())
        return invalid(
            fmt::format("a name in mesh_dim_names {} is empty; name all dimensions or none", tupleText(names)));
    return Success{};
}

Status checkDeviceType(const std::string &type)
{
    const auto isLetter = [](unsigned char c) { return std::isalpha(c) != 0; };
    if (!type.empty() && !std::all_of(type.begin(), type.end(), isLetter))
        return invalid(fmt::format("Device type with index is not supported but got {}. If you maintained a "
                                   "'torch.device' object, it's recommended to pass in 'device.type'.",
                                   type));
    if (std::find(DeviceTypes.begin(), DeviceTypes.end(), type) == DeviceTypes.end())
        return invalid(fmt::format("Expected one of {} as the device type of the mesh, found {}.{}",
                                   fmt::join(DeviceTypes, ", "), quotedText(type),
                                   didYouMean(type, {DeviceTypes.begin(), DeviceTypes.end()})));
    return Success{};
}

Status checkShape(const std::vector<int> &shape)
{
    if (shape.empty())
        return invalid("the mesh has no dimensions; a shape such as 2,4 is expected");
    if (shape.size() > DeviceMesh::MaxDims)
        return invalid(
            fmt::format("the mesh has {} dimensions; at most {} are possible", shape.size(), DeviceMesh::MaxDims));
    std::int64_t ranks = 1;
    for (const int size : shape) {
        if (size < 1)
            return invalid(fmt::format("the mesh shape {} has the size {}; a dimension has at least 1 rank",
                                       tupleText(shape), size));
        ranks *= size;
        if (ranks > DeviceMesh::MaxRanks)
            return invalid(
                fmt::format("the mesh shape {} has more than {} ranks", tupleText(shape), DeviceMesh::MaxRanks));
    }
    return Success{};
}

Status checkRanks(const std::vector<RankId> &ranks, const std::vector<int> &shape)
{
    const auto places = static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
    if (ranks.size() != places)
        return invalid(fmt::format("the mesh shape {} has {} places and {} ranks are given; give one for each place",
                                   tupleText(shape), places, ranks.size()));
    std::vector<RankId> sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.front().valid())
        return invalid(fmt::format("the mesh has the rank {}; ranks begin at 0", sorted.front().value));
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        return invalid(fmt::format("rank {} stands in the mesh twice; a rank has one place", twice->value));
    return Success{};
}

} // namespace

Result<DeviceMesh> DeviceMesh::make(std::vector<int> shape, std::vector<std::string> names, std::string deviceType)
{
    if (auto ok = checkShape(shape); !ok)
        return ok.error();
    std::vector<RankId> ranks;
    const int count = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
    ranks.reserve(static_cast<std::size_t>(count));
    for (int rank = 0; rank < count; ++rank)
        ranks.push_back(RankId{rank});
    return fromRanks(std::move(ranks), std::move(shape), std::move(names), std::move(deviceType));
}

Result<DeviceMesh> DeviceMesh::fromRanks(std::vector<RankId> ranks, std::vector<int> shape,
                                         std::vector<std::string> names, std::string deviceType)
{
    for (const Status &checked : {checkNames(names, shape), checkDeviceType(deviceType), checkShape(shape)}) {
        if (!checked)
            return checked.error();
    }
    if (auto ok = checkRanks(ranks, shape); !ok)
        return ok.error();
    DeviceMesh mesh;
    mesh.m_shape = std::move(shape);
    mesh.m_ranks = std::make_shared<const std::vector<RankId>>(std::move(ranks));
    mesh.m_names = std::move(names);
    mesh.m_deviceType = std::move(deviceType);
    const std::vector<int> strides = mesh.strides();
    for (std::size_t dim = 0; dim < strides.size(); ++dim)
        mesh.m_axes.push_back(coalesced({{mesh.m_shape[dim], strides[dim]}}));
    return mesh;
}

Result<int> DeviceMesh::dim(std::string_view name) const
{
    if (m_names.empty())
        return Error{ErrorCode::NotFound, "No `mesh_dim_names` found.", {}, {}};
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found == m_names.end())
        return Error{ErrorCode::NotFound,
                     fmt::format("Mesh dimension {} does not exist. Available mesh dimensions are: mesh_dim_names={}",
                                 quotedText(name), tupleText(m_names)),
                     {},
                     {}};
    return static_cast<int>(found - m_names.begin());
}

std::vector<int> DeviceMesh::strides() const
{
    std::vector<int> strides(m_shape.size(), 1);
    for (std::size_t dim = m_shape.size() - 1; dim > 0; --dim)
        strides[dim - 1] = strides[dim] * m_shape[dim];
    return strides;
}

std::optional<Coordinate> DeviceMesh::coordinate(RankId rank) const
{
    if (!rank.valid())
        return std::nullopt;
    if (rank.value < size() && ranks()[rank.index()] == rank) // as in every mesh that make() made
        return coordinateAt(rank.value);
    const auto found = std::find(ranks().begin(), ranks().end(), rank);
    if (found == ranks().end())
        return std::nullopt;
    return coordinateAt(static_cast<int>(found - ranks().begin()));
}

RankId DeviceMesh::rankAt(std::span<const int> coordinate) const
{
    PIPESCOPE_ASSERT(coordinate.size() == m_shape.size());
    std::size_t place = 0;
    for (std::size_t dim = 0; dim < m_shape.size(); ++dim) {
        PIPESCOPE_ASSERT(coordinate[dim] >= 0 && coordinate[dim] < m_shape[dim]);
        place = place * static_cast<std::size_t>(m_shape[dim]) + static_cast<std::size_t>(coordinate[dim]);
    }
    return ranks()[place];
}

Coordinate DeviceMesh::coordinateAt(int i) const
{
    Coordinate coordinate(m_shape.size());
    for (std::size_t dim = m_shape.size(); dim > 0; --dim) {
        coordinate[dim - 1] = i % m_shape[dim - 1];
        i /= m_shape[dim - 1];
    }
    return coordinate;
}

std::vector<int> DeviceMesh::placesAlong(std::span<const int> dims) const
{
    const std::vector<int> stride = strides();
    std::vector<int> places{0};
    for (const int dim : dims) {
        PIPESCOPE_ASSERT(dim >= 0 && dim < ndim());
        std::vector<int> next;
        next.reserve(places.size() * static_cast<std::size_t>(size(dim)));
        for (const int place : places) {
            for (int i = 0; i < size(dim); ++i)
                next.push_back(place + i * stride[static_cast<std::size_t>(dim)]);
        }
        places = std::move(next);
    }
    return places;
}

Line DeviceMesh::line(std::span<const int> coordinate, std::span<const int> dims) const
{
    PIPESCOPE_ASSERT(coordinate.size() == m_shape.size());
    const std::vector<int> stride = strides();
    int begin = 0;
    for (int dim = 0; dim < ndim(); ++dim) {
        if (std::find(dims.begin(), dims.end(), dim) == dims.end())
            begin += coordinate[static_cast<std::size_t>(dim)] * stride[static_cast<std::size_t>(dim)];
    }
    Line line;
    for (const int place : placesAlong(dims))
        line.push_back(ranks()[static_cast<std::size_t>(begin + place)]);
    return line;
}

std::vector<Line> DeviceMesh::lines(std::span<const int> dims) const
{
    std::vector<int> others;
    for (int dim = 0; dim < ndim(); ++dim) {
        if (std::find(dims.begin(), dims.end(), dim) == dims.end())
            others.push_back(dim);
    }
    const std::vector<int> along = placesAlong(dims);
    std::vector<Line> lines;
    for (const int begin : placesAlong(others)) {
        Line line;
        line.reserve(along.size());
        for (const int place : along)
            line.push_back(ranks()[static_cast<std::size_t>(begin + place)]);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string DeviceMesh::text() const
{
    std::vector<std::string> sizes;
    for (std::size_t dim = 0; dim < m_names.size(); ++dim)
        sizes.push_back(fmt::format("{}={}", m_names[dim], m_shape[dim]));
    std::vector<std::string> strides;
    for (const Axis &axis : m_axes) {
        std::vector<int> parts;
        for (const AxisPart &part : axis)
            parts.push_back(part.stride);
        strides.push_back(parts.size() == 1 ? std::to_string(parts.front()) : tupleText(parts));
    }
    return fmt::format("DeviceMesh({}, '{}', stride=({}{}))",
                       m_names.empty() ? tupleText(m_shape) : fmt::format("({})", fmt::join(sizes, ", ")), m_deviceType,
                       fmt::join(strides, ", "), strides.size() == 1 ? "," : "");
}

} // namespace pipescope::shard

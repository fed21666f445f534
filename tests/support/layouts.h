// Layouts for tests: written as texts, made at random, and cut the slow way, index by index.
#pragma once

#include "shard/geometry.h"
#include "shard/layout.h"
#include "shard/layout_text.h"
#include "shard/parse_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::tests {

using Indices = std::vector<std::int64_t>;

inline shard::DeviceMesh meshOf(std::string_view text)
{
    return *shard::parseMesh(text);
}

/// layoutOf("2,2", "SS(0,2),S0", {8}), layoutOf("2,2", "S0,S0", {8}, "0:1,0").
inline shard::Layout layoutOf(std::string_view mesh, std::string_view placements, shard::Sizes shape,
                              std::string_view order = {})
{
    shard::LayoutRequest request{meshOf(mesh), *shard::parsePlacements(placements), std::move(shape), {}, {},
                                 "float32"};
    if (!order.empty())
        request.order = *shard::parseShardOrder(order, request.mesh);
    return *shard::Layout::make(std::move(request));
}

/// The part-th of torch.chunk(indices, parts); empty where torch.chunk gives fewer.
inline Indices chunkOf(const Indices &indices, std::int64_t parts, std::int64_t part)
{
    std::int64_t size = 1;
    while (size * parts < static_cast<std::int64_t>(indices.size()))
        ++size;
    Indices chunk;
    for (std::int64_t i = part * size; i < (part + 1) * size && i < static_cast<std::int64_t>(indices.size()); ++i)
        chunk.push_back(indices[static_cast<std::size_t>(i)]);
    return chunk;
}

/// Its chunk of every piece, one after another.
inline Indices partOf(const Indices &indices, int parts, std::int64_t splitFactor, int part)
{
    Indices held;
    for (std::int64_t piece = 0; piece < std::min<std::int64_t>(splitFactor, std::ssize(indices)); ++piece) {
        const Indices chunk = chunkOf(chunkOf(indices, splitFactor, piece), parts, part);
        held.insert(held.end(), chunk.begin(), chunk.end());
    }
    return held;
}

/// The mesh dimensions that cut a tensor dimension, in order, as placements and order say it.
inline std::vector<int> cuttersOf(const shard::Layout &layout, int tensorDim)
{
    for (const shard::ShardOrderEntry &entry : layout.order()) {
        if (entry.tensorDim == tensorDim)
            return entry.meshDims;
    }
    std::vector<int> meshDims;
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim) {
        const int *dim = shard::shardDim(layout.placements()[static_cast<std::size_t>(meshDim)]);
        if (dim != nullptr && *dim == tensorDim)
            meshDims.push_back(meshDim);
    }
    return meshDims;
}

/// The global indices that a place holds along a tensor dimension. `done` leaves out cuts of some mesh dimensions.
inline Indices heldIndices(const shard::Layout &layout, const shard::Coordinate &place, int tensorDim,
                           const std::vector<bool> &done = {})
{
    Indices held(static_cast<std::size_t>(layout.shape()[static_cast<std::size_t>(tensorDim)]));
    std::iota(held.begin(), held.end(), 0);
    for (const int meshDim : cuttersOf(layout, tensorDim)) {
        const auto at = static_cast<std::size_t>(meshDim);
        const auto *strided = std::get_if<shard::StridedShard>(&layout.placements()[at]);
        if (done.empty() || done[at])
            held = partOf(held, layout.mesh().size(meshDim), strided == nullptr ? 1 : strided->splitFactor, place[at]);
    }
    return held;
}

inline std::vector<shard::Coordinate> placesOf(const shard::DeviceMesh &mesh)
{
    std::vector<shard::Coordinate> places;
    for (int i = 0; i < mesh.size(); ++i)
        places.push_back(mesh.coordinateAt(i));
    return places;
}

/// What a random layout is made of.
struct LayoutRange
{
    int meshDims = 4;
    int meshSize = 3;
    int tensorDims = 3;
    int tensorSize = 12;
};

class RandomLayouts
{
public:
    explicit RandomLayouts(unsigned seed, const LayoutRange &range = {})
        : m_random(seed)
        , m_range(range)
    {
    }

    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }

    shard::Layout layout()
    {
        std::vector<int> meshShape(static_cast<std::size_t>(1 + below(m_range.meshDims)));
        for (int &size : meshShape)
            size = 1 + below(m_range.meshSize);
        shard::Sizes shape(static_cast<std::size_t>(1 + below(m_range.tensorDims)));
        for (std::int64_t &size : shape)
            size = below(m_range.tensorSize + 1);
        return layout(*shard::DeviceMesh::make(meshShape), shape);
    }

    /// Uneven, empty, strided and nested shards, replicas, Partial; orders where no dimension is strided.
    shard::Layout layout(const shard::DeviceMesh &mesh, const shard::Sizes &shape)
    {
        shard::LayoutRequest request{mesh, {}, shape, {}, {}, "float32"};
        const bool hasStrides = below(2) == 0;
        for (int meshDim = 0; meshDim < mesh.ndim(); ++meshDim)
            request.placements.push_back(placement(static_cast<int>(shape.size()), hasStrides));
        const shard::Layout plain = *shard::Layout::make(request);
        for (int dim = 0; !hasStrides && dim < plain.ndim(); ++dim) {
            std::vector<int> meshDims = cuttersOf(plain, dim);
            std::shuffle(meshDims.begin(), meshDims.end(), m_random);
            request.order.push_back({dim, std::move(meshDims)});
        }
        return *shard::Layout::make(std::move(request));
    }

private:
    shard::Placement placement(int ndim, bool hasStrides)
    {
        switch (below(hasStrides ? 6 : 4)) {
        case 0:
            return shard::Replicate{};
        case 1:
            return shard::Partial{};
        case 2:
        case 3:
            return shard::Shard{below(ndim)};
        default:
            return shard::StridedShard{below(ndim), below(10) == 0 ? 1000 : 1 + below(7)};
        }
    }

    std::mt19937 m_random;
    LayoutRange m_range;
};

} // namespace pipescope::tests

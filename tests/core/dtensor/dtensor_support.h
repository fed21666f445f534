// Meshes, placements and local tensors worked out without core/shard, for tests of tensors over a mesh.
#pragma once

#include "core/dtensor/on_ranks.h"
#include "dtensor/dtensor.h"

#include <algorithm>
#include <mutex>

namespace pipescope::tests {

inline shard::DeviceMesh meshOf(std::vector<int> shape, std::vector<std::string> names = {})
{
    auto mesh = shard::DeviceMesh::make(std::move(shape), std::move(names));
    return *std::move(mesh);
}

/// "S0,R" and the like.
inline shard::Placements placementsOf(std::string_view text)
{
    auto placements = shard::parsePlacements(text);
    return *std::move(placements);
}

/// Pieces of torch.chunk, with the empty ones at the end that it leaves out.
inline std::vector<at::Tensor> chunksOf(const at::Tensor &whole, std::int64_t count, std::int64_t dim)
{
    std::vector<at::Tensor> chunks = at::chunk(whole, count, dim);
    while (static_cast<std::int64_t>(chunks.size()) < count)
        chunks.push_back(whole.narrow(dim, 0, 0));
    return chunks;
}

/// What the rank holds of a tensor that is cut by plain and strided shards from the left; nothing else changes it.
inline at::Tensor partOf(at::Tensor whole, const shard::DeviceMesh &mesh, const shard::Placements &placements,
                         RankId rank)
{
    const shard::Coordinate here = *mesh.coordinate(rank);
    for (int meshDim = 0; meshDim < mesh.ndim(); ++meshDim) {
        const auto index = static_cast<std::size_t>(meshDim);
        const shard::Placement &placement = placements[index];
        const auto place = static_cast<std::size_t>(here[index]);
        if (const auto *shard = std::get_if<shard::Shard>(&placement))
            whole = chunksOf(whole, mesh.size(meshDim), shard->dim)[place];
        if (const auto *strided = std::get_if<shard::StridedShard>(&placement)) {
            std::vector<at::Tensor> kept;
            for (const at::Tensor &piece : at::chunk(whole, strided->splitFactor, strided->dim))
                kept.push_back(chunksOf(piece, mesh.size(meshDim), strided->dim)[place]);
            whole = at::cat(kept, strided->dim);
        }
    }
    return whole;
}

/// A run with the collectives that it made, those of rank 0: "scatter 144>36", "broadcast(dp) 0>144".
struct Traffic
{
    Status status = Success{};
    std::vector<std::string> collectives;
};

inline Traffic trafficOf(int ranks, const dtensor::RankProgram &program)
{
    Traffic traffic;
    std::mutex mutex;
    dtensor::CollectiveOptions options;
    options.listener = [&](const dtensor::CollectiveEvent &event) {
        if (event.rank.value != 0)
            return;
        const std::lock_guard lock(mutex);
        const std::string dims = event.meshDims.empty() ? "" : "(" + event.meshDims + ")";
        traffic.collectives.push_back(std::string(kindName(event.kind)) + dims + " " + std::to_string(event.bytesIn) +
                                      ">" + std::to_string(event.bytesOut));
    };
    traffic.status = dtensor::runSpmd(ranks, program, std::move(options));
    return traffic;
}

} // namespace pipescope::tests

#include "layout_output.h"
#include "shard/geometry.h"
#include "shard/layout_totals.h"

#include <algorithm>

namespace pipescope::app {

namespace {

using nlohmann::json;

json meshJson(const shard::DeviceMesh &mesh)
{
    return {{"shape", mesh.shape()},
            {"names", mesh.names().empty() ? json(nullptr) : json(mesh.names())},
            {"device_type", mesh.deviceType()},
            {"ranks", mesh.size()}};
}

json orderJson(const shard::ShardOrder &order)
{
    json entries = json::array();
    for (const shard::ShardOrderEntry &entry : order)
        entries.push_back({{"tensor_dim", entry.tensorDim}, {"mesh_dims", entry.meshDims}});
    return entries;
}

json rankJson(const shard::Layout &layout, int i, std::size_t mostRanges)
{
    const shard::Coordinate place = layout.mesh().coordinateAt(i);
    const shard::LocalShard local = localShard(layout, place);
    std::int64_t bytes = layout.itemSize();
    for (const std::int64_t size : local.sizes)
        bytes *= size;
    json ranges = json::array();
    bool complete = true;
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        const shard::HeldRanges held = heldRanges(layout, place, dim, mostRanges);
        json ofDim = json::array();
        for (const shard::IndexRange &range : held.ranges)
            ofDim.push_back({range.begin, range.end});
        ranges.push_back(std::move(ofDim));
        complete = complete && held.complete;
    }
    return {{"rank", layout.mesh().ranks()[static_cast<std::size_t>(i)].value},
            {"coordinate", place},
            {"shape", local.sizes},
            {"offset", local.offsets},
            {"ranges", std::move(ranges)},
            {"ranges_complete", complete},
            {"bytes", bytes}};
}

} // namespace

json toJson(const shard::Layout &layout, Detail detail)
{
    const LayoutLimits limits = limitsOf(detail);
    const shard::LayoutTotals totals = layoutTotals(layout);
    const int ranks = layout.mesh().size();
    const auto shown = static_cast<int>(std::min(limits.ranks, static_cast<std::size_t>(ranks)));
    json listed = json::array();
    for (int i = 0; i < shown; ++i)
        listed.push_back(rankJson(layout, i, limits.ranges));
    json placements = json::array();
    for (const shard::Placement &placement : layout.placements())
        placements.push_back(shard::shortText(placement));
    json empty = json::array();
    for (std::size_t i = 0; i < std::min(limits.ranks, totals.empty.size()); ++i)
        empty.push_back(totals.empty[i].value);
    return {{"shape", layout.shape()},
            {"dtype", layout.dtype()},
            {"bytes", layout.numel() * layout.itemSize()},
            {"mesh", meshJson(layout.mesh())},
            {"placements", std::move(placements)},
            {"order", orderJson(layout.order())},
            {"layout", layout.text()},
            {"copies", totals.copies},
            {"largest_bytes", totals.largestBytes},
            {"empty_rank_count", totals.empty.size()},
            {"empty_ranks", std::move(empty)},
            {"ranks", std::move(listed)},
            {"ranks_left_out", ranks - shown}};
}

} // namespace pipescope::app

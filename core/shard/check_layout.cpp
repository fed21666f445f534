#include "shard/check_layout.h"

#include "base/quoted_text.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace pipescope::shard {

namespace {

Error refused(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

/// "'max', 'sum'": what Partial placements reduce with, sorted; NormPartial by its p.
std::set<std::string> reductions(const Placements &placements)
{
    std::set<std::string> names;
    for (const Placement &placement : placements) {
        if (const auto *partial = std::get_if<Partial>(&placement))
            names.insert(fmt::format("'{}'", reduceOpName(partial->op)));
        if (const auto *norm = std::get_if<NormPartial>(&placement))
            names.insert(fmt::format("'norm {}'", norm->p));
    }
    return names;
}

Status checkPartials(const Placements &placements)
{
    const std::set<std::string> found = reductions(placements);
    const bool commute = found == std::set<std::string>{"'avg'", "'sum'"};
    if (found.size() > 1 && !commute)
        return refused(fmt::format("Mixed Partial reduce types are not supported in the same placement list. Found "
                                   "reduce ops: {{{}}}. Please ensure all Partial placements use the same reduce "
                                   "operation.",
                                   fmt::join(found, ", ")));
    return Success{};
}

/// In range, and not negative afterwards.
Status normalizeDim(int &dim, std::size_t meshDim, int ndim)
{
    if (ndim == 0)
        return refused(fmt::format("Sharding dim {} greater than tensor ndim 0 for placement number {}: a tensor "
                                   "without dimensions is replicated or partial",
                                   dim, meshDim));
    if (dim < -ndim || dim >= ndim)
        return refused(fmt::format("Sharding dim {} greater than tensor ndim {} for placement number {}: it is from {} "
                                   "to {}",
                                   dim, ndim, meshDim, -ndim, ndim - 1));
    dim += dim < 0 ? ndim : 0;
    return Success{};
}

Status normalizePlacement(Placement &placement, std::size_t meshDim, int ndim)
{
    if (auto *shard = std::get_if<Shard>(&placement))
        return normalizeDim(shard->dim, meshDim, ndim);
    if (auto *strided = std::get_if<StridedShard>(&placement)) {
        if (strided->splitFactor < 1)
            return refused(
                fmt::format("{} for placement number {} has a split factor below 1", text(placement), meshDim));
        return normalizeDim(strided->dim, meshDim, ndim);
    }
    const auto *norm = std::get_if<NormPartial>(&placement);
    if (norm != nullptr && (norm->p == 0 || !std::isfinite(norm->p)))
        return refused(fmt::format("{} for placement number {}: p is neither 0 nor infinite; Partial(sum), "
                                   "Partial(max) and Partial(min) stand for the norms of 0, inf and -inf",
                                   text(placement), meshDim));
    return Success{};
}

std::string entryText(const ShardOrderEntry &entry)
{
    return fmt::format("ShardOrderEntry(tensor_dim={}, mesh_dims=({}{}))", entry.tensorDim,
                       fmt::join(entry.meshDims, ", "), entry.meshDims.size() == 1 ? "," : "");
}

/// The mesh dimensions that cut a tensor dimension, from the left.
std::vector<int> cutters(const Placements &placements, int tensorDim)
{
    std::vector<int> meshDims;
    for (std::size_t meshDim = 0; meshDim < placements.size(); ++meshDim) {
        const int *dim = shardDim(placements[meshDim]);
        if (dim != nullptr && *dim == tensorDim)
            meshDims.push_back(static_cast<int>(meshDim));
    }
    return meshDims;
}

Status checkEntry(const ShardOrderEntry &entry, const LayoutRequest &request)
{
    const std::vector<int> fromLeft = cutters(request.placements, entry.tensorDim);
    std::vector<int> sorted = entry.meshDims;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != fromLeft && fromLeft.empty())
        return refused(
            fmt::format("shard_order {} is of a tensor dim that no placement shards: leave it out", entryText(entry)));
    if (sorted != fromLeft)
        return refused(fmt::format("shard_order {} is no order of the mesh dims that shard tensor dim {}: name each of "
                                   "({}) once",
                                   entryText(entry), entry.tensorDim, fmt::join(fromLeft, ", ")));
    const auto isStrided = [&](int meshDim) {
        return std::holds_alternative<StridedShard>(request.placements[static_cast<std::size_t>(meshDim)]);
    };
    if (entry.meshDims != fromLeft && std::any_of(fromLeft.begin(), fromLeft.end(), isStrided))
        return refused(fmt::format("shard_order {} is of a tensor dim with a _StridedShard, whose split factor says an "
                                   "order, too. This may result in conflicting shard order: use Shard, or leave out "
                                   "the order",
                                   entryText(entry)));
    return Success{};
}

} // namespace

Result<const Dtype *> checkDtype(std::string_view word)
{
    if (const Dtype *known = dtypeOf(word))
        return known;
    std::vector<std::string> names;
    names.reserve(Dtypes.size());
    for (const Dtype &dtype : Dtypes)
        names.emplace_back(dtype.name);
    return refused(fmt::format("there is no dtype {}; one such as float32, bfloat16 or int64 is expected.{}",
                               quotedText(word), didYouMean(word, names)));
}

Status checkShape(const LayoutRequest &request, int itemSize)
{
    if (request.shape.size() > Layout::MaxDims)
        return refused(fmt::format("the tensor has {} dimensions; at most {} are possible", request.shape.size(),
                                   Layout::MaxDims));
    std::int64_t bytes = itemSize;
    for (const std::int64_t size : request.shape) {
        if (size < 0)
            return refused(
                fmt::format("the shape [{}] has the negative size {}", fmt::join(request.shape, ", "), size));
        const std::int64_t factor = std::max<std::int64_t>(size, 1);
        if (bytes > std::numeric_limits<std::int64_t>::max() / factor)
            return refused(fmt::format("a tensor of shape [{}] has more than 2^63 - 1 bytes; make it smaller",
                                       fmt::join(request.shape, ", ")));
        bytes *= factor;
    }
    if (!request.stride.empty() && request.stride.size() != request.shape.size())
        return refused(fmt::format("the stride ({}) has {} numbers and the shape [{}] has {}; give one for each "
                                   "dimension",
                                   fmt::join(request.stride, ", "), request.stride.size(),
                                   fmt::join(request.shape, ", "), request.shape.size()));
    if (std::any_of(request.stride.begin(), request.stride.end(), [](std::int64_t step) { return step < 0; }))
        return refused(fmt::format("the stride ({}) has a negative number, which PyTorch does not allow",
                                   fmt::join(request.stride, ", ")));
    return Success{};
}

Status normalizePlacements(LayoutRequest &request)
{
    if (request.placements.size() != static_cast<std::size_t>(request.mesh.ndim()))
        return refused(fmt::format("`placements` must have the same length as `device_mesh.ndim`! Found placements "
                                   "length: {}, and device_mesh.ndim: {}.",
                                   request.placements.size(), request.mesh.ndim()));
    for (std::size_t meshDim = 0; meshDim < request.placements.size(); ++meshDim) {
        const auto ok =
            normalizePlacement(request.placements[meshDim], meshDim, static_cast<int>(request.shape.size()));
        if (!ok)
            return ok.error();
    }
    return checkPartials(request.placements);
}

Status normalizeOrder(LayoutRequest &request)
{
    const auto ndim = static_cast<int>(request.shape.size());
    std::set<int> known;
    for (ShardOrderEntry &entry : request.order) {
        if (entry.tensorDim < -ndim || entry.tensorDim >= ndim)
            return refused(fmt::format("shard_order {} has invalid tensor dim {}: the tensor has {} dimensions",
                                       entryText(entry), entry.tensorDim, ndim));
        entry.tensorDim += entry.tensorDim < 0 ? ndim : 0;
        if (!known.insert(entry.tensorDim).second)
            return refused(fmt::format("shard_order has two entries for tensor dim {}; give one", entry.tensorDim));
        if (auto ok = checkEntry(entry, request); !ok)
            return ok.error();
    }
    std::erase_if(request.order, [](const ShardOrderEntry &entry) {
        return std::is_sorted(entry.meshDims.begin(), entry.meshDims.end());
    });
    std::sort(request.order.begin(), request.order.end(),
              [](const ShardOrderEntry &a, const ShardOrderEntry &b) { return a.tensorDim < b.tensorDim; });
    return Success{};
}

} // namespace pipescope::shard

#include "shard/layout.h"

#include "base/dtype.h"
#include "shard/check_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::shard {

namespace {

Sizes contiguousStride(const Sizes &shape)
{
    Sizes stride(shape.size(), 1);
    for (std::size_t dim = shape.size(); dim > 1; --dim)
        stride[dim - 2] = stride[dim - 1] * std::max<std::int64_t>(shape[dim - 1], 1);
    return stride;
}

} // namespace

Result<Layout> Layout::make(LayoutRequest request)
{
    const Result<const Dtype *> dtype = checkDtype(request.dtype);
    if (!dtype)
        return dtype.error();
    if (auto ok = checkShape(request, (*dtype)->bytes); !ok)
        return ok.error();
    if (auto ok = normalizePlacements(request); !ok)
        return ok.error();
    if (auto ok = normalizeOrder(request); !ok)
        return ok.error();
    Data data{std::move(request.mesh),  std::move(request.placements), std::move(request.order),
              std::move(request.shape), std::move(request.stride),     std::string((*dtype)->name)};
    if (data.stride.empty())
        data.stride = contiguousStride(data.shape);
    Layout layout(std::move(data));
    layout.m_itemSize = (*dtype)->bytes;
    layout.addCuts();
    return layout;
}

void Layout::addCuts()
{
    m_cuts.resize(m_data.shape.size());
    for (std::size_t meshDim = 0; meshDim < m_data.placements.size(); ++meshDim) {
        const int *dim = shardDim(m_data.placements[meshDim]);
        if (dim == nullptr)
            continue;
        const auto *strided = std::get_if<StridedShard>(&m_data.placements[meshDim]);
        m_cuts[static_cast<std::size_t>(*dim)].push_back(
            {static_cast<int>(meshDim), strided == nullptr ? 1 : strided->splitFactor});
    }
    for (const ShardOrderEntry &entry : m_data.order) {
        std::vector<Cut> &cuts = m_cuts[static_cast<std::size_t>(entry.tensorDim)];
        for (std::size_t i = 0; i < cuts.size(); ++i)
            cuts[i] = {entry.meshDims[i], 1};
    }
}

std::int64_t Layout::numel() const
{
    std::int64_t count = 1;
    for (const std::int64_t size : m_data.shape)
        count *= size;
    return count;
}

std::string Layout::text() const
{
    std::string all;
    for (std::size_t meshDim = 0; meshDim < m_data.placements.size(); ++meshDim) {
        const Placement &placement = m_data.placements[meshDim];
        all += shortText(placement);
        const int *dim = shardDim(placement);
        if (dim == nullptr)
            continue;
        const std::vector<Cut> &cutsOfDim = cuts(*dim);
        const auto isStrided = [this](const Cut &cut) {
            return std::holds_alternative<StridedShard>(m_data.placements[static_cast<std::size_t>(cut.meshDim)]);
        };
        if (cutsOfDim.size() < 2 || std::any_of(cutsOfDim.begin(), cutsOfDim.end(), isStrided))
            continue;
        const auto isThis = [meshDim](const Cut &cut) { return cut.meshDim == static_cast<int>(meshDim); };
        all += fmt::format("[{}]", std::find_if(cutsOfDim.begin(), cutsOfDim.end(), isThis) - cutsOfDim.begin());
    }
    return all;
}

std::string Layout::specText() const
{
    return fmt::format("Spec({}[{}]({}))", dtypeOf(m_data.dtype)->abbreviation, fmt::join(m_data.shape, ", "), text());
}

} // namespace pipescope::shard

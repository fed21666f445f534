#include "shardview/shard_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pipescope::shardview {

namespace {

using shard::IndexRange;
using shard::Layout;

std::int64_t lengthOf(const IndexRange &range)
{
    return range.end - range.begin;
}

/// A dimension of this length by itself, which `cuts` cut one after another.
Layout alone(const shard::DeviceMesh *whole, const std::vector<shard::Cut> &cuts, std::int64_t length)
{
    std::vector<int> shape;
    shard::Placements placements;
    for (const shard::Cut &cut : cuts) {
        shape.push_back(whole->size(cut.meshDim));
        placements.push_back(cut.splitFactor == 1 ? shard::Placement(shard::Shard{0})
                                                  : shard::StridedShard{0, cut.splitFactor});
    }
    if (cuts.empty()) {
        shape.push_back(1);
        placements.emplace_back(shard::Replicate{});
    }
    return *Layout::make({*shard::DeviceMesh::make(std::move(shape)), std::move(placements), {length}, {}, {}});
}

/// The largest k of 0 to `most` that holds, where 0 does and none does after one that does not.
template <class Holds>
std::int64_t furthest(std::int64_t most, const Holds &holds)
{
    if (holds(most))
        return most;
    std::int64_t low = 0;
    std::int64_t high = 1;
    while (high < most && holds(high)) {
        low = high;
        high = high > most / 2 ? most : 2 * high;
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

} // namespace

ShardAxis::ShardAxis()
    : m_alone(alone(nullptr, {}, 1))
    , m_shards(localShards(m_alone))
{
}

ShardAxis::ShardAxis(const Layout &layout, int tensorDim)
    : m_length(layout.shape()[static_cast<std::size_t>(tensorDim)])
    , m_alone(alone(&layout.mesh(), layout.cuts(tensorDim), m_length))
    , m_shards(localShards(m_alone))
{
    for (const shard::Cut &cut : layout.cuts(tensorDim))
        m_meshDims.push_back(cut.meshDim);
    m_largest = 0;
    for (int part = 0; part < parts(); ++part)
        m_largest = std::max(m_largest, size(part));
    layGaps();
}

void ShardAxis::layGaps()
{
    for (int part = 0; part < parts(); ++part) {
        const std::int64_t size = this->size(part);
        if (size == 0 || size == m_largest) // one without elements has no place in the picture
            continue;
        const std::int64_t last = globalIndex(m_alone, m_alone.mesh().coordinateAt(part), 0, size - 1);
        m_gaps.push_back({last + 1, 0, m_largest - size, part});
    }
    std::sort(m_gaps.begin(), m_gaps.end(), [](const Gap &a, const Gap &b) { return a.index < b.index; });
    std::int64_t before = 0;
    for (Gap &gap : m_gaps) {
        gap.position = gap.index + before;
        before += gap.size;
        if (before > std::numeric_limits<std::int64_t>::max() / 2 - m_length) { // no place has a number any more
            m_gaps.clear();
            return;
        }
    }
}

std::int64_t ShardAxis::extent() const
{
    return positionOf(m_length);
}

ShardAxis::Run ShardAxis::runFrom(std::int64_t index) const
{
    const shard::Band band = shard::bands(m_alone, 0, index, 1).front();
    return {band.parts.empty() ? 0 : m_alone.mesh().rankAt(band.parts).value, band.range.end};
}

int ShardAxis::partAt(std::int64_t index) const
{
    return runFrom(index).part;
}

int ShardAxis::partOf(const shard::Coordinate &place) const
{
    shard::Coordinate cutting;
    for (const int meshDim : m_meshDims)
        cutting.push_back(place[static_cast<std::size_t>(meshDim)]);
    return cutting.empty() ? 0 : m_alone.mesh().rankAt(cutting).value;
}

void ShardAxis::setPlace(int part, shard::Coordinate &place) const
{
    const shard::Coordinate cutting = m_alone.mesh().coordinateAt(part);
    for (std::size_t i = 0; i < m_meshDims.size(); ++i)
        place[static_cast<std::size_t>(m_meshDims[i])] = cutting[i];
}

const ShardAxis::Gap *ShardAxis::gapAt(std::int64_t position) const
{
    const auto after = std::upper_bound(m_gaps.begin(), m_gaps.end(), position,
                                        [](std::int64_t at, const Gap &gap) { return at < gap.position; });
    if (after == m_gaps.begin())
        return nullptr;
    const Gap &gap = *(after - 1);
    return position < gap.position + gap.size ? &gap : nullptr;
}

std::int64_t ShardAxis::indexAt(std::int64_t position) const
{
    const auto after = std::upper_bound(m_gaps.begin(), m_gaps.end(), position,
                                        [](std::int64_t at, const Gap &gap) { return at < gap.position; });
    if (after == m_gaps.begin())
        return position;
    const Gap &gap = *(after - 1);
    return position < gap.position + gap.size ? gap.index : position - gap.position - gap.size + gap.index;
}

std::int64_t ShardAxis::positionOf(std::int64_t index) const
{
    const auto after = std::upper_bound(m_gaps.begin(), m_gaps.end(), index,
                                        [](std::int64_t at, const Gap &gap) { return at < gap.index; });
    if (after == m_gaps.begin())
        return index;
    const Gap &gap = *(after - 1);
    return gap.position + gap.size + index - gap.index;
}

AxisSpot ShardAxis::spotAt(std::int64_t position) const
{
    if (const Gap *gap = gapAt(position))
        return {gap->part, std::nullopt};
    const std::int64_t index = indexAt(position);
    return {partAt(index), index};
}

IndexRange ShardAxis::runAt(std::int64_t index) const
{
    const Run run = runFrom(index);
    const shard::Coordinate place = m_alone.mesh().coordinateAt(run.part);
    const std::int64_t local = *localIndex(m_alone, place, 0, index);
    const std::int64_t before = furthest(
        local, [&](std::int64_t step) { return globalIndex(m_alone, place, 0, local - step) == index - step; });
    return {index - before, run.end};
}

AxisBand ShardAxis::heldOrMixed(std::int64_t position, std::int64_t perPixel) const
{
    const std::int64_t index = indexAt(position);
    const IndexRange run = runAt(index);
    if (lengthOf(run) >= perPixel) {
        const std::int64_t begin = positionOf(run.begin);
        return {AxisBand::Kind::Held, {begin, begin + lengthOf(run)}, run, partAt(index)};
    }
    std::int64_t end = position + run.end - index;
    const bool isLongNext = run.end < m_length && gapAt(end) == nullptr && lengthOf(runAt(run.end)) >= perPixel;
    if (!isLongNext)
        end = std::min(extent(), std::max(end, position + perPixel));
    return {AxisBand::Kind::Mixed, {position, end}, {index, indexAt(end)}, -1};
}

std::vector<AxisBand> ShardAxis::bands(double begin, double end, int pixels) const
{
    using Kind = AxisBand::Kind;
    std::vector<AxisBand> bands;
    const auto most = static_cast<double>(extent());
    const double first = std::clamp(std::floor(begin), 0.0, most);
    const double last = std::clamp(std::ceil(end), first, most);
    const auto perPixel = std::max<std::int64_t>(1, static_cast<std::int64_t>((last - first) / std::max(1, pixels)));
    const std::int64_t stop = std::min(extent(), static_cast<std::int64_t>(last));
    for (std::int64_t position = static_cast<std::int64_t>(first); position < stop;) {
        AxisBand *before = bands.empty() ? nullptr : &bands.back();
        const bool isAfterMixed = before != nullptr && before->kind == Kind::Mixed;
        const Gap *gap = gapAt(position);
        if (gap != nullptr && isAfterMixed && gap->size < perPixel) {
            position = before->positions.end = gap->position + gap->size;
            continue;
        }
        const AxisBand band = gap != nullptr ? AxisBand{Kind::Padding,
                                                        {gap->position, gap->position + gap->size},
                                                        {gap->index, gap->index},
                                                        gap->part}
                                             : heldOrMixed(position, perPixel);
        position = band.positions.end;
        if (isAfterMixed && band.kind == Kind::Mixed) {
            before->positions.end = band.positions.end;
            before->indices.end = band.indices.end;
            continue;
        }
        if (isAfterMixed) { // which was as long as a pixel, and so may have gone too far
            before->positions.end = band.positions.begin;
            before->indices.end = band.indices.begin;
            if (before->positions.begin >= before->positions.end)
                bands.pop_back();
        }
        bands.push_back(band);
    }
    return bands;
}

} // namespace pipescope::shardview

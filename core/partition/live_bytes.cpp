#include "partition/live_bytes.h"

#include "ops/operator.h"
#include "partition/shared_memory.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pipescope::partition {

namespace {

/// Bytes of the largest result of a class, and of the largest argument or the like that has its memory.
struct Sizes
{
    std::int64_t result = 0;
    std::int64_t outside = 0;
};

/// By class. nullopt where a result's are not known.
std::optional<std::map<int, Sizes>> sizesOf(const graph::ModelGraph &graph, const std::vector<int> &classOf)
{
    std::map<int, Sizes> sizes;
    for (const graph::Value &value : graph.values) {
        Sizes &of = sizes[classOf[value.id.index()]];
        if (value.kind == graph::ValueKind::Inner)
            continue;
        if (value.kind != graph::ValueKind::Result) {
            of.outside = std::max(of.outside, value.bytes.value_or(0));
            continue;
        }
        if (!value.bytes)
            return std::nullopt;
        of.result = std::max(of.result, *value.bytes);
    }
    return sizes;
}

bool isConvolution(const graph::Node &node)
{
    const std::optional<ops::Flops> &flops = ops::of(node).flops;
    return flops && (flops->rule == ops::FlopRule::Conv || flops->rule == ops::FlopRule::ConvTranspose ||
                     flops->rule == ops::FlopRule::Convolution);
}

/// The larger one of the two is there once more, in the other layout.
std::int64_t workingBytes(const graph::ModelGraph &graph, const graph::Node &node)
{
    if (!isConvolution(node) || node.operands.empty() || !node.operands.front().valid() || node.outputs.empty())
        return 0;
    return std::max(graph.value(node.operands.front()).bytes.value_or(0),
                    graph.value(node.outputs.front()).bytes.value_or(0));
}

} // namespace

std::optional<LiveBytes> LiveBytes::of(const graph::ModelGraph &graph)
{
    const std::vector<int> classOf = memoryBans(graph).classOf;
    const auto sizes = sizesOf(graph, classOf);
    if (!sizes)
        return std::nullopt;
    std::map<int, Block> blocks;
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        for (const ValueId used : node.uses)
            if (const auto block = blocks.find(classOf[used.index()]); block != blocks.end())
                block->second.uses.push_back(position);
        for (const ValueId made : node.outputs) {
            const auto [block, isNew] = blocks.try_emplace(classOf[made.index()]);
            if (isNew)
                block->second.made = position;
            block->second.uses.push_back(position); // a view that is made there uses what it shows
        }
    }
    for (const ValueId output : graph.outputs)
        if (const auto block = blocks.find(classOf[output.index()]); block != blocks.end())
            block->second.isReturned = true;
    LiveBytes live;
    for (int position = 0; position < graph.size(); ++position)
        live.m_working.push_back(workingBytes(graph, graph.at(position)));
    for (auto &[number, block] : blocks) {
        const Sizes &of = sizes->at(number);
        block.bytes = of.result > of.outside ? of.result : 0; // else it may be what was there before
        if (block.bytes > 0)
            live.m_blocks.push_back(std::move(block));
    }
    return live;
}

std::int64_t LiveBytes::peak(int begin, int end) const
{
    if (begin >= end)
        return 0;
    std::vector<std::int64_t> change(static_cast<std::size_t>(end - begin) + 1);
    for (const Block &block : m_blocks) {
        const auto after = std::lower_bound(block.uses.begin(), block.uses.end(), end);
        if (block.made >= end || after == block.uses.begin() || *std::prev(after) < begin)
            continue;
        const bool isHandedOn = block.made >= begin && (after != block.uses.end() || block.isReturned);
        const int last = isHandedOn ? end - 1 : *std::prev(after);
        change[static_cast<std::size_t>(std::max(block.made, begin) - begin)] += block.bytes;
        change[static_cast<std::size_t>(last - begin) + 1] -= block.bytes;
    }
    std::partial_sum(change.begin(), change.end(), change.begin());
    for (int position = begin; position < end; ++position)
        change[static_cast<std::size_t>(position - begin)] += m_working[static_cast<std::size_t>(position)];
    return *std::max_element(change.begin(), change.end());
}

std::int64_t LiveBytes::across(int position) const
{
    std::int64_t bytes = 0;
    for (const Block &block : m_blocks)
        if (block.made < position && block.uses.back() >= position)
            bytes += block.bytes;
    return bytes;
}

std::int64_t LiveBytes::returned() const
{
    std::int64_t bytes = 0;
    for (const Block &block : m_blocks)
        if (block.isReturned)
            bytes += block.bytes;
    return bytes;
}

std::int64_t LiveBytes::all() const
{
    std::int64_t bytes = 0;
    for (const Block &block : m_blocks)
        bytes += block.bytes;
    return bytes;
}

} // namespace pipescope::partition

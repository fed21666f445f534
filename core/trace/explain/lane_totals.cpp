#include "trace/explain/lane_totals.h"

#include <algorithm>

namespace pipescope::trace {

namespace {

bool touches(TimeRange time, TimeRange span)
{
    return time.beginNs < span.endNs && (time.endNs > span.beginNs || time.beginNs >= span.beginNs);
}

double sharedNs(TimeRange time, TimeRange span)
{
    const TimeRange shared{std::max(time.beginNs, span.beginNs), std::min(time.endNs, span.endNs)};
    return std::max(0.0, shared.spanNs());
}

void addSlice(const Slice &slice, double ns, const Trace &trace, Totals &totals)
{
    // A wait is told by the bubble it lies in.
    if (slice.kind == EventKind::Wait)
        return;
    totals.ns[static_cast<std::size_t>(useOf(slice))] += ns;
    const auto bytes = static_cast<double>(trace.events[slice.event].bytes);
    switch (slice.kind) {
    case EventKind::Compute:
        ++totals.actions;
        break;
    case EventKind::Send:
        ++totals.sends;
        totals.sentBytes += bytes;
        break;
    case EventKind::Receive:
        ++totals.receives;
        totals.receivedBytes += bytes;
        break;
    case EventKind::Wait:
        break;
    }
}

void addBubble(const Bubble &bubble, double ns, Totals &totals)
{
    totals.ns[static_cast<std::size_t>(useOf(bubble.cause))] += ns;
}

} // namespace

Use useOf(schedule::ActionKind compute)
{
    switch (compute) {
    case schedule::ActionKind::FullBackward:
        return Use::Backward;
    case schedule::ActionKind::BackwardInput:
        return Use::InputGradient;
    case schedule::ActionKind::BackwardWeight:
        return Use::WeightGradient;
    default:
        break;
    }
    return Use::Forward;
}

Use useOf(const Slice &slice)
{
    if (slice.kind == EventKind::Send)
        return Use::Send;
    if (slice.kind == EventKind::Receive)
        return Use::Receive;
    return useOf(slice.action);
}

Use useOf(BubbleCause cause)
{
    switch (cause) {
    case BubbleCause::WarmUp:
        return Use::Fill;
    case BubbleCause::CoolDown:
        return Use::Drain;
    case BubbleCause::Input:
        return Use::Input;
    case BubbleCause::Credit:
        return Use::Credit;
    case BubbleCause::Device:
        return Use::Device;
    case BubbleCause::NotRunning:
        return Use::NotRunning;
    case BubbleCause::Runtime:
        break;
    }
    return Use::Runtime;
}

void Totals::add(const Totals &other)
{
    for (std::size_t i = 0; i < ns.size(); ++i)
        ns[i] += other.ns[i];
    actions += other.actions;
    sends += other.sends;
    receives += other.receives;
    sentBytes += other.sentBytes;
    receivedBytes += other.receivedBytes;
}

std::vector<LaneTotals::Block> LaneTotals::blocksOf(const auto &items, const auto &addWhole)
{
    std::vector<Block> blocks;
    blocks.reserve(items.size() / BlockSize + 1);
    for (std::size_t first = 0; first < items.size(); first += BlockSize) {
        Block block{items[first].time.beginNs, items[first].time.endNs, {}};
        for (std::size_t i = first; i < std::min(first + BlockSize, items.size()); ++i) {
            block.endNs = std::max(block.endNs, items[i].time.endNs);
            addWhole(items[i], block.totals);
        }
        blocks.push_back(block);
    }
    return blocks;
}

void LaneTotals::addBlocks(const std::vector<Block> &blocks, TimeRange span, Totals &totals, const auto &addItem)
{
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block &block = blocks[i];
        if (block.beginNs >= span.endNs)
            return;
        if (block.beginNs >= span.beginNs && block.endNs < span.endNs) {
            totals.add(block.totals);
            continue;
        }
        if (block.endNs < span.beginNs)
            continue;
        for (std::size_t item = i * BlockSize; item < (i + 1) * BlockSize; ++item)
            addItem(item);
    }
}

LaneTotals::LaneTotals(std::span<const Slice> slices, std::span<const Bubble> bubbles, const Trace &trace)
{
    m_slices = blocksOf(
        slices, [&](const Slice &slice, Totals &totals) { addSlice(slice, slice.time.spanNs(), trace, totals); });
    m_bubbles = blocksOf(bubbles,
                         [](const Bubble &bubble, Totals &totals) { addBubble(bubble, bubble.time.spanNs(), totals); });
}

Totals LaneTotals::in(TimeRange span, std::span<const Slice> slices, std::span<const Bubble> bubbles,
                      const Trace &trace) const
{
    Totals totals;
    addBlocks(m_slices, span, totals, [&](std::size_t i) {
        if (i < slices.size() && touches(slices[i].time, span))
            addSlice(slices[i], sharedNs(slices[i].time, span), trace, totals);
    });
    addBlocks(m_bubbles, span, totals, [&](std::size_t i) {
        if (i < bubbles.size())
            addBubble(bubbles[i], sharedNs(bubbles[i].time, span), totals);
    });
    return totals;
}

} // namespace pipescope::trace

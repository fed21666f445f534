#include "graphview/layout_cache.h"

#include <functional>

namespace pipescope::graphview {

namespace {

std::size_t hashOf(const LayeredInput &input)
{
    std::size_t hash = input.nodes.size() * 31 + input.edges.size();
    const auto mix = [&hash](auto value) {
        hash = (hash ^ std::hash<decltype(value)>{}(value)) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 31U;
    };
    for (const LayoutNode &node : input.nodes) {
        mix(node.width);
        mix(node.height);
        mix(static_cast<int>(node.pin));
    }
    for (const LayoutEdge &edge : input.edges) {
        mix(edge.from);
        mix(edge.to);
        mix(edge.fromX);
        mix(edge.toX);
    }
    return hash;
}

} // namespace

std::shared_ptr<const LayeredOutput> LayoutCache::layOut(const LayeredInput &input, const std::stop_token &stop)
{
    const std::size_t hash = hashOf(input);
    const auto [first, last] = m_entries.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
        if (entry->second.input == input) {
            entry->second.used = true;
            return entry->second.output;
        }
    }
    std::optional<LayeredOutput> output = layOutLayers(input, stop);
    if (!output)
        return nullptr;
    ++m_computed;
    auto shared = std::make_shared<const LayeredOutput>(*std::move(output));
    m_entries.emplace(hash, Entry{input, shared, true});
    return shared;
}

void LayoutCache::forgetUnused()
{
    std::erase_if(m_entries, [](const auto &entry) { return !entry.second.used; });
    for (auto &entry : m_entries)
        entry.second.used = false;
}

} // namespace pipescope::graphview

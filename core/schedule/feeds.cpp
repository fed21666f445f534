#include "schedule/feeds.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pipescope::schedule {

// Lists are filled in the order of their stages.
void Feeds::Lists::add(StageId of, StageId stage)
{
    ends.resize(of.index() + 1, stages.size());
    stages.push_back(stage);
    ends.back() = stages.size();
}

std::span<const StageId> Feeds::Lists::of(StageId stage) const
{
    if (!stage.valid() || stage.index() >= ends.size())
        return {};
    const std::size_t begin = stage.index() == 0 ? 0 : ends[stage.index() - 1];
    return std::span(stages).subspan(begin, ends[stage.index()] - begin);
}

Feeds::Feeds(int stages, std::vector<Edge> edges)
    : m_stages(stages)
{
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const Edge &edge : edges)
        m_consumers.add(edge.from, edge.to);
    std::sort(edges.begin(), edges.end(),
              [](const Edge &a, const Edge &b) { return std::tie(a.to, a.from) < std::tie(b.to, b.from); });
    for (const Edge &edge : edges)
        m_producers.add(edge.to, edge.from);
}

Feeds Feeds::chain(int stages)
{
    std::vector<Edge> edges;
    for (int stage = 1; stage < stages; ++stage)
        edges.push_back({StageId{stage - 1}, StageId{stage}});
    return {stages, std::move(edges)};
}

std::span<const StageId> Feeds::producersOf(StageId stage) const
{
    return m_producers.of(stage);
}

std::span<const StageId> Feeds::consumersOf(StageId stage) const
{
    return m_consumers.of(stage);
}

} // namespace pipescope::schedule

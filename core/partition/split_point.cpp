#include "partition/split_point.h"

#include "partition/split_word.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::ModuleCall;
using Calls = std::vector<const ModuleCall *>;

class PointNamer
{
public:
    explicit PointNamer(const ModelGraph &graph)
        : m_graph(graph)
    {
        for (const ModuleCall &call : graph.calls) {
            if (call.inside.valid() || call.fqn.empty())
                continue;
            ++m_timesCalled[call.fqn];
            if (call.begin == call.end)
                continue;
            m_beginning[call.begin].push_back(&call);
            m_ending[call.end].push_back(&call);
        }
        for (auto *side : {&m_beginning, &m_ending}) {
            for (auto &[position, calls] : *side)
                std::stable_sort(calls.begin(), calls.end(), [](const ModuleCall *a, const ModuleCall *b) {
                    return a->end - a->begin > b->end - b->begin;
                });
        }
    }

    SplitPoint name(const Cut &cut) const
    {
        const graph::Node &node = m_graph.at(cut.position);
        SplitPoint point{node.name, node.fqn, cut};
        if (const auto beginning = m_beginning.find(cut.position); beginning != m_beginning.end())
            nameAfter(beginning->second, {}, point);
        else if (const auto ending = m_ending.find(cut.position); ending != m_ending.end())
            nameAfter(ending->second, EndSuffix, point);
        return point;
    }

private:
    void nameAfter(const Calls &outermostFirst, std::string_view suffix, SplitPoint &point) const
    {
        point.fqn = outermostFirst.front()->fqn;
        for (const ModuleCall *call : outermostFirst) {
            const std::string id = call->fqn + std::string(suffix);
            if (m_timesCalled.at(call->fqn) == 1 && !isStageCount(id) && id != MarkersWord) {
                point.id = id;
                point.fqn = call->fqn;
                return;
            }
        }
    }

    const ModelGraph &m_graph;
    std::unordered_map<std::string, int> m_timesCalled; // at the top level
    std::map<int, Calls> m_beginning;                   // by position, outermost first
    std::map<int, Calls> m_ending;
};

} // namespace

std::vector<SplitPoint> splitPoints(const ModelGraph &graph)
{
    const PointNamer namer(graph);
    std::vector<SplitPoint> points;
    for (const Cut &cut : allCuts(graph))
        points.push_back(namer.name(cut));
    return points;
}

} // namespace pipescope::partition

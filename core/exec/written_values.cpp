#include "exec/written_values.h"

#include <numeric>

namespace pipescope::exec {

namespace {

using graph::ValueKind;

// Values that may share memory are in one class (union-find). Order does not matter here: what is written once is
// written.
class MemoryClasses
{
public:
    explicit MemoryClasses(const graph::ModelGraph &graph)
        : m_graph(graph)
        , m_parent(graph.values.size())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0U);
        for (const graph::Node &node : graph.nodes)
            for (const graph::Alias &alias : node.aliases)
                if (hasMemory(alias.output) && hasMemory(alias.input))
                    m_parent[root(alias.output)] = root(alias.input);
    }

    std::size_t root(ValueId id)
    {
        std::size_t index = id.index();
        while (m_parent[index] != index) {
            m_parent[index] = m_parent[m_parent[index]];
            index = m_parent[index];
        }
        return index;
    }

private:
    // One constant number may be in a hundred lists that share nothing else.
    bool hasMemory(ValueId id) const
    {
        const graph::Value &value = m_graph.value(id);
        return value.kind != ValueKind::Constant || value.holdsTensors;
    }

    const graph::ModelGraph &m_graph;
    std::vector<std::size_t> m_parent;
};

} // namespace

std::vector<ValueId> writtenInPlace(const graph::ModelGraph &graph)
{
    MemoryClasses classes(graph);
    std::vector<bool> written(graph.values.size());
    for (const graph::Node &node : graph.nodes)
        for (const ValueId id : node.writes)
            written[classes.root(id)] = true;
    std::vector<ValueId> found;
    for (const graph::Value &value : graph.values)
        if (value.kind != ValueKind::Result && value.kind != ValueKind::Inner && written[classes.root(value.id)])
            found.push_back(value.id);
    return found;
}

} // namespace pipescope::exec

#include "exec/held_values.h"

#include "tensor/ivalue_tree.h"

#include <set>
#include <torch/csrc/jit/ir/constants.h>

namespace pipescope::exec {

namespace {

class ConstantSearch
{
public:
    ConstantSearch(const graph::ModelGraph &graph, const HeldValues &held)
        : m_graph(graph)
        , m_held(held)
    {
    }

    void add(ValueId id)
    {
        if (m_graph.value(id).kind == graph::ValueKind::Constant && m_held.count(id) != 0)
            found.insert(id);
    }

    void addAll(const graph::Node &node)
    {
        for (const ValueId id : node.uses)
            add(id);
        for (const NodeId child : node.children)
            addAll(m_graph.node(child));
    }

    std::set<ValueId> found;

private:
    const graph::ModelGraph &m_graph;
    const HeldValues &m_held;
};

} // namespace

HeldValues heldBy(const import::ImportedModel &model)
{
    HeldValues held = model.held;
    for (const graph::Value &value : model.graph.values) {
        if (value.kind != graph::ValueKind::Constant || !value.holdsTensors)
            continue;
        const auto constant = torch::jit::toIValue(model.values[value.id.index()]);
        if (constant && !tensor::tensorsIn(*constant).empty())
            held.emplace(value.id, *constant);
    }
    return held;
}

std::vector<ValueId> constantsUsed(const graph::ModelGraph &graph, const HeldValues &held, int begin, int end,
                                   const std::vector<ValueId> &outputs)
{
    ConstantSearch search(graph, held);
    for (int position = begin; position < end; ++position)
        search.addAll(graph.at(position));
    for (const ValueId id : outputs)
        search.add(id);
    return {search.found.begin(), search.found.end()};
}

} // namespace pipescope::exec

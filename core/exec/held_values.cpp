#include "exec/held_values.h"

#include "tensor/ivalue_tree.h"

#include <set>
#include <torch/csrc/jit/ir/constants.h>
#include <unordered_map>

namespace pipescope::exec {

namespace {

class ConstantSearch
{
public:
    ConstantSearch(const import::ImportedModel &model, const HeldValues &held)
    {
        for (const auto &[id, value] : held)
            if (model.graph.value(id).kind == graph::ValueKind::Constant)
                m_ids.emplace(model.values[id.index()], id);
    }

    void add(const torch::jit::Value *value)
    {
        if (const auto constant = m_ids.find(value); constant != m_ids.end())
            found.insert(constant->second);
    }

    void addAll(const torch::jit::Node &node)
    {
        for (const torch::jit::Value *input : node.inputs())
            add(input);
        for (const torch::jit::Block *block : node.blocks()) {
            for (const torch::jit::Node *inner : block->nodes())
                addAll(*inner);
            for (const torch::jit::Value *output : block->outputs())
                add(output);
        }
    }

    std::set<ValueId> found;

private:
    std::unordered_map<const torch::jit::Value *, ValueId> m_ids;
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

std::vector<ValueId> constantsUsed(const import::ImportedModel &model, const HeldValues &held, int begin, int end,
                                   const std::vector<ValueId> &outputs)
{
    ConstantSearch search(model, held);
    for (int position = begin; position < end; ++position)
        search.addAll(*model.nodes[model.graph.at(position).id.index()]);
    for (const ValueId id : outputs)
        search.add(model.values[id.index()]);
    return {search.found.begin(), search.found.end()};
}

} // namespace pipescope::exec

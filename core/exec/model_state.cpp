#include "exec/model_state.h"

#include "exec/written_values.h"
#include "import/code_constants.h"
#include "tensor/ivalue_tree.h"
#include "tensor/opened_value.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <optional>
#include <torch/csrc/jit/ir/constants.h>

namespace pipescope::exec {

namespace {

// nullopt for what is no constant, and for prim::Uninitialized, which is nothing.
std::optional<c10::IValue> constantOf(const import::ImportedModel &model, ValueId id)
{
    const bool isConstant = model.graph.value(id).kind == graph::ValueKind::Constant;
    return isConstant ? torch::jit::toIValue(model.values[id.index()]) : std::nullopt;
}

} // namespace

ModelState ModelState::capture(const import::ImportedModel &model)
{
    ModelState state;
    for (const import::StateSlot &slot : model.state) {
        c10::IValue value = slot.owner->getAttr(slot.attribute);
        state.m_contents.add(value);
        state.m_attributes.push_back({slot, std::move(value)});
    }
    // Code that is called writes whatever its module has, and its own constants.
    for (const graph::Node &node : model.graph.nodes)
        for (const ValueId id : node.writes)
            if (const auto held = model.held.find(id); held != model.held.end() && held->second.isModule())
                state.addModule(held->second);
    for (const ValueId id : writtenInPlace(model.graph)) {
        if (const auto held = model.held.find(id); held != model.held.end())
            state.m_contents.add(held->second);
        else if (const auto constant = constantOf(model, id))
            state.m_contents.add(*constant);
    }
    return state;
}

void ModelState::addModule(const c10::IValue &module)
{
    m_contents.add(module, import::Modules::Entered);
    for (const c10::IValue &constant : import::constantsOfCode(module))
        m_contents.add(constant);
}

void ModelState::restore() const
{
    for (const Attribute &attribute : m_attributes)
        attribute.slot.owner->setAttr(attribute.slot.attribute, attribute.value);
    m_contents.restore();
}

StateGuard::StateGuard(const import::ImportedModel &model)
    : m_state(ModelState::capture(model))
{
}

StateGuard::~StateGuard()
{
    try {
        m_state.restore();
    } catch (...) { // the way out may be an exception already
    }
}

bool keepsState(const import::ImportedModel &model)
{
    const std::vector<ValueId> written = writtenInPlace(model.graph);
    return !model.state.empty() || std::any_of(written.begin(), written.end(), [&](ValueId id) {
        const graph::ValueKind kind = model.graph.value(id).kind;
        return kind == graph::ValueKind::Constant ? constantOf(model, id).has_value() : kind != graph::ValueKind::Input;
    });
}

c10::IValue keptOutput(const c10::IValue &output)
{
    return tensor::mapLeaves(tensor::opened(output), [](const c10::IValue &leaf) {
        return leaf.isTensor() && leaf.toTensor().defined() ? c10::IValue(leaf.toTensor().clone()) : leaf;
    });
}

} // namespace pipescope::exec

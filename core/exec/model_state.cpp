#include "exec/model_state.h"

#include "exec/written_values.h"

#include <torch/csrc/jit/ir/constants.h>

namespace pipescope::exec {

ModelState ModelState::capture(const import::ImportedModel &model)
{
    ModelState state;
    for (const import::StateSlot &slot : model.state) {
        c10::IValue value = slot.owner->getAttr(slot.attribute);
        state.m_contents.add(value);
        state.m_attributes.push_back({slot, std::move(value)});
    }
    for (const ValueId id : writtenInPlace(model.graph)) {
        if (const auto held = model.held.find(id); held != model.held.end())
            state.m_contents.add(held->second);
        else if (model.graph.value(id).kind == graph::ValueKind::Constant)
            state.m_contents.add(torch::jit::toIValue(model.values[id.index()]).value());
    }
    return state;
}

void ModelState::restore() const
{
    for (const Attribute &attribute : m_attributes)
        attribute.slot.owner->setAttr(attribute.slot.attribute, attribute.value);
    m_contents.restore();
}

} // namespace pipescope::exec

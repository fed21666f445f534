#include "import/held_inputs.h"

namespace pipescope::import {

namespace {

const void *tensorOf(const c10::IValue &value)
{
    return value.isTensor() && value.toTensor().defined() ? value.toTensor().unsafeGetTensorImpl() : nullptr;
}

} // namespace

HeldInputs::HeldInputs(std::shared_ptr<torch::jit::Graph> graph)
    : m_graph(std::move(graph))
{
}

torch::jit::Value *HeldInputs::inputFor(HeldInput::Kind kind, const std::string &fqn, const c10::IValue &value,
                                        const SlotKey &slot)
{
    const void *const tensor = tensorOf(value);
    torch::jit::Value *&input = tensor ? m_byTensor[tensor] : m_bySlot[slot];
    if (input)
        return input;
    input = m_graph->addInput();
    input->setType(value.isTensor() ? c10::TypePtr(c10::TensorType::get()) : value.type());
    m_held.push_back({kind, fqn, value, input});
    return input;
}

} // namespace pipescope::import

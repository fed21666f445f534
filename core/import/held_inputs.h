// The inputs of a specialised graph that stand for what the model's modules hold: one per tensor, or per attribute.
#pragma once

#include <ATen/core/ivalue.h>
#include <map>
#include <memory>
#include <string>
#include <torch/csrc/jit/ir/ir.h>
#include <utility>
#include <vector>

namespace pipescope::import {

/// An input of the specialised graph that is not an argument of the method.
struct HeldInput
{
    enum class Kind { Parameter, Buffer, Attribute };
    Kind kind = Kind::Attribute;
    std::string fqn; ///< of the attribute, or of the module for a module object
    c10::IValue value;
    torch::jit::Value *input = nullptr;
};

/// An attribute of an object: the object and the attribute's name, which is empty for the object itself.
using SlotKey = std::pair<const c10::ivalue::Object *, std::string>;

class HeldInputs
{
public:
    explicit HeldInputs(std::shared_ptr<torch::jit::Graph> graph);

    /// The input that stands for `value`, added to the graph at its first use: one per tensor, whatever its names, so
    /// that tied parameters are one value; one per `slot` for everything else.
    torch::jit::Value *inputFor(HeldInput::Kind kind, const std::string &fqn, const c10::IValue &value,
                                const SlotKey &slot);

    /// All of them, in order of first use.
    [[nodiscard]] std::vector<HeldInput> take() { return std::move(m_held); }

private:
    std::shared_ptr<torch::jit::Graph> m_graph;
    std::vector<HeldInput> m_held;
    std::map<const void *, torch::jit::Value *> m_byTensor;
    std::map<SlotKey, torch::jit::Value *> m_bySlot;
};

} // namespace pipescope::import

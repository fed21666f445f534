// A TorchScript method, loaded, inlined and lowered: the plain ModelGraph and, beside it, what runs. Torch types; used
// by import, exec, runtime and check only.
#pragma once

#include "graph/model_graph.h"

#include <ATen/core/ivalue.h>
#include <map>
#include <memory>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::import {

/// An attribute the method assigns or writes in place; what must be put back for a run to start afresh.
struct StateSlot
{
    std::string fqn;
    c10::intrusive_ptr<c10::ivalue::Object> owner;
    std::string attribute;
};

struct ImportedModel
{
    torch::jit::Module module; ///< as loaded, on the CPU, not changed by importing
    std::string methodName;
    graph::ModelGraph graph;
    /// The method inlined, with every parameter, buffer and attribute it uses as an input and control flow that does
    /// not depend on inputs decided. Not shared with `module`. Never optimised, never run by the profiling executor.
    std::shared_ptr<torch::jit::Graph> lowered;
    std::vector<torch::jit::Node *> nodes;   ///< by NodeId; owned by `lowered`
    std::vector<torch::jit::Value *> values; ///< by ValueId; owned by `lowered`
    /// What to feed for Parameter, Buffer and Attribute values; shares memory with `module`.
    std::map<ValueId, c10::IValue> held;
    std::map<int, c10::IValue> defaults; ///< argument position -> default value
    /// Argument position -> the value that the graph is right for, and for no other: in it, the argument is not used.
    std::map<int, c10::IValue> specialised;
    std::vector<StateSlot> state;
    std::vector<std::string> notes; ///< what importing changed or could not see, for the user

    ImportedModel() = default;
    ~ImportedModel() = default;
    ImportedModel(const ImportedModel &) = delete;
    ImportedModel &operator=(const ImportedModel &) = delete;
    ImportedModel(ImportedModel &&) = default;
    ImportedModel &operator=(ImportedModel &&) = default;
};

/// The declared types of the method's arguments, by position.
[[nodiscard]] inline std::vector<c10::TypePtr> argumentTypes(const ImportedModel &model)
{
    std::vector<c10::TypePtr> types;
    for (const graph::Argument &argument : model.graph.arguments)
        types.push_back(model.values[argument.value.index()]->type());
    return types;
}

} // namespace pipescope::import

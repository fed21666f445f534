#include "exec/savable.h"

#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>
#include <vector>

namespace pipescope::exec {

namespace {

using torch::jit::Node;
using torch::jit::Value;

bool isModule(const c10::TypePtr &type)
{
    const auto classType = type->cast<c10::ClassType>();
    const auto interfaceType = type->cast<c10::InterfaceType>();
    return (classType && classType->is_module()) || (interfaceType && interfaceType->is_module());
}

// The first thing in a value that has no form in a file; "" when it can be written.
std::string unwritable(const c10::IValue &value)
{
    std::vector<c10::IValue> pending{value};
    while (!pending.empty()) {
        const c10::IValue next = std::move(pending.back());
        pending.pop_back();
        if (next.isCapsule() || next.isFuture() || next.isAwait() || next.isRRef() || next.isPyObject() ||
            next.isGenerator() || next.isStream())
            return next.tagKind();
        if (next.isTuple()) {
            pending.insert(pending.end(), next.toTupleRef().elements().begin(), next.toTupleRef().elements().end());
        } else if (next.isList() && next.toListRef().size() < 1000) {
            pending.insert(pending.end(), next.toListRef().begin(), next.toListRef().end());
        } else if (next.isObject() && !next.toObjectRef().type()->is_module()) {
            const auto type = next.toObjectRef().type();
            const auto &slots = next.toObjectRef().slots();
            const bool custom = !slots.empty() && slots[0].isCapsule();
            if (custom && !type->findMethod("__getstate__"))
                return type->name()->qualifiedName() + " (it has no __getstate__)";
        }
    }
    return {};
}

Error refusal(const partition::Stage &stage, const std::string &what, const std::string &where)
{
    return {ErrorCode::Unsupported, fmt::format("{} cannot be saved: {}", stage.name, what), where, {}};
}

// A module has no methods in a saved stage, so its object may only be read and assigned.
bool callsModule(const Node &node)
{
    if (node.kind() == c10::prim::GetAttr || node.kind() == c10::prim::SetAttr)
        return node.kind() == c10::prim::SetAttr && isModule(node.input(1)->type());
    for (const Value *input : node.inputs())
        if (isModule(input->type()) && node.blocks().empty())
            return true;
    return false;
}

// A saved stage has tensors and no methods, so it has no place for a module that is called.
std::string calledModule(const graph::Node &described, const Node &node)
{
    const std::string unsaved = ", and a saved stage cannot: run the model without saving, or ";
    if (node.kind() == c10::prim::fork)
        return describe(described) + " assigns an attribute of a module inside torch.jit.fork" + unsaved +
               "return the value and assign it after torch.jit.wait";
    return describe(described) + " chooses a module while it runs" + unsaved + "call each module by its own name";
}

} // namespace

Status checkSavable(const import::ImportedModel &model, const partition::Stage &stage)
{
    for (const ValueId id : stage.held)
        if (const std::string what = unwritable(model.held.at(id)); !what.empty())
            return refusal(stage, fmt::format("'{}' holds a {}", model.graph.value(id).name, what),
                           model.graph.value(id).name);
    std::vector<NodeId> pending(model.graph.order.begin() + stage.begin, model.graph.order.begin() + stage.end);
    while (!pending.empty()) {
        const graph::Node &node = model.graph.node(pending.back());
        pending.pop_back();
        if (callsModule(*model.nodes[node.id.index()]))
            return refusal(stage, calledModule(node, *model.nodes[node.id.index()]), node.name);
        pending.insert(pending.end(), node.children.begin(), node.children.end());
    }
    return Success{};
}

} // namespace pipescope::exec

#include "import/state_uses.h"

#include <algorithm>

namespace pipescope::import {

namespace {

using torch::jit::Node;
using torch::jit::Value;

// Whether a module can be got at through a value of the type.
bool mayReachModule(const c10::TypePtr &type)
{
    switch (type->kind()) {
    case c10::TypeKind::InterfaceType:
    case c10::TypeKind::AnyType:
    case c10::TypeKind::AnyClassType:
        return true;
    case c10::TypeKind::ClassType:
        return type->is_module();
    default:
        break;
    }
    const auto contained = type->containedTypes();
    return std::any_of(contained.begin(), contained.end(), mayReachModule);
}

void add(StateUses &uses, const Node &node)
{
    const StateKey key = stateKeyOf(node);
    if (key.first != nullptr) {
        bool &assigned = uses.attributes[key];
        assigned = assigned || node.kind() == c10::prim::SetAttr;
    } else {
        uses.any = uses.any || std::any_of(node.inputs().begin(), node.inputs().end(),
                                           [](const Value *input) { return mayReachModule(input->type()); });
    }
    for (const torch::jit::Block *block : node.blocks())
        for (const Node *inner : block->nodes())
            add(uses, *inner);
}

} // namespace

StateKey stateKeyOf(const Node &node)
{
    if (node.kind() != c10::prim::GetAttr && node.kind() != c10::prim::SetAttr)
        return {};
    const Value *const object = node.input(0);
    if (object->node()->kind() != c10::prim::Param || object->node()->owningBlock() != node.owningGraph()->block() ||
        !object->type()->is_module())
        return {};
    return {object, node.s(c10::attr::name)};
}

StateUses stateUsesOf(const Node &node)
{
    StateUses uses;
    add(uses, node);
    return uses;
}

} // namespace pipescope::import

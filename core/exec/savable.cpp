#include "exec/savable.h"

#include "exec/written_values.h"
#include "import/operator_questions.h"

#include <algorithm>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>
#include <unordered_set>
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

// Finds the first thing in a value that has no form in a file.
class UnwritableSearch
{
public:
    /// "" when all of it can be written.
    std::string in(const c10::IValue &value)
    {
        m_pending.push_back(value);
        while (!m_pending.empty()) {
            const c10::IValue next = std::move(m_pending.back());
            m_pending.pop_back();
            if (next.isCapsule() || next.isFuture() || next.isAwait() || next.isRRef() || next.isPyObject() ||
                next.isGenerator() || next.isStream())
                return next.tagKind();
            if (next.isObject() && isUnwritableObject(next.toObjectRef()))
                return next.toObjectRef().type()->name()->qualifiedName() + " (it has no __getstate__)";
            enter(next);
        }
        return {};
    }

private:
    static constexpr std::size_t LongestList = 1000; // the rest of a longer one is like what was looked at

    static bool isUnwritableObject(const c10::ivalue::Object &object)
    {
        const bool isCustom = !object.slots().empty() && object.slots()[0].isCapsule();
        return isCustom && !object.type()->findMethod("__getstate__");
    }

    // Lists, dicts and objects may be held many times, and hold themselves.
    void enter(const c10::IValue &value)
    {
        if (!value.isPtrType() || !m_seen.insert(value.internalToPointer()).second)
            return;
        if (value.isTuple()) {
            const auto &items = value.toTupleRef().elements();
            m_pending.insert(m_pending.end(), items.begin(), items.end());
        } else if (value.isList()) {
            const auto items = value.toListRef();
            m_pending.insert(m_pending.end(), items.begin(), items.begin() + std::min(items.size(), LongestList));
        } else if (value.isGenericDict()) {
            for (const auto &entry : value.toGenericDict())
                m_pending.push_back(entry.value());
        } else if (value.isObject() && !value.toObjectRef().type()->is_module() &&
                   !value.toObjectRef().type()->findMethod("__getstate__")) {
            const auto &fields = value.toObjectRef().slots();
            m_pending.insert(m_pending.end(), fields.begin(), fields.end());
        }
    }

    std::vector<c10::IValue> m_pending;
    std::unordered_set<const void *> m_seen;
};

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

// LibTorch takes constants for unchanging when it loads a file, and drops a write to one whose result is not used.
class DroppedWrites
{
public:
    explicit DroppedWrites(const import::ImportedModel &model)
        : m_model(model)
        , m_ofConstant(sharesWithConstant(model.graph))
    {
    }

    [[nodiscard]] bool mayHave(const graph::Node &described) const
    {
        const bool writesConstant = std::any_of(described.writes.begin(), described.writes.end(),
                                                [this](ValueId id) { return m_ofConstant[id.index()]; });
        if (!described.children.empty() || !writesConstant)
            return false;
        const Node &node = *m_model.nodes[described.id.index()];
        return node.kind() == c10::prim::fork ? hasUnusedWrite(*node.g(c10::attr::Subgraph)->block()) : isUnused(node);
    }

private:
    static bool isUnused(const Node &node)
    {
        const auto outputs = node.outputs();
        return std::none_of(outputs.begin(), outputs.end(), [](const Value *output) { return output->hasUses(); });
    }

    // Of the code of a fork, only the fork knows which of its values are constants outside.
    static bool hasUnusedWrite(const torch::jit::Block &block)
    {
        for (const Node *node : block.nodes()) {
            const c10::FunctionSchema *const schema = import::schemaOf(*node);
            if (schema && schema->is_mutable() && isUnused(*node))
                return true;
            for (const torch::jit::Block *inner : node->blocks())
                if (hasUnusedWrite(*inner))
                    return true;
        }
        return false;
    }

    const import::ImportedModel &m_model;
    std::vector<bool> m_ofConstant;
};

} // namespace

Status checkSavable(const import::ImportedModel &model, const partition::Stage &stage)
{
    for (const ValueId id : stage.held)
        if (const std::string what = UnwritableSearch().in(model.held.at(id)); !what.empty())
            return refusal(stage, fmt::format("'{}' holds a {}", model.graph.value(id).name, what),
                           model.graph.value(id).name);
    const DroppedWrites dropped(model);
    std::vector<NodeId> pending(model.graph.order.begin() + stage.begin, model.graph.order.begin() + stage.end);
    while (!pending.empty()) {
        const graph::Node &node = model.graph.node(pending.back());
        pending.pop_back();
        if (callsModule(*model.nodes[node.id.index()]))
            return refusal(stage, calledModule(node, *model.nodes[node.id.index()]), node.name);
        if (dropped.mayHave(node))
            return refusal(stage,
                           describe(node) + " may write a tensor in place that is a constant of the code, and LibTorch "
                                            "drops that from a file; run the model without saving, or make the tensor "
                                            "a buffer (register_buffer)",
                           node.name);
        pending.insert(pending.end(), node.children.begin(), node.children.end());
    }
    return Success{};
}

} // namespace pipescope::exec

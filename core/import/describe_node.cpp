#include "import/describe_node.h"

#include "import/memory_facts.h"
#include "import/operator_questions.h"
#include "import/plain_types.h"
#include "import/source_lines.h"
#include "ops/operator.h"

#include <algorithm>
#include <exception>
#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/ir/constants.h>
#include <tuple>
#include <unordered_set>

namespace pipescope::import {

using graph::Crossing;
using torch::jit::Node;
using torch::jit::Value;

Crossing crossingOf(const c10::TypePtr &type, int depth)
{
    if (isPlain(type->kind()))
        return Crossing::Sends;
    switch (type->kind()) {
    case c10::TypeKind::TensorType:
        return Crossing::Sends;
    case c10::TypeKind::ListType:
    case c10::TypeKind::DictType:
    case c10::TypeKind::TupleType:
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::UnionType: {
        if (depth > 64)
            return Crossing::Refused;
        const auto contained = type->containedTypes();
        const bool all = std::all_of(contained.begin(), contained.end(), [&](const c10::TypePtr &t) {
            return crossingOf(t, depth + 1) == Crossing::Sends;
        });
        return all ? Crossing::Sends : Crossing::Refused;
    }
    default:
        return Crossing::Refused;
    }
}

bool holdsTensors(const c10::TypePtr &type)
{
    if (type->kind() == c10::TypeKind::TensorType)
        return true;
    if (type->kind() == c10::TypeKind::ClassType || type->kind() == c10::TypeKind::AnyType)
        return true;
    const auto contained = type->containedTypes();
    return std::any_of(contained.begin(), contained.end(), [](const c10::TypePtr &t) { return holdsTensors(t); });
}

graph::SourceLocation locationOf(const Node &node)
{
    torch::jit::SourceRange range = node.sourceRange();
    try { // it unpickles the archive's debug record, which may hold anything
        if (range.source())
            if (auto generated = range.findSourceRangeThatGenerated())
                range = *generated;
    } catch (const std::exception &) { // then the place in the archive's code has to do
        range = node.sourceRange();
    }
    graph::SourceLocation location;
    if (const auto place = range.file_line_col()) {
        location.file = std::get<0>(*place);
        location.line = static_cast<int>(std::get<1>(*place));
        location.column = static_cast<int>(std::get<2>(*place));
    }
    location.text = linesOf(range);
    return location;
}

bool isConstant(const Node &node)
{
    return node.kind() == c10::prim::Constant || node.kind() == c10::prim::Uninitialized;
}

namespace {

// Looks through the code that a node runs, calls followed, each function once.
class DrawSearch
{
public:
    bool mayDraw(const Node &node)
    {
        const c10::FunctionSchema *schema = schemaOf(node);
        const ops::Operator &row = ops::of(node.kind().toQualString(),
                                           schema ? std::string_view(schema->overload_name()) : std::string_view());
        if (row.draws || row.role == ops::Role::Seeds || (schema && isNondeterministic(node)))
            return true;
        const bool calls = node.kind() == c10::prim::CallMethod || node.kind() == c10::prim::CallFunction ||
                           node.hasAttribute(c10::attr::Subgraph);
        if (calls) {
            const torch::jit::Graph *const callee = m_depth < DeepestCall ? calledBy(node) : nullptr;
            return !callee || (m_seen.insert(callee).second && mayDraw(*callee->block()));
        }
        return std::any_of(node.blocks().begin(), node.blocks().end(),
                           [this](const torch::jit::Block *block) { return mayDraw(*block); });
    }

private:
    // Deeper calls are taken for ones that may do anything.
    static constexpr int DeepestCall = 200;

    bool mayDraw(const torch::jit::Block &block)
    {
        ++m_depth;
        const auto nodes = block.nodes();
        const bool may = std::any_of(nodes.begin(), nodes.end(), [this](const Node *node) { return mayDraw(*node); });
        --m_depth;
        return may;
    }

    std::unordered_set<const torch::jit::Graph *> m_seen;
    int m_depth = 0;
};

} // namespace

bool forksRandom(const Node &node)
{
    return node.hasAttribute(c10::attr::Subgraph) && DrawSearch().mayDraw(node);
}

bool isHandedOver(const torch::jit::Value &module)
{
    return std::any_of(module.uses().begin(), module.uses().end(), [](const torch::jit::Use &use) {
        if (use.user->hasAttribute(c10::attr::Subgraph))
            return isHandedOver(*use.user->g(c10::attr::Subgraph)->inputs()[use.offset]);
        const c10::Symbol kind = use.user->kind();
        return kind != c10::prim::GetAttr && (kind != c10::prim::SetAttr || use.offset != 0);
    });
}

bool isMarker(const Node &node)
{
    return ops::of(node.kind().toQualString()).role == ops::Role::Marks;
}

std::string markerName(const Node &node)
{
    for (const Value *input : node.inputs())
        if (const auto value = torch::jit::toIValue(input); value && value->isString())
            return value->toStringRef();
    return {};
}

} // namespace pipescope::import

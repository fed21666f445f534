#include "import/container_versions.h"

#include "import/memory_facts.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace pipescope::import {

namespace {

using torch::jit::Node;
using torch::jit::Use;
using torch::jit::Value;

bool isContainer(const Value &value)
{
    return value.type()->kind() == c10::TypeKind::ListType || value.type()->kind() == c10::TypeKind::DictType;
}

bool isUsedAfter(const Value &value, const Node &node)
{
    return std::any_of(value.uses().begin(), value.uses().end(),
                       [&](const Use &use) { return use.user->isAfter(&node); });
}

void nameVersion(Value &container, Node &writer)
{
    Node *const version = writer.owningGraph()->create(c10::prim::unchecked_cast, {&container}, 1);
    version->output()->setType(container.type());
    version->setScope(writer.scope());
    version->setSourceRange(writer.sourceRange());
    version->insertAfter(&writer);
    container.replaceAllUsesAfterNodeWith(version, version->output());
}

} // namespace

void nameVersions(Specialised &specialised)
{
    std::unordered_set<const Value *> state;
    for (const HeldInput &held : specialised.held)
        state.insert(held.input);
    const auto isOfTheCall = [&](const Value &value) {
        return isContainer(value) && !state.contains(&value) && value.node()->kind() != c10::prim::GetAttr &&
               value.node()->kind() != c10::prim::Constant;
    };
    // What changes on the way stands behind the nodes that the facts were worked out of.
    GraphMemory memory;
    for (Node *node : specialised.graph->nodes())
        for (Value *written : memory.facts(*node).containerWrites)
            if (isOfTheCall(*written) && isUsedAfter(*written, *node))
                nameVersion(*written, *node);
}

} // namespace pipescope::import

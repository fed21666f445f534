#include "import/container_versions.h"

#include "import/memory_facts.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Use;
using torch::jit::Value;

bool isContainer(const Value &value)
{
    return value.type()->kind() == c10::TypeKind::ListType || value.type()->kind() == c10::TypeKind::DictType;
}

void collectUnpacked(Block &block, std::vector<Node *> &found)
{
    for (Node *node : block.nodes()) {
        if (node->kind() == c10::prim::TupleUnpack && node->input()->node()->kind() == c10::prim::TupleConstruct)
            found.push_back(node);
        for (Block *inner : node->blocks())
            collectUnpacked(*inner, found);
    }
}

// In a tuple of two lists each might be either, for all that is known of its memory. A tuple that is taken apart again,
// as of the results of a module, need not be made.
void takeContainersOutOfTuples(Block &block)
{
    std::vector<Node *> unpacked;
    collectUnpacked(block, unpacked);
    for (Node *node : unpacked) {
        Node *const tuple = node->input()->node();
        const auto items = tuple->inputs();
        const auto outputs = node->outputs();
        const bool isSame = std::equal(items.begin(), items.end(), outputs.begin(), outputs.end(),
                                       [](const Value *a, const Value *b) { return *a->type() == *b->type(); });
        if (!isSame || std::none_of(items.begin(), items.end(), [](const Value *item) { return isContainer(*item); }))
            continue;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            outputs[i]->replaceAllUsesWith(items[i]);
        node->destroy();
        if (!tuple->output()->hasUses())
            tuple->destroy();
    }
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
    takeContainersOutOfTuples(*specialised.graph->block());
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

#include "import/objects_apart.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <torch/csrc/jit/ir/constants.h>
#include <utility>
#include <vector>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Use;
using torch::jit::Value;

void collect(Block &block, c10::Symbol kind, std::vector<Node *> &found)
{
    for (Node *node : block.nodes()) {
        if (node->kind() == kind)
            found.push_back(node);
        for (Block *inner : node->blocks())
            collect(*inner, kind, found);
    }
}

bool holdsObject(const Value &value)
{
    return value.type()->kind() == c10::TypeKind::ClassType;
}

/// The value as `node` gives it, whose type may be wider: an operator is found by the types of its operands.
Value *asTypeOf(Value *value, Node *node)
{
    if (*value->type() == *node->output()->type())
        return value;
    Node *const cast = node->owningGraph()->create(c10::prim::unchecked_cast, {value}, 1);
    cast->output()->setType(node->output()->type());
    cast->setScope(node->scope());
    cast->setSourceRange(node->sourceRange());
    cast->insertBefore(node);
    return cast->output();
}

/// An object and what is done with it.
class MadeObject
{
public:
    explicit MadeObject(Node *creation)
        : m_creation(creation)
    {
    }

    /// Whether it is gone.
    bool takeApart()
    {
        if (!findUses())
            return false;
        std::vector<std::pair<Node *, Value *>> fields;
        for (Node *read : m_reads) {
            Value *const value = fieldAt(*read);
            if (value == nullptr || !value->type()->isSubtypeOf(*read->output()->type()))
                return false;
            fields.emplace_back(read, value);
        }
        replaceReads(fields);
        for (Node *write : m_writes)
            write->destroy();
        m_creation->destroy();
        return true;
    }

private:
    /// False where it is used for more than its fields.
    bool findUses()
    {
        for (const Use &use : m_creation->output()->uses()) {
            const bool writes = use.user->kind() == c10::prim::SetAttr && use.offset == 0 &&
                                use.user->owningBlock() == m_creation->owningBlock();
            if (writes)
                m_writes.push_back(use.user);
            else if (use.user->kind() == c10::prim::GetAttr)
                m_reads.push_back(use.user);
            else
                return false;
        }
        return true;
    }

    /// What was assigned last before; null for nothing. All writes are in one block, one after another.
    Value *fieldAt(const Node &read) const
    {
        const Node *last = nullptr;
        for (const Node *write : m_writes)
            if (write->s(c10::attr::name) == read.s(c10::attr::name) && write->isBefore(&read) &&
                (last == nullptr || last->isBefore(write)))
                last = write;
        return last == nullptr ? nullptr : const_cast<Value *>(last->input(1));
    }

    /// A field may itself be what another read gave: then the value stands for that one, too.
    static void replaceReads(std::vector<std::pair<Node *, Value *>> &fields)
    {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            Node *const read = fields[i].first;
            Value *const value = asTypeOf(fields[i].second, read);
            for (std::size_t k = i + 1; k < fields.size(); ++k)
                if (fields[k].second == read->output())
                    fields[k].second = value;
            read->output()->replaceAllUsesWith(value);
            read->destroy();
        }
    }

    Node *m_creation;
    std::vector<Node *> m_writes;
    std::vector<Node *> m_reads;
};

/// The position that a constant names; nothing for any other.
std::optional<std::size_t> itemOf(const Node &index, std::size_t size)
{
    const auto constant = torch::jit::toIValue(index.input(1));
    if (!constant || !constant->isInt())
        return std::nullopt;
    const std::int64_t count = static_cast<std::int64_t>(size);
    const std::int64_t at = constant->toInt() < 0 ? constant->toInt() + count : constant->toInt();
    return at >= 0 && at < count ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

/// What takes the tuple apart gets the objects themselves. Whether anything did.
bool takeObjectsOut(Node *tuple)
{
    std::vector<Node *> users;
    for (const Use &use : tuple->output()->uses())
        users.push_back(use.user);
    bool changed = false;
    for (Node *user : users) {
        if (user->kind() == c10::prim::TupleUnpack) {
            for (std::size_t i = 0; i < user->outputs().size(); ++i)
                user->outputs()[i]->replaceAllUsesWith(tuple->inputs()[i]);
        } else if (const auto item =
                       user->kind() == c10::prim::TupleIndex ? itemOf(*user, tuple->inputs().size()) : std::nullopt) {
            user->output()->replaceAllUsesWith(tuple->inputs()[*item]);
        } else {
            continue;
        }
        user->destroy();
        changed = true;
    }
    if (tuple->output()->uses().empty())
        tuple->destroy();
    return changed;
}

bool takeObjectsOutOfTuples(Block &block)
{
    std::vector<Node *> tuples;
    collect(block, c10::prim::TupleConstruct, tuples);
    bool changed = false;
    for (Node *tuple : tuples)
        if (std::any_of(tuple->inputs().begin(), tuple->inputs().end(), [](const Value *v) { return holdsObject(*v); }))
            changed = takeObjectsOut(tuple) || changed;
    return changed;
}

bool takeApartAll(Block &block)
{
    std::vector<Node *> creations;
    collect(block, c10::prim::CreateObject, creations);
    bool changed = false;
    for (Node *creation : creations)
        changed = MadeObject(creation).takeApart() || changed;
    // A field may hold a tuple, and a tuple an object: one pass lets another one do more.
    return !creations.empty() && (takeObjectsOutOfTuples(block) || changed);
}

} // namespace

void takeObjectsApart(const std::shared_ptr<torch::jit::Graph> &graph)
{
    while (takeApartAll(*graph->block())) {
    }
}

} // namespace pipescope::import

#include "import/gather_state.h"

#include "import/describe_node.h"
#include "import/memory_classes.h"
#include "import/memory_facts.h"
#include "import/operator_questions.h"
#include "import/provenance.h"
#include "import/state_uses.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

constexpr std::size_t LongestChain = 16; // of nodes that move together with an assignment

bool isCallMark(const Node &node)
{
    return node.kind() == callBeginsKind() || node.kind() == callEndsKind();
}

// Whether a cut between this node and the next may be worth something.
bool worksOnTensors(const Node &node)
{
    return node.kind() != c10::prim::GetAttr && !isConstant(node) &&
           std::any_of(node.outputs().begin(), node.outputs().end(),
                       [](const Value *output) { return holdsTensors(output->type()); });
}

// Whether the node gives the same wherever its operands are what they are.
bool isPure(Node &node, GraphMemory &memory)
{
    return node.blocks().empty() && !isCallMark(node) && !isMarker(node) && node.kind() != c10::prim::GetAttr &&
           node.kind() != c10::prim::SetAttr && calledBy(node) == nullptr && !stateUsesOf(node).any &&
           !hasSideEffects(node) && !isNondeterministic(node) && memory.facts(node).writes.empty();
}

// The top-level node that holds it; the block's return node stays itself.
Node *topLevel(Node *node, const Block &top)
{
    while (node->owningBlock() != &top)
        node = node->owningBlock()->owningNode();
    return node;
}

class Gatherer
{
public:
    explicit Gatherer(Graph &graph)
        : m_graph(graph)
        , m_top(*graph.block())
    {
        for (Node *node : m_top.nodes())
            m_uses.emplace(node, stateUsesOf(*node));
    }

    void run()
    {
        for (Node *node : nodesOf(c10::prim::GetAttr))
            moveRead(*node);
        std::vector<Node *> ifs = nodesOf(c10::prim::If);
        std::reverse(ifs.begin(), ifs.end()); // the last one moves first, and the one before it up to it
        for (Node *node : ifs)
            resetLate(*node);
        for (Node *node : nodesOf(c10::prim::SetAttr))
            assignEarly(*node);
    }

private:
    [[nodiscard]] std::vector<Node *> nodesOf(c10::Symbol kind) const
    {
        std::vector<Node *> found;
        for (Node *node : m_top.nodes())
            if (node->kind() == kind)
                found.push_back(node);
        return found;
    }

    // Whether nodes that work on tensors stand between two nodes of the top level, others than `moved`.
    static bool isWorkBetween(const Node &first, const Node &last, const std::vector<Node *> &moved = {})
    {
        for (const Node *node = first.next(); node != &last; node = node->next())
            if (worksOnTensors(*node) && std::find(moved.begin(), moved.end(), node) == moved.end())
                return true;
        return false;
    }

    // Before the marks of the calls that begin there: the node is none of their code.
    static Node *outsideCallsBefore(Node *node, const Node &after)
    {
        while (node->prev() != &after && node->prev()->kind() == callBeginsKind())
            node = node->prev();
        return node;
    }

    // Behind the marks of the calls that end there.
    static Node *outsideCallsAfter(Node *node)
    {
        while (node->next()->kind() == callEndsKind())
            node = node->next();
        return node;
    }

    Node *lastUse(const Node &before, const StateKey &key)
    {
        for (Node *node = before.prev(); node != m_top.param_node(); node = node->prev())
            if (usesOf(*node).uses(key))
                return node;
        return nullptr;
    }

    Node *nextUse(const Node &after, const StateKey &key)
    {
        for (Node *node = after.next(); node != m_top.return_node(); node = node->next())
            if (usesOf(*node).uses(key))
                return node;
        return nullptr;
    }

    // Whether nothing uses the attribute before, but for resets, which can move behind.
    bool isFirstUse(const Node &node, const StateKey &key)
    {
        for (Node *user = lastUse(node, key); user != nullptr; user = lastUse(*user, key))
            if (user->kind() != c10::prim::If || usesOf(*user).any || !resetsIn(*user, key))
                return false;
        return true;
    }

    void moveRead(Node &read)
    {
        const StateKey key = stateKeyOf(read);
        if (key.first == nullptr)
            return;
        if (isFirstUse(read, key))
            return readLate(read, key);
        Node *const last = lastUse(read, key);
        if (isWorkBetween(*last, read))
            read.moveAfter(outsideCallsAfter(last));
    }

    void readLate(Node &read, const StateKey &key)
    {
        Node *next = m_top.return_node();
        for (const torch::jit::Use &use : read.output()->uses()) {
            Node *const user = topLevel(use.user, m_top);
            if (user != m_top.return_node() && (next == m_top.return_node() || user->isBefore(next)))
                next = user;
        }
        for (Node *node = read.next(); node != next; node = node->next())
            if (usesOf(*node).assigns(key)) {
                next = node;
                break;
            }
        if (next != m_top.return_node() && isWorkBetween(read, *next))
            read.moveBefore(outsideCallsBefore(next, read));
    }

    // The nodes of a block that only make the value of an assignment, of numbers alone; the assignment last.
    std::optional<std::vector<Node *>> resetIn(Block &block, Node &assignment)
    {
        std::unordered_set<const Node *> needed{&assignment};
        std::vector<Node *> chain{&assignment};
        for (Node *node = assignment.prev(); node != block.param_node(); node = node->prev()) {
            const auto isUse = [&](const torch::jit::Use &use) { return needed.count(use.user) > 0; };
            const auto isUsed = [&](const Value *value) {
                return std::any_of(value->uses().begin(), value->uses().end(), isUse);
            };
            if (isConstant(*node) || std::none_of(node->outputs().begin(), node->outputs().end(), isUsed))
                continue;
            const auto isOnlyUsed = [&](const Value *value) {
                return std::all_of(value->uses().begin(), value->uses().end(), isUse);
            };
            if (chain.size() > LongestChain || !isPure(*node, m_memory) ||
                !std::all_of(node->outputs().begin(), node->outputs().end(), isOnlyUsed))
                return std::nullopt;
            needed.insert(node);
            chain.push_back(node);
        }
        std::reverse(chain.begin(), chain.end());
        for (const Node *node : chain)
            for (const Value *operand : node->inputs())
                if (hasMemory(operand->type()) && operand != assignment.input(0) && needed.count(operand->node()) == 0)
                    return std::nullopt;
        return chain;
    }

    // By block. Nothing where the if uses the attribute in any other way.
    std::optional<std::vector<std::vector<Node *>>> resetsIn(Node &branch, const StateKey &key)
    {
        std::vector<std::vector<Node *>> resets;
        for (Block *block : branch.blocks()) {
            resets.emplace_back();
            for (Node *node : block->nodes()) {
                if (!stateUsesOf(*node).uses(key))
                    continue;
                if (node->kind() != c10::prim::SetAttr || !resets.back().empty())
                    return std::nullopt;
                std::optional<std::vector<Node *>> reset = resetIn(*block, *node);
                if (!reset)
                    return std::nullopt;
                resets.back() = *std::move(reset);
            }
        }
        return resets;
    }

    void resetLate(Node &branch)
    {
        const StateUses uses = usesOf(branch);
        for (const auto &[key, assigned] : uses.attributes) {
            Node *const next = uses.any || !assigned || !isFirstUse(branch, key) ? nullptr : nextUse(branch, key);
            if (next == nullptr || !isWorkBetween(branch, *next))
                continue;
            if (const auto resets = resetsIn(branch, key))
                moveResets(branch, *resets, *outsideCallsBefore(next, branch));
        }
    }

    void moveResets(Node &branch, const std::vector<std::vector<Node *>> &resets, Node &before)
    {
        Node *const made = m_graph.create(c10::prim::If, {branch.input()}, 0);
        made->setScope(branch.scope());
        made->setSourceRange(branch.sourceRange());
        made->insertBefore(&before);
        for (const std::vector<Node *> &reset : resets) {
            Block *const block = made->addBlock();
            for (Node *node : reset) {
                node->moveBefore(block->return_node());
                takeConstantsAlong(*node, branch);
            }
        }
        m_uses.emplace(made, stateUsesOf(*made));
        m_uses[&branch] = stateUsesOf(branch);
    }

    // Those that stay in the blocks of the if.
    void takeConstantsAlong(Node &node, const Node &branch)
    {
        for (std::size_t i = 0; i < node.inputs().size(); ++i) {
            Node *const constant = node.input(i)->node();
            if (!isConstant(*constant) || constant->owningBlock()->owningNode() != &branch)
                continue;
            Node *const copy = m_graph.createClone(constant, [](Value *value) { return value; });
            copy->insertBefore(&node);
            node.replaceInput(i, copy->output());
        }
    }

    // What makes the value of an assignment, and the node after which all of it can stand: a use of the attribute, what
    // cannot move, or what writes memory that the chain reads.
    struct Chain
    {
        std::vector<Node *> nodes; // in program order
        Node *after = nullptr;
    };

    void collect(Value *value, Chain &chain)
    {
        Node *const maker = value->node();
        if (maker->owningBlock() != &m_top || maker->kind() == c10::prim::Param || maker == chain.after ||
            maker->isBefore(chain.after) ||
            std::find(chain.nodes.begin(), chain.nodes.end(), maker) != chain.nodes.end())
            return;
        if (chain.nodes.size() >= LongestChain || !isPure(*maker, m_memory)) {
            chain.after = maker;
            return;
        }
        for (Value *operand : maker->inputs())
            collect(operand, chain);
        chain.nodes.push_back(maker);
    }

    void keepBehindWrites(const Node &assignment, Chain &chain)
    {
        std::unordered_set<const Value *> read;
        for (Node *node : chain.nodes)
            for (Value *operand : node->inputs())
                if (hasMemory(operand->type()))
                    read.insert(shared().find(operand));
        for (Node *node = chain.after->next(); node != &assignment; node = node->next())
            for (Value *written : m_memory.facts(*node).writes)
                if (read.count(shared().find(written)) > 0)
                    chain.after = node;
    }

    void assignEarly(Node &assignment)
    {
        const StateKey key = stateKeyOf(assignment);
        if (key.first == nullptr)
            return;
        Chain chain;
        chain.after = lastUse(assignment, key);
        if (!chain.after || !isWorkBetween(*chain.after, assignment))
            return;
        collect(assignment.input(1), chain);
        keepBehindWrites(assignment, chain);
        const auto stays = [&](const Node *node) { return node == chain.after || node->isBefore(chain.after); };
        chain.nodes.erase(std::remove_if(chain.nodes.begin(), chain.nodes.end(), stays), chain.nodes.end());
        if (!isWorkBetween(*chain.after, assignment, chain.nodes))
            return;
        std::sort(chain.nodes.begin(), chain.nodes.end(), [](const Node *a, const Node *b) { return a->isBefore(b); });
        chain.nodes.push_back(&assignment);
        Node *last = outsideCallsAfter(chain.after);
        for (Node *node : chain.nodes) {
            node->moveAfter(last);
            last = node;
        }
    }

    const StateUses &usesOf(const Node &node) { return m_uses[&node]; }

    // Nothing is joined or written anew by what is moved.
    MemoryClasses &shared()
    {
        if (!m_shared)
            m_shared.emplace(m_graph, m_memory);
        return *m_shared;
    }

    Graph &m_graph;
    Block &m_top;
    GraphMemory m_memory;
    std::optional<MemoryClasses> m_shared;
    std::unordered_map<const Node *, StateUses> m_uses; // of the nodes at top level
};

// What a tuple is made of stands for what is taken out of it, so that a new state that is returned with other results
// is known before they are.
void openTuples(Block &block)
{
    for (Node *node : block.nodes()) {
        for (Block *inner : node->blocks())
            openTuples(*inner);
        if (node->kind() != c10::prim::TupleUnpack || node->input()->node()->kind() != c10::prim::TupleConstruct)
            continue;
        const auto items = node->input()->node()->inputs();
        for (std::size_t i = 0; i < items.size() && i < node->outputs().size(); ++i)
            if (*items[i]->type() == *node->outputs()[i]->type())
                node->outputs()[i]->replaceAllUsesWith(items[i]);
    }
}

bool hasState(const Graph &graph)
{
    const auto inputs = graph.inputs();
    return std::any_of(inputs.begin(), inputs.end(), [](const Value *input) { return input->type()->is_module(); });
}

} // namespace

void gatherState(const std::shared_ptr<Graph> &graph)
{
    if (!hasState(*graph))
        return;
    openTuples(*graph->block());
    Gatherer(*graph).run();
}

} // namespace pipescope::import

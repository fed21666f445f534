#include "exec/division_guard.h"

#include "import/trapping_division.h"

#include <algorithm>
#include <stdexcept>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <vector>

namespace pipescope::exec {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;

void lookAtDivision(torch::jit::Stack &stack)
{
    const c10::IValue divisor = torch::jit::pop(stack);
    const c10::IValue dividend = torch::jit::pop(stack);
    if (const char *const trap = import::trapOf(dividend, divisor))
        throw std::runtime_error(trap);
}

const c10::Symbol &guardKind()
{
    static const c10::Symbol kind = c10::Symbol::fromQualString("pipescope::divides");
    // CONSERVATIVE: has an effect, so that no pass removes or moves it (libtorch.md 1.11).
    static const torch::jit::RegisterOperators operators({
        torch::jit::Operator("pipescope::divides(Scalar a, Scalar b) -> ()", &lookAtDivision,
                             c10::AliasAnalysisKind::CONSERVATIVE),
    });
    return kind;
}

// Of one by a constant it is known already.
bool needsGuard(const Node &node)
{
    if (!import::mayTrap(node))
        return false;
    const auto divisor = torch::jit::toIValue(node.input(1));
    return !divisor || !divisor->isInt() || divisor->toInt() == 0 || divisor->toInt() == -1;
}

bool needsGuardInside(const Block &block)
{
    const auto nodes = block.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [](const Node *node) {
        const auto blocks = node->blocks();
        return needsGuard(*node) ||
               std::any_of(blocks.begin(), blocks.end(), [](const Block *inner) { return needsGuardInside(*inner); }) ||
               (node->hasAttribute(c10::attr::Subgraph) && needsGuardInside(*node->g(c10::attr::Subgraph)->block()));
    });
}

void guardInside(Block &block)
{
    const std::vector<Node *> nodes(block.nodes().begin(), block.nodes().end());
    for (Node *node : nodes)
        guardDivisions(*node);
}

} // namespace

void guardDivisions(Node &node)
{
    if (needsGuard(node))
        node.owningGraph()->create(guardKind(), {node.input(0), node.input(1)}, 0)->insertBefore(&node);
    for (Block *block : node.blocks())
        guardInside(*block);
    if (!node.hasAttribute(c10::attr::Subgraph) || !needsGuardInside(*node.g(c10::attr::Subgraph)->block()))
        return;
    const std::shared_ptr<Graph> code = node.g(c10::attr::Subgraph)->copy(); // the model's is only read
    guardInside(*code->block());
    node.g_(c10::attr::Subgraph, code);
}

} // namespace pipescope::exec

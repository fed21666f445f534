#include "exec/apart_blocks.h"

#include <torch/csrc/jit/runtime/custom_operator.h>
#include <vector>

namespace pipescope::exec {

namespace {

const c10::Symbol &separatorKind()
{
    static const c10::Symbol kind = c10::Symbol::fromQualString("pipescope::apart");
    // CONSERVATIVE: has an effect, so that no pass removes or moves it (libtorch.md 1.11).
    static const torch::jit::RegisterOperators operators({
        torch::jit::Operator(
            "pipescope::apart() -> ()", [](torch::jit::Stack &) {}, c10::AliasAnalysisKind::CONSERVATIVE),
    });
    return kind;
}

} // namespace

void keepBlocksApart(torch::jit::Block &block)
{
    const std::vector<torch::jit::Node *> nodes(block.nodes().begin(), block.nodes().end());
    for (torch::jit::Node *node : nodes) {
        for (torch::jit::Block *inner : node->blocks())
            keepBlocksApart(*inner);
        if (!node->blocks().empty())
            node->owningGraph()->create(separatorKind(), 0)->insertAfter(node);
    }
}

} // namespace pipescope::exec

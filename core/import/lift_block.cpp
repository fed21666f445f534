#include "import/lift_block.h"

#include "base/error.h"

#include <memory>
#include <unordered_map>

namespace pipescope::import {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

void liftBlock(Node &node)
{
    PIPESCOPE_ASSERT(node.blocks().size() == 1 && node.blocks()[0]->inputs().empty());
    const auto graph = std::make_shared<Graph>();
    std::unordered_map<Value *, Value *> inputs;
    graph->block()->cloneFrom(node.blocks()[0], [&](Value *outside) {
        Value *&input = inputs[outside];
        if (!input) {
            input = graph->addInput()->copyMetadata(outside);
            node.addInput(outside);
        }
        return input;
    });
    node.eraseBlock(0);
    node.g_(c10::attr::Subgraph, graph);
}

} // namespace pipescope::import

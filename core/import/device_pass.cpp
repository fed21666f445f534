#include "import/device_pass.h"

#include "import/provenance.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Node;

std::string usedBy(const Node &constant)
{
    for (const auto &use : constant.output()->uses()) {
        const std::string fqn = provenanceOf(*use.user).fqn;
        return (fqn.empty() ? "" : fqn + "/") + use.user->kind().toQualString();
    }
    return "unused";
}

void replaceConstant(Node *node, const c10::IValue &value)
{
    const torch::jit::WithInsertPoint here(node);
    node->output()->replaceAllUsesWith(node->owningGraph()->insertConstant(value));
}

// x.cuda() or x.cpu() that would take x away from the device everything else is on.
bool leadsElsewhere(const Node &node, const c10::Device &device)
{
    static const c10::Symbol toCuda = c10::Symbol::fromQualString("aten::cuda");
    static const c10::Symbol toCpu = c10::Symbol::fromQualString("aten::cpu");
    return (node.kind() == toCuda && !device.is_cuda()) || (node.kind() == toCpu && !device.is_cpu());
}

void visit(Block &block, const c10::Device &device, std::vector<std::string> &changes)
{
    for (auto it = block.nodes().begin(); it != block.nodes().end();) {
        Node *const node = *it++;
        for (Block *inner : node->blocks())
            visit(*inner, device, changes);
        if (node->hasAttribute(c10::attr::Subgraph))
            visit(*node->g(c10::attr::Subgraph)->block(), device, changes);
        if (leadsElsewhere(*node, device)) {
            changes.push_back(fmt::format("{}: left out on {}", node->kind().toQualString(), device.str()));
            node->output()->replaceAllUsesWith(node->input(0));
            node->destroy();
            continue;
        }
        if (node->kind() != c10::prim::Constant)
            continue;
        const auto value = torch::jit::toIValue(node->output());
        if (!value)
            continue;
        if (value->isDevice() && value->toDevice().type() != device.type()) {
            changes.push_back(fmt::format("{}: {} -> {}", usedBy(*node), value->toDevice().str(), device.str()));
            replaceConstant(node, device);
            node->destroy();
        } else if (value->isTensor() && value->toTensor().defined() &&
                   value->toTensor().device().type() != device.type()) {
            changes.push_back(fmt::format("{}: constant tensor {} -> {}", usedBy(*node),
                                          value->toTensor().device().str(), device.str()));
            replaceConstant(node, value->toTensor().to(device));
            node->destroy();
        }
    }
}

} // namespace

std::vector<std::string> sendToDevice(torch::jit::Graph &graph, const c10::Device &device)
{
    std::vector<std::string> changes;
    visit(*graph.block(), device, changes);
    return changes;
}

} // namespace pipescope::import

#include "import/gather_appends.h"

#include <algorithm>
#include <vector>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Use;

void collectLists(Block &block, std::vector<Node *> &lists)
{
    for (Node *node : block.nodes()) {
        if (node->kind() == c10::prim::ListConstruct)
            lists.push_back(node);
        for (Block *inner : node->blocks())
            collectLists(*inner, lists);
    }
}

bool appendsTo(const Node &list, const Use &use)
{
    return use.user->kind() == c10::aten::append && use.offset == 0 && use.user->input(1) != list.output() &&
           use.user->owningBlock() == list.owningBlock() && use.user->output()->uses().empty();
}

/// The appends before all other uses, in order.
std::vector<Node *> firstAppends(const Node &list)
{
    std::vector<Node *> appends;
    std::vector<const Node *> others;
    for (const Use &use : list.output()->uses()) {
        if (appendsTo(list, use))
            appends.push_back(use.user);
        else
            others.push_back(use.user);
    }
    std::sort(appends.begin(), appends.end(), [](const Node *a, const Node *b) { return a->isBefore(b); });
    const auto isSeen = [&](const Node *append) {
        return std::any_of(others.begin(), others.end(), [&](const Node *other) { return other->isBefore(append); });
    };
    appends.erase(std::find_if(appends.begin(), appends.end(), isSeen), appends.end());
    return appends;
}

} // namespace

void gatherAppends(const std::shared_ptr<torch::jit::Graph> &graph)
{
    std::vector<Node *> lists;
    collectLists(*graph->block(), lists);
    for (Node *list : lists) {
        const std::vector<Node *> appends = firstAppends(*list);
        if (appends.empty())
            continue;
        list->moveBefore(appends.back());
        for (Node *append : appends) {
            list->addInput(append->input(1));
            append->destroy();
        }
    }
}

} // namespace pipescope::import

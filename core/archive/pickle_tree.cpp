#include "archive/pickle_tree.h"

#include "archive/pickle_machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::archive {

namespace {

/// Whether the tree is free of cycles and shallow enough. Without recursion: that is what it protects others from.
std::string problemOfShape(const PickleTree &tree)
{
    constexpr int Unseen = -1;
    constexpr int Open = -2;
    struct Frame
    {
        PickleRef ref;
        std::size_t next = 0;
    };
    std::vector<int> height(tree.nodes.size(), Unseen);
    std::vector<Frame> path{{tree.root, 0}};
    height[tree.root.index()] = Open;
    while (!path.empty()) {
        Frame &frame = path.back();
        const std::vector<PickleRef> &items = tree.node(frame.ref).items;
        if (frame.next < items.size()) {
            const PickleRef child = items[frame.next++];
            if (height[child.index()] == Open)
                return "a value contains itself";
            if (height[child.index()] == Unseen) {
                height[child.index()] = Open;
                path.push_back({child, 0});
            }
            continue;
        }
        int tallest = 0;
        for (const PickleRef child : items)
            tallest = std::max(tallest, height[child.index()]);
        if (tallest >= MaxPickleDepth)
            return fmt::format("its values are nested deeper than {} levels", MaxPickleDepth);
        height[frame.ref.index()] = tallest + 1;
        path.pop_back();
    }
    return {};
}

} // namespace

const PickleNode *PickleTree::item(const PickleNode &of, std::size_t position) const
{
    return position < of.items.size() ? &node(of.items[position]) : nullptr;
}

std::string PickleTree::globalName(const PickleNode &of) const
{
    using Kind = PickleNode::Kind;
    if (of.kind == Kind::Object || of.kind == Kind::Call) {
        const PickleNode *first = item(of, 0);
        return first != nullptr && first->kind == Kind::Global ? globalName(*first) : std::string();
    }
    if (of.kind != Kind::Global)
        return {};
    if (of.items.size() == 2)
        return fmt::format("{}.{}", item(of, 0)->text, item(of, 1)->text);
    std::string name(of.text);
    std::replace(name.begin(), name.end(), '\n', '.');
    return name;
}

bool PickleTree::isNamed(const PickleNode &of, std::string_view name) const
{
    using Kind = PickleNode::Kind;
    const bool isCall = of.kind == Kind::Object || of.kind == Kind::Call;
    const PickleNode *global = isCall ? item(of, 0) : &of;
    if (global == nullptr || global->kind != Kind::Global)
        return false;
    const std::size_t size = global->items.size() == 2
                                 ? item(*global, 0)->text.size() + 1 + item(*global, 1)->text.size()
                                 : global->text.size();
    return size == name.size() && globalName(*global) == name;
}

Result<PickleTree> readPickle(std::string_view bytes, const std::string &where, PickleDialect dialect)
{
    PickleMachine machine(bytes, dialect);
    machine.run();
    std::string problem = machine.problem();
    if (!problem.empty())
        problem = fmt::format("at byte {}, {}", machine.offset(), problem);
    else if (dialect == PickleDialect::TorchScript)
        problem = problemOfShape(machine.tree());
    if (!problem.empty())
        return Error{machine.problemCode(), fmt::format("{} in {}", problem, where), where, {}};
    return std::move(machine.tree());
}

} // namespace pipescope::archive

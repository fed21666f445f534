#include "import/pickled_class.h"

#include "archive/pickle_tree.h"
#include "import/archive/archive.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace pipescope::import {

namespace {

using archive::PickleNode;
using archive::PickleTree;
using Kind = PickleNode::Kind;

constexpr std::size_t LongestName = 200; // that a message shows

/// Of what belongs to tensors and plain values.
bool isPlain(std::string_view className)
{
    constexpr std::array<std::string_view, 7> Modules{
        "torch._utils.", "torch._tensor.", "torch.storage.", "collections.", "builtins.", "__builtin__.", "numpy."};
    return className.empty() || className == "torch.Size" || className == "torch.device" ||
           std::any_of(Modules.begin(), Modules.end(),
                       [&](std::string_view module) { return className.starts_with(module); });
}

std::string classOf(const PickleTree &tree, const PickleNode &node)
{
    if (node.kind != Kind::Call)
        return {};
    std::string name = tree.globalName(node);
    return isPlain(name) || name.size() > LongestName ? std::string() : name;
}

} // namespace

std::string pickledClass(const std::filesystem::path &path)
{
    Result<Archive> archive = Archive::open(path);
    if (!archive)
        return {};
    const Result<std::vector<char>> bytes = archive->read("data.pkl");
    if (!bytes)
        return {};
    const auto tree =
        archive::readPickle({bytes->data(), bytes->size()}, "data.pkl", archive::PickleDialect::TorchSave);
    if (!tree)
        return {};
    const PickleNode &root = tree->node(tree->root);
    if (std::string name = classOf(*tree, root); !name.empty())
        return name;
    // The entries of a dict, and those set in an OrderedDict that was made.
    const std::size_t first = root.kind == Kind::Dict ? 0 : 2;
    if (root.kind != Kind::Dict && root.kind != Kind::Call)
        return {};
    for (std::size_t i = first + 1; i < root.items.size(); i += 2)
        if (std::string name = classOf(*tree, tree->node(root.items[i])); !name.empty())
            return name;
    return {};
}

} // namespace pipescope::import

#include "import/code_on_load.h"

#include "import/provenance.h"
#include "ops/operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string_view>
#include <vector>

namespace pipescope::import {

namespace {

using archive::PickleNode;
using archive::PickleTree;

constexpr std::size_t MostNamed = 3;

std::set<std::string_view> classesWithState(const archive::CodeListing &code)
{
    std::set<std::string_view> names;
    for (const archive::CodeMethod &method : code.methods)
        if (method.name == "__setstate__")
            names.insert(method.className);
    return names;
}

/// Adds those of `classes` that an object of the tree is of. The name of each class is looked at once, however many
/// objects are of it.
void addUsed(const PickleTree &tree, const std::set<std::string_view> &classes, std::set<std::string> &used)
{
    std::vector<bool> isSeen(tree.nodes.size(), false);
    for (const PickleNode &node : tree.nodes) {
        if (node.kind != PickleNode::Kind::Object || isSeen[node.items.front().index()])
            continue;
        isSeen[node.items.front().index()] = true;
        if (std::string name = tree.globalName(node); classes.contains(name))
            used.insert(std::move(name));
    }
}

std::string classesText(const std::set<std::string> &classes)
{
    std::vector<std::string> shown;
    for (const std::string &name : classes)
        if (shown.size() < MostNamed)
            shown.push_back(shortClassName(name));
    const std::size_t more = classes.size() - shown.size();
    return fmt::format("{}{}", fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : std::string());
}

} // namespace

std::string noteOfCodeOnLoad(const ArchiveContent &content)
{
    const std::set<std::string_view> classes = classesWithState(content.code);
    std::set<std::string> used;
    for (const PickleTree *tree : {&content.data.tree, &content.constants.tree})
        addUsed(*tree, classes, used);
    if (used.empty())
        return {};
    std::vector<std::string> fileUsers;
    for (const auto &[name, count] : content.code.calls)
        if (ops::of(name).role == ops::Role::UsesFiles)
            fileUsers.push_back(name);
    const std::string files =
        fileUsers.empty()
            ? std::string()
            : fmt::format("; code of the file reads or writes files of the machine ({})", fmt::join(fileUsers, ", "));
    return fmt::format("loading this file runs code of its own: the __setstate__ of {}{}", classesText(used), files);
}

} // namespace pipescope::import

// Attribute trees made by hand, and what a graph says, written out.
#pragma once

#include "archive/code_index.h"
#include "archive/code_listing.h"
#include "archive/pickle_tree.h"
#include "graph/check_references.h"
#include "outline/outline.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::tests {

/// A model in pieces: objects with attributes, and the code of "code/__torch__.py".
class Pickled
{
public:
    using Kind = archive::PickleNode::Kind;
    using Attributes = std::vector<std::pair<std::string, archive::PickleRef>>;

    explicit Pickled(std::string text)
        : code(std::move(text))
    {
    }

    archive::PickleRef object(const std::string &className, const Attributes &attributes)
    {
        const archive::PickleRef global = add(Kind::Global, "__torch__\n" + className);
        const archive::PickleRef none = add(Kind::Tuple, {});
        archive::PickleNode state;
        state.kind = Kind::Dict;
        for (const auto &[name, value] : attributes) {
            state.items.push_back(add(Kind::Text, name));
            state.items.push_back(value);
        }
        return root(Kind::Object, {global, none, add(std::move(state))});
    }
    /// Another object with the very attributes of one.
    archive::PickleRef twin(archive::PickleRef of) { return root(Kind::Object, tree.node(of).items); }
    archive::PickleRef tensor() { return add(Kind::None, {}); }

    graph::ModelGraph outline(const std::string &method = "forward", const outline::OutlineLimits &limits = {})
    {
        archive::CodeListing listing;
        archive::CodeIndex index;
        notes.clear();
        if (!archive::listCode(code, "code/__torch__.py", listing) || !index.add(code, "code/__torch__.py")) {
            notes.emplace_back("the code cannot be read");
            return {};
        }
        graph::ModelGraph graph;
        graph.modules = modules;
        graph.parameters = parameters;
        notes = outline::outlineMethod({tree, index, listing.classes}, method, graph, {}, limits);
        if (const Status held = graph::checkReferences(graph); !held)
            notes.push_back(held.error().message);
        return graph;
    }

    std::string code;
    archive::PickleTree tree;
    std::vector<graph::ModuleInfo> modules{{"", "Net", 0, 0, 0}};
    std::vector<graph::Parameter> parameters;
    std::vector<std::string> notes; ///< of the last outline

private:
    archive::PickleRef add(Kind kind, std::string text)
    {
        m_texts.push_back(std::move(text));
        archive::PickleNode node;
        node.kind = kind;
        node.text = m_texts.back();
        return add(std::move(node));
    }
    archive::PickleRef add(archive::PickleNode node)
    {
        tree.nodes.push_back(std::move(node));
        return archive::PickleRef{static_cast<int>(tree.nodes.size()) - 1};
    }
    archive::PickleRef root(Kind kind, std::vector<archive::PickleRef> items)
    {
        archive::PickleNode node;
        node.kind = kind;
        node.items = std::move(items);
        tree.root = add(std::move(node));
        return tree.root;
    }

    std::deque<std::string> m_texts; // what the nodes' texts point into
};

inline std::string namesOf(const graph::ModelGraph &graph, const std::vector<ValueId> &values)
{
    std::string text;
    for (const ValueId value : values)
        text += (text.empty() ? "" : " ") + graph.value(value).name;
    return text;
}

/// The data among its operands, as often as they are given; then what only its blocks use.
inline std::vector<ValueId> takenBy(const graph::Node &node)
{
    std::vector<ValueId> taken = node.operands;
    std::erase_if(taken, [](ValueId value) { return !value.valid(); });
    std::copy_if(node.uses.begin(), node.uses.end(), std::back_inserter(taken),
                 [&](ValueId used) { return std::find(taken.begin(), taken.end(), used) == taken.end(); });
    return taken;
}

inline void writeNode(const graph::ModelGraph &graph, const graph::Node &node, int depth, std::string &text)
{
    text +=
        std::string(static_cast<std::size_t>(depth) * 2, ' ') + node.name + "(" + namesOf(graph, takenBy(node)) + ")\n";
    for (const NodeId child : node.children)
        writeNode(graph, graph.node(child), depth + 1, text);
}

/// A node a line, those inside one further in: "lin/aten::linear(x lin.weight)".
inline std::string nodesText(const graph::ModelGraph &graph)
{
    std::string text;
    for (const NodeId node : graph.order)
        writeNode(graph, graph.node(node), 0, text);
    return text;
}

/// "blocks.0 1-3", with its call where that is not the first, a line.
inline std::string callsText(const graph::ModelGraph &graph)
{
    std::string text;
    for (const graph::ModuleCall &call : graph.calls)
        text += fmt::format("{}{} {}-{}{}\n", call.fqn, call.call == 0 ? "" : fmt::format("#{}", call.call), call.begin,
                            call.end, call.inside.valid() ? " inside " + graph.node(call.inside).name : "");
    return text;
}

} // namespace pipescope::tests

// Pickles read and written out, so that tests compare text.
#pragma once

#include "archive/pickle_tree.h"

namespace pipescope::testing {

/// A tree written like Python's repr, calls as name(args) and objects as name{state}.
inline std::string textOf(const archive::PickleTree &tree, const archive::PickleNode &node)
{
    const auto list = [&](std::string_view open, std::string_view close) {
        std::string out(open);
        for (std::size_t i = 0; i < node.items.size(); ++i)
            out += (i == 0 ? "" : ", ") + textOf(tree, *tree.item(node, i));
        return out + std::string(close);
    };
    using Kind = archive::PickleNode::Kind;
    switch (node.kind) {
    case Kind::None:
        return "None";
    case Kind::Bool:
        return node.integer != 0 ? "True" : "False";
    case Kind::Int:
        return std::to_string(node.integer);
    case Kind::Float:
        return std::to_string(node.real);
    case Kind::Text:
        return "'" + std::string(node.text) + "'";
    case Kind::Bytes:
        return "b'" + std::string(node.text) + "'";
    case Kind::Global:
        return tree.globalName(node);
    case Kind::Tuple:
        return list("(", ")");
    case Kind::List:
        return list("[", "]");
    case Kind::Dict:
        return list("{", "}");
    case Kind::Call:
        return list("call<", ">");
    case Kind::Object:
        return list("object<", ">");
    case Kind::Persistent:
        return list("id<", ">");
    }
    return {};
}

/// The pickle's tree, or what is wrong with it.
inline std::string readAsText(std::string_view bytes, archive::PickleDialect dialect)
{
    const auto tree = archive::readPickle(bytes, "data.pkl", dialect);
    return tree ? textOf(*tree, tree->node(tree->root)) : tree.error().message;
}

} // namespace pipescope::testing

// Any text as the code of an archive whose model holds itself under several names: what it is outlined as ends, within
// the limits, and holds together.
#include "archive/code_index.h"
#include "archive/code_listing.h"
#include "graph/check_references.h"
#include "outline/outline.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;
using archive::PickleNode;
using archive::PickleRef;
using archive::PickleTree;

namespace {

PickleRef add(PickleTree &tree, PickleNode::Kind kind, std::string_view text, std::vector<PickleRef> items = {})
{
    PickleNode node;
    node.kind = kind;
    node.text = text;
    node.items = std::move(items);
    tree.nodes.push_back(std::move(node));
    return PickleRef{static_cast<int>(tree.nodes.size()) - 1};
}

/// A net with two nets inside, and a tensor in each.
PickleTree model()
{
    using Kind = PickleNode::Kind;
    PickleTree tree;
    const PickleRef className = add(tree, Kind::Global, "__torch__\nNet");
    const PickleRef none = add(tree, Kind::Tuple, {});
    const PickleRef names[] = {add(tree, Kind::Text, "a"), add(tree, Kind::Text, "0"), add(tree, Kind::Text, "w")};
    const PickleRef tensor = add(tree, Kind::None, {});
    PickleRef net;
    for (int i = 0; i < 3; ++i) {
        std::vector<PickleRef> state{names[2], tensor};
        if (net.valid())
            state.insert(state.end(), {names[0], net, names[1], net});
        net = add(tree, Kind::Object, {}, {className, none, add(tree, Kind::Dict, {}, state)});
    }
    tree.root = net;
    return tree;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const PickleTree tree = model();
    const std::string_view code(reinterpret_cast<const char *>(data), size);
    archive::CodeListing listing;
    archive::CodeIndex index;
    const bool isListed = static_cast<bool>(archive::listCode(code, "code/__torch__.py", listing));
    const bool isIndexed = static_cast<bool>(index.add(code, "code/__torch__.py"));
    PIPESCOPE_ASSERT(isListed == isIndexed);
    if (!isIndexed)
        return 0;
    graph::ModelGraph graph;
    graph.modules = {{"", "Net", 0, 0, 0}, {"a", "Net", 0, 0, 0}, {"a.a", "Net", 0, 0, 0}};
    for (const char *name : {"w", "a.w", "a.a.w"})
        graph.parameters.push_back({name, {}, false, {"float32", {1}, 4, true}, {}});
    outline::OutlineLimits limits;
    limits.nodes = 1000;
    limits.operands = 4000;
    limits.words = 100'000;
    const auto notes = outline::outlineMethod({tree, index, listing.classes}, "forward", graph, {}, limits);
    PIPESCOPE_ASSERT(!graph.order.empty() && graph.nodes.size() <= 1000);
    PIPESCOPE_ASSERT(graph::checkReferences(graph));
    for (std::size_t i = 1; i < graph.calls.size(); ++i)
        PIPESCOPE_ASSERT(graph.calls[i - 1].begin <= graph.calls[i].begin);
    return 0;
}

// Any bytes as the words of --split: they are refused with a sentence, or each word reads back as it is from the
// command line and finds places of the graph.
#include "base/text.h"
#include "partition/split_point.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace pipescope;

namespace {

graph::ModelGraph sample()
{
    graph::ModelGraph graph;
    graph.method = "forward";
    for (const char *fqn : {"", "a", "a,b", "a:end", "1", "markers"}) {
        const int position = graph.size();
        graph::Node node;
        node.id = NodeId{position};
        node.op = "aten::relu";
        node.fqn = fqn;
        node.name = node.fqn + "/aten::relu";
        graph.modules.push_back({node.fqn, "Module", 0, 0, 0});
        if (!node.fqn.empty())
            graph.calls.push_back({node.fqn, 0, position, position + 1, {}});
        graph.order.push_back(node.id);
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const graph::ModelGraph graph = sample();
    const std::string text(reinterpret_cast<const char *>(data), size);
    const auto words = partition::separateWords(text);
    if (!words) {
        PIPESCOPE_ASSERT(words.error().code == ErrorCode::InvalidArgument && !words.error().message.empty());
        return 0;
    }
    for (const std::string &word : *words)
        PIPESCOPE_ASSERT(trimmed(word) == word);
    const auto positions = partition::resolveSplits(graph, *words);
    PIPESCOPE_ASSERT(positions || !positions.error().message.empty());
    if (positions)
        for (const int position : *positions)
            PIPESCOPE_ASSERT(position > 0 && position < graph.size());
    // Any text is the name of something, and its word means that alone.
    const auto back = partition::separateWords(partition::nameWord(text) + ",a");
    PIPESCOPE_ASSERT(back && back->size() == 2 && back->back() == "a");
    return 0;
}

// Any bytes as a pickle, in both dialects: reading ends with an error, or with a tree of which all that its readers
// rely on is true.
#include "archive/pickle_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;
using archive::PickleDialect;
using archive::PickleNode;
using archive::PickleRef;
using archive::PickleTree;
using Kind = PickleNode::Kind;

namespace {

bool isWellFormed(const PickleTree &tree, const PickleNode &node)
{
    const std::size_t items = node.items.size();
    switch (node.kind) {
    case Kind::Tuple:
    case Kind::List:
        return true;
    case Kind::Dict:
        return items % 2 == 0;
    case Kind::Call:
    case Kind::Object:
        return items >= 2;
    case Kind::Persistent:
        return items == 1;
    case Kind::Global:
        return !tree.globalName(node).empty() && tree.globalName(node).size() <= archive::MaxGlobalName + 1;
    default:
        return items == 0;
    }
}

/// How many levels stand below a node. Only for trees that promise to have an end.
int height(const PickleTree &tree, PickleRef ref, std::vector<int> &known)
{
    if (known[ref.index()] == 0)
        for (const PickleRef item : tree.node(ref).items)
            known[ref.index()] = std::max(known[ref.index()], height(tree, item, known) + 1);
    return known[ref.index()];
}

void check(std::string_view bytes, PickleDialect dialect)
{
    const auto tree = archive::readPickle(bytes, "data.pkl", dialect);
    if (!tree) {
        const ErrorCode code = tree.error().code;
        PIPESCOPE_ASSERT((code == ErrorCode::InvalidFile || code == ErrorCode::Unsupported) &&
                         !tree.error().message.empty());
        return;
    }
    const auto isInside = [&](PickleRef ref) { return ref.valid() && ref.index() < tree->nodes.size(); };
    PIPESCOPE_ASSERT(isInside(tree->root));
    for (const PickleNode &node : tree->nodes) {
        PIPESCOPE_ASSERT(std::all_of(node.items.begin(), node.items.end(), isInside));
        PIPESCOPE_ASSERT(isWellFormed(*tree, node));
        PIPESCOPE_ASSERT(node.text.empty() || (node.text.data() >= bytes.data() &&
                                               node.text.data() + node.text.size() <= bytes.data() + bytes.size()));
    }
    std::vector<int> heights(tree->nodes.size());
    if (dialect == PickleDialect::TorchScript)
        PIPESCOPE_ASSERT(height(*tree, tree->root, heights) < archive::MaxPickleDepth);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    check(bytes, PickleDialect::TorchScript);
    check(bytes, PickleDialect::TorchSave);
    return 0;
}

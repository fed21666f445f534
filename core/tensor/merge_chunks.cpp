// mergeChunks of chunks.h.
#include "tensor/build_tree.h"
#include "tensor/chunking/match_spec.h"
#include "tensor/chunking/merge_leaf.h"
#include "tensor/chunks.h"
#include "tensor/ivalue_tree.h"

#include <fmt/format.h>
#include <optional>
#include <variant>

namespace pipescope::tensor {

namespace {

using microbatch::ChunkSpec;
using Values = std::vector<c10::IValue>; ///< one leaf, by microbatch

Error notMerged(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

/// The spec's containers around the merged leaves, which are taken from `leaves` in order.
c10::IValue inShapeOf(const ChunkSpec &spec, const Values &leaves, std::size_t &next)
{
    const auto buildAll = [&](const ChunkSpec::Children &items) {
        Values children;
        for (const ChunkSpec &item : items)
            children.push_back(inShapeOf(item, leaves, next));
        return children;
    };
    if (const auto *tuple = std::get_if<ChunkSpec::Tuple>(&spec.node))
        return makeTuple(buildAll(tuple->items));
    if (const auto *list = std::get_if<ChunkSpec::List>(&spec.node))
        return makeList(buildAll(list->items));
    if (const auto *dict = std::get_if<ChunkSpec::Dict>(&spec.node)) {
        std::vector<std::pair<std::string, c10::IValue>> entries;
        for (const auto &[name, child] : dict->entries)
            entries.emplace_back(name, inShapeOf(child, leaves, next));
        return makeDict(entries);
    }
    if (std::holds_alternative<microbatch::ListChunkSpec>(spec.node))
        return makeList({}); // mergeLeaf refuses those with items
    return leaves[next++];
}

Error doesNotMatch(const c10::IValue &chunk, const std::optional<ChunkSpec> &spec, std::string details)
{
    Error error = notMerged(
        fmt::format("Chunk {} did not match chunk spec {}", describeValue(chunk), spec ? specName(*spec) : "None"));
    error.details = std::move(details);
    return error;
}

/// All chunks' leaves, by leaf and then chunk, with the spec of each leaf.
struct Rotated
{
    std::vector<const ChunkSpec *> specs;
    std::vector<Values> values;
    std::vector<std::string> paths;
};

Result<Rotated> rotate(const Values &chunks, const std::optional<ChunkSpec> &spec, const ChunkSpec &byRows)
{
    Rotated rotated;
    for (const c10::IValue &chunk : chunks) {
        auto chunkLeaves = leaves(chunk);
        if (!chunkLeaves)
            return chunkLeaves.error();
        std::vector<SpecLeaf> order;
        if (spec) {
            auto matched = matchSpec(*spec, chunk);
            if (!matched)
                return doesNotMatch(chunk, spec, matched.error().message);
            order = std::move(matched->leaves);
        } else {
            for (std::size_t i = 0; i < chunkLeaves->size(); ++i)
                order.push_back({&byRows, i});
        }
        if (&chunk == &chunks.front()) {
            const std::vector<std::string> paths = leafPaths(chunk);
            for (const SpecLeaf &leaf : order) {
                rotated.specs.push_back(leaf.spec);
                rotated.paths.push_back(paths[leaf.valueLeaf]);
            }
            rotated.values.resize(order.size());
        }
        if (order.size() != rotated.specs.size())
            return doesNotMatch(chunk, spec, {});
        for (std::size_t i = 0; i < order.size(); ++i)
            rotated.values[i].push_back((*chunkLeaves)[order[i].valueLeaf]);
    }
    return rotated;
}

Result<c10::IValue> oneAfterAnother(const std::vector<c10::IValue> &chunks, const ChunkSpec &spec)
{
    Values items;
    for (const c10::IValue &chunk : chunks) {
        if (!chunk.isList())
            return doesNotMatch(chunk, spec, "the chunk spec 'list' is for lists");
        const auto part = chunk.toListRef();
        items.insert(items.end(), part.begin(), part.end());
    }
    return makeList(items);
}

} // namespace

Result<c10::IValue> mergeChunks(const std::vector<c10::IValue> &chunks, const std::optional<ChunkSpec> &spec,
                                SliceMode mode)
{
    if (chunks.empty())
        return notMerged("there are no microbatch outputs to merge (list index out of range)");
    if (spec && std::holds_alternative<microbatch::ListChunkSpec>(spec->node))
        return oneAfterAnother(chunks, *spec);
    const ChunkSpec byRows{microbatch::TensorChunkSpec{0}};
    auto rotated = rotate(chunks, spec, byRows);
    if (!rotated)
        return rotated.error();
    Values merged;
    for (std::size_t i = 0; i < rotated->values.size(); ++i) {
        auto leaf = mergeLeaf(*rotated->specs[i], rotated->values[i], mode);
        if (!leaf) {
            Error error = leaf.error();
            error.where = "output" + rotated->paths[i];
            return error;
        }
        merged.push_back(*std::move(leaf));
    }
    std::size_t next = 0;
    if (spec)
        return inShapeOf(*spec, merged, next);
    return mapLeaves(chunks.front(), [&](const c10::IValue &) { return merged[next++]; });
}

} // namespace pipescope::tensor

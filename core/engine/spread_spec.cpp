#include "engine/spread_spec.h"

#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

namespace pipescope::engine {

namespace {

using microbatch::ChunkSpec;

bool isWord(const ChunkSpec &spec)
{
    return !std::holds_alternative<ChunkSpec::Tuple>(spec.node) &&
           !std::holds_alternative<ChunkSpec::List>(spec.node) && !std::holds_alternative<ChunkSpec::Dict>(spec.node);
}

Result<ChunkSpec> spread(const ChunkSpec &word, const c10::IValue &value, int depth);

Result<ChunkSpec> spreadOverDict(const ChunkSpec &word, const c10::IValue &value, int depth)
{
    ChunkSpec::Dict dict;
    for (const auto &entry : value.toGenericDict()) {
        Result<ChunkSpec> item = spread(word, entry.value(), depth + 1);
        if (!item)
            return item;
        const c10::IValue &key = entry.key();
        dict.entries.push_back({key.isString() ? key.toStringRef() : tensor::describeValue(key), *std::move(item)});
    }
    return ChunkSpec{std::move(dict)};
}

template <class Node, class Items>
Result<ChunkSpec> spreadOverItems(const ChunkSpec &word, const Items &items, int depth)
{
    Node node;
    for (const c10::IValue &item : items) {
        Result<ChunkSpec> spec = spread(word, item, depth + 1);
        if (!spec)
            return spec;
        node.items.push_back(*std::move(spec));
    }
    return ChunkSpec{std::move(node)};
}

Result<ChunkSpec> spread(const ChunkSpec &word, const c10::IValue &value, int depth)
{
    if (depth > tensor::TreeDepthLimit)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("an input is nested deeper than {} levels", tensor::TreeDepthLimit),
                     {},
                     {}};
    if (value.isTuple())
        return spreadOverItems<ChunkSpec::Tuple>(word, value.toTupleRef().elements().vec(), depth);
    if (value.isList())
        return spreadOverItems<ChunkSpec::List>(word, value.toListRef(), depth);
    if (value.isGenericDict())
        return spreadOverDict(word, value, depth);
    return value.isTensor() ? word : ChunkSpec{microbatch::Replicate{}};
}

Result<ChunkSpec> spreadWords(const ChunkSpec &spec, const c10::IValue &value, int depth);

template <class Node, class Items>
Result<ChunkSpec> spreadItems(const Node &specs, const Items &items, int depth)
{
    if (specs.items.size() != items.size())
        return ChunkSpec{specs};
    Node node;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Result<ChunkSpec> item = spreadWords(specs.items[i], items[i], depth + 1);
        if (!item)
            return item;
        node.items.push_back(*std::move(item));
    }
    return ChunkSpec{std::move(node)};
}

Result<ChunkSpec> spreadEntries(ChunkSpec::Dict specs, const c10::IValue &value, int depth)
{
    for (const auto &entry : value.toGenericDict()) {
        const auto isItsSpec = [&](const ChunkSpec::Entry &spec) {
            return entry.key().isString() && spec.first == entry.key().toStringRef();
        };
        const auto named = std::find_if(specs.entries.begin(), specs.entries.end(), isItsSpec);
        if (named == specs.entries.end())
            continue;
        Result<ChunkSpec> item = spreadWords(named->second, entry.value(), depth + 1);
        if (!item)
            return item;
        named->second = *std::move(item);
    }
    return ChunkSpec{std::move(specs)};
}

Result<ChunkSpec> spreadWords(const ChunkSpec &spec, const c10::IValue &value, int depth)
{
    if (!tensor::isTree(value) || std::holds_alternative<microbatch::ListChunkSpec>(spec.node))
        return spec;
    if (isWord(spec))
        return spread(spec, value, depth);
    if (const auto *tuple = std::get_if<ChunkSpec::Tuple>(&spec.node); tuple != nullptr && value.isTuple())
        return spreadItems(*tuple, value.toTupleRef().elements().vec(), depth);
    if (const auto *list = std::get_if<ChunkSpec::List>(&spec.node); list != nullptr && value.isList())
        return spreadItems(*list, value.toListRef(), depth);
    if (const auto *dict = std::get_if<ChunkSpec::Dict>(&spec.node); dict != nullptr && value.isGenericDict())
        return spreadEntries(*dict, value, depth);
    return spec;
}

} // namespace

Result<ChunkSpec> spreadSpec(const ChunkSpec &spec, const c10::IValue &value)
{
    return spreadWords(spec, value, 0);
}

Result<ChunkSpec> spreadWord(const ChunkSpec &word, const c10::IValue &value)
{
    return spread(word, value, 0);
}

} // namespace pipescope::engine

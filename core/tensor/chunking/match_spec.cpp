#include "tensor/chunking/match_spec.h"

#include "base/text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>
#include <variant>

namespace pipescope::tensor {

namespace {

using microbatch::ChunkSpec;

std::vector<const ChunkSpec *> specChildren(const ChunkSpec &spec)
{
    std::vector<const ChunkSpec *> children;
    const auto add = [&](const ChunkSpec &child) { children.push_back(&child); };
    if (const auto *tuple = std::get_if<ChunkSpec::Tuple>(&spec.node))
        std::for_each(tuple->items.begin(), tuple->items.end(), add);
    else if (const auto *list = std::get_if<ChunkSpec::List>(&spec.node))
        std::for_each(list->items.begin(), list->items.end(), add);
    else if (const auto *dict = std::get_if<ChunkSpec::Dict>(&spec.node))
        for (const auto &[name, child] : dict->entries)
            add(child);
    return children;
}

bool isContainer(const ChunkSpec &spec)
{
    return std::holds_alternative<ChunkSpec::Tuple>(spec.node) || std::holds_alternative<ChunkSpec::List>(spec.node) ||
           std::holds_alternative<ChunkSpec::Dict>(spec.node);
}

void collectSpecLeaves(const ChunkSpec &spec, std::vector<const ChunkSpec *> &result)
{
    if (!isContainer(spec)) {
        result.push_back(&spec);
        return;
    }
    for (const ChunkSpec *child : specChildren(spec))
        collectSpecLeaves(*child, result);
}

std::vector<std::pair<std::string, c10::IValue>> entriesOf(const c10::IValue &dict)
{
    std::vector<std::pair<std::string, c10::IValue>> entries;
    for (const auto &entry : dict.toGenericDict())
        entries.emplace_back(entry.key().isString() ? entry.key().toStringRef() : describeValue(entry.key()),
                             entry.value());
    return entries;
}

std::vector<c10::IValue> childrenOf(const c10::IValue &value)
{
    if (value.isGenericDict()) {
        std::vector<c10::IValue> children;
        for (auto &[name, child] : entriesOf(value))
            children.push_back(std::move(child));
        return children;
    }
    if (value.isTuple())
        return value.toTupleRef().elements().vec();
    return value.toListRef().vec();
}

Error noMatch(std::string message, std::string details = {})
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, std::move(details)};
}

std::string partsText(std::size_t count)
{
    return fmt::format("{} part{}", count, count == 1 ? "" : "s");
}

/// "1 part", "3 parts ([0], [1]['a'], [1]['b'])": the leaves of a value.
std::string leavesText(const c10::IValue &value)
{
    constexpr std::size_t most = 6;
    std::vector<std::string> paths = leafPaths(value);
    const std::size_t count = paths.size();
    if (count < 2)
        return partsText(count);
    if (count > most)
        paths.resize(most);
    return fmt::format("{} ({}{})", partsText(count), fmt::join(paths, ", "), count > most ? ", ..." : "");
}

class Matcher
{
public:
    SpecMatch result;

    /// `first` is the index of the value's first leaf.
    Status match(const ChunkSpec &spec, const c10::IValue &value, std::size_t first)
    {
        if (std::holds_alternative<microbatch::ListChunkSpec>(spec.node))
            return matchList(spec, value, first);
        const auto *dict = std::get_if<ChunkSpec::Dict>(&spec.node);
        if (dict != nullptr && value.isGenericDict())
            return matchDict(*dict, value, first);
        const std::vector<const ChunkSpec *> specs = specChildren(spec);
        if (!isContainer(spec) || !isTree(value))
            return matchFlat(spec, value, first);
        const std::vector<c10::IValue> children = childrenOf(value);
        if (specs.size() != children.size())
            return matchFlat(spec, value, first);
        for (std::size_t i = 0; i < specs.size(); ++i) {
            if (auto ok = matchChild(*specs[i], children[i], i, first); !ok)
                return ok;
            first += leafPaths(children[i]).size();
        }
        return Success{};
    }

private:
    Status matchChild(const ChunkSpec &spec, const c10::IValue &child, std::size_t place, std::size_t first)
    {
        m_places.push_back(place);
        Status matched = match(spec, child, first);
        m_places.pop_back();
        return matched;
    }

    Status matchDict(const ChunkSpec::Dict &spec, const c10::IValue &value, std::size_t first)
    {
        const auto entries = entriesOf(value);
        std::vector<std::string> names;
        std::vector<std::size_t> starts;
        for (const auto &[name, child] : entries) {
            names.push_back(name);
            starts.push_back(first);
            first += leafPaths(child).size();
        }
        for (const auto &[name, child] : spec.entries) {
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end())
                return noMatch(fmt::format("the chunk spec names '{}', which the dict does not have.{}", name,
                                           didYouMean(name, names)));
            const auto position = static_cast<std::size_t>(found - names.begin());
            if (auto ok = matchChild(child, entries[position].second, position, starts[position]); !ok)
                return ok;
        }
        return spec.entries.size() == entries.size()
                   ? Status(Success{})
                   : wrongCount(ChunkSpec{spec}, spec.entries.size(), entries.size(), partsText(entries.size()));
    }

    Status matchFlat(const ChunkSpec &spec, const c10::IValue &value, std::size_t first)
    {
        std::vector<const ChunkSpec *> specs;
        collectSpecLeaves(spec, specs);
        const std::size_t count = leafPaths(value).size();
        if (microbatch::cutsList(spec)) { // which stands for a list and not for a leaf
            if (!isTree(value))
                return noMatch(fmt::format("the chunk spec {} is for a tuple, list or dict, and this is {}",
                                           microbatch::toText(spec), describeValue(value)));
            const std::size_t children = childrenOf(value).size();
            return wrongCount(spec, specChildren(spec).size(), children, partsText(children));
        }
        if (specs.size() != count)
            return wrongCount(spec, specs.size(), count, leavesText(value));
        for (const ChunkSpec *leaf : specs)
            result.leaves.push_back({leaf, first++});
        return Success{};
    }

    /// One spec for the whole list, and so for each leaf in it.
    Status matchList(const ChunkSpec &spec, const c10::IValue &value, std::size_t first)
    {
        if (!value.isList())
            return noMatch(fmt::format("the chunk spec 'list' is for a list, and this is {}; give it a dimension, or "
                                       "'replicate'",
                                       describeValue(value)));
        const std::size_t count = leafPaths(value).size();
        result.lists.push_back({value, m_places, first, count});
        for (std::size_t i = 0; i < count; ++i)
            result.leaves.push_back({&spec, first + i});
        return Success{};
    }

    static Status wrongCount(const ChunkSpec &spec, std::size_t specs, std::size_t values,
                             const std::string &valuesText)
    {
        return noMatch(fmt::format("the chunk spec {} has {}, and the value has {}; give it one for each",
                                   microbatch::toText(spec), partsText(specs), valuesText),
                       fmt::format("zip() argument 2 is {} than argument 1", specs < values ? "shorter" : "longer"));
    }

    Places m_places; // of the value that is matched
};

} // namespace

Result<SpecMatch> matchSpec(const ChunkSpec &spec, const c10::IValue &value)
{
    if (auto all = leaves(value); !all)
        return all.error();
    Matcher matcher;
    if (auto ok = matcher.match(spec, value, 0); !ok)
        return ok.error();
    return std::move(matcher.result);
}

std::string specName(const ChunkSpec &spec)
{
    if (const auto *tensor = std::get_if<microbatch::TensorChunkSpec>(&spec.node))
        return fmt::format("TensorChunkSpec({})", tensor->dim);
    return microbatch::toText(spec);
}

} // namespace pipescope::tensor

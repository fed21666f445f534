#include "tensor/chunking/match_spec.h"

#include "base/text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <algorithm>
#include <fmt/format.h>
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

class Matcher
{
public:
    std::vector<SpecLeaf> leaves;

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
            if (auto ok = match(*specs[i], children[i], first); !ok)
                return ok;
            first += leafPaths(children[i]).size();
        }
        return Success{};
    }

private:
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
                return Error{ErrorCode::InvalidArgument,
                             fmt::format("the chunk spec names '{}', which the dict does not have.{}", name,
                                         didYouMean(name, names)),
                             {},
                             {}};
            const auto position = static_cast<std::size_t>(found - names.begin());
            if (auto ok = match(child, entries[position].second, starts[position]); !ok)
                return ok;
        }
        return spec.entries.size() == entries.size() ? Status(Success{})
                                                     : wrongCount(spec.entries.size(), entries.size());
    }

    Status matchFlat(const ChunkSpec &spec, const c10::IValue &value, std::size_t first)
    {
        std::vector<const ChunkSpec *> specs;
        collectSpecLeaves(spec, specs);
        const std::size_t count = leafPaths(value).size();
        if (specs.size() != count)
            return wrongCount(specs.size(), count);
        for (const ChunkSpec *leaf : specs)
            leaves.push_back({leaf, first++});
        return Success{};
    }

    /// One spec for the whole list, and so for each leaf in it.
    Status matchList(const ChunkSpec &spec, const c10::IValue &value, std::size_t first)
    {
        if (!value.isList())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("the chunk spec 'list' is for lists, and found {}", describeValue(value)),
                         {},
                         {}};
        for (std::size_t count = leafPaths(value).size(); count > 0; --count)
            leaves.push_back({&spec, first++});
        return Success{};
    }

    static Status wrongCount(std::size_t specs, std::size_t values)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("zip() argument 2 is {} than argument 1: the value has {} parts, its chunk spec {}",
                                 specs < values ? "shorter" : "longer", values, specs),
                     {},
                     {}};
    }
};

} // namespace

Result<std::vector<SpecLeaf>> matchSpec(const ChunkSpec &spec, const c10::IValue &value)
{
    if (auto all = leaves(value); !all)
        return all.error();
    Matcher matcher;
    if (auto ok = matcher.match(spec, value, 0); !ok)
        return ok.error();
    return std::move(matcher.leaves);
}

std::string specName(const ChunkSpec &spec)
{
    if (const auto *tensor = std::get_if<microbatch::TensorChunkSpec>(&spec.node))
        return fmt::format("TensorChunkSpec({})", tensor->dim);
    return microbatch::toText(spec);
}

} // namespace pipescope::tensor

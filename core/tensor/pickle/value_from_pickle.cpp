#include "tensor/pickle/value_from_pickle.h"

#include "tensor/build_tree.h"
#include "tensor/cut_text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <unordered_map>
#include <vector>

namespace pipescope::tensor {

namespace {

using archive::PickleNode;
using archive::PickleRef;
using archive::PickleTree;
using Kind = PickleNode::Kind;

constexpr std::size_t ValueLimit = 1'000'000;

Error unsupported(std::string message)
{
    return {ErrorCode::Unsupported, std::move(message), {}, {}};
}

Error damagedValue(std::string message)
{
    return {ErrorCode::InvalidFile, std::move(message), {}, {}};
}

/// Str keys only where all are, so that the dict fits Dict[str, ...]; dicts of other keys hold anything.
c10::IValue dictOf(const std::vector<std::pair<c10::IValue, c10::IValue>> &entries)
{
    const bool areNamed =
        std::all_of(entries.begin(), entries.end(), [](const auto &entry) { return entry.first.isString(); });
    std::vector<c10::IValue> values;
    values.reserve(entries.size());
    for (const auto &[key, value] : entries)
        values.push_back(value);
    const c10::TypePtr any = c10::AnyType::get();
    c10::impl::GenericDict dict(areNamed ? c10::TypePtr(c10::StringType::get()) : any,
                                areNamed ? commonType(values, c10::TensorType::get()) : any);
    for (const auto &[key, value] : entries)
        dict.insert_or_assign(key, value);
    return dict;
}

class Builder
{
public:
    Builder(const PickleTree &tree, const StorageReader &storages)
        : m_tree(tree)
        , m_tensors(tree, storages)
    {
    }

    Result<c10::IValue> build(const PickleNode &node, int depth)
    {
        if (depth > TreeDepthLimit)
            return damagedValue(fmt::format("its values are nested more than {} levels deep", TreeDepthLimit));
        if (++m_values > ValueLimit)
            return damagedValue(fmt::format("it holds more than {} values", ValueLimit));
        switch (node.kind) {
        case Kind::None:
            return c10::IValue();
        case Kind::Bool:
            return c10::IValue(node.integer != 0);
        case Kind::Int:
            return c10::IValue(node.integer);
        case Kind::Float:
            return c10::IValue(node.real);
        case Kind::Text:
            return text(node);
        case Kind::Bytes:
            return unsupported("it holds bytes");
        case Kind::Global:
            return global(m_tree.globalName(node));
        case Kind::Tuple:
        case Kind::List:
            return sequence(node, depth);
        case Kind::Dict:
            return entries(node, 0, depth);
        case Kind::Call:
        case Kind::Object:
            return called(node, depth);
        case Kind::Persistent:
            return unsupported("it holds a bare storage; save the tensor instead");
        }
        PIPESCOPE_ASSERT(false);
    }

private:
    /// A text is one however often it is referred to: a small file can say so of a long one a million times.
    c10::IValue text(const PickleNode &node)
    {
        const auto [found, isNew] = m_texts.try_emplace(&node);
        if (isNew)
            found->second = c10::IValue(std::string(node.text));
        return found->second;
    }

    static Result<c10::IValue> global(const std::string &name)
    {
        if (name.starts_with("torch."))
            if (const auto type = dtypeFromName(name.substr(6)))
                return c10::IValue(static_cast<std::int64_t>(*type));
        return unsupported(fmt::format("it refers to '{}', which is not loaded; save tensors and plain values only",
                                       cutText(name, 80)));
    }

    Result<c10::IValue> sequence(const PickleNode &node, int depth)
    {
        std::vector<c10::IValue> values;
        for (const PickleRef ref : node.items) {
            auto value = build(m_tree.node(ref), depth + 1);
            if (!value)
                return value.error();
            values.push_back(*std::move(value));
        }
        if (node.kind == Kind::Tuple)
            return makeTuple(std::move(values));
        return makeList(values);
    }

    /// The items from `first` on are keys and values.
    Result<c10::IValue> entries(const PickleNode &node, std::size_t first, int depth)
    {
        std::vector<std::pair<c10::IValue, c10::IValue>> result;
        for (std::size_t i = first; i + 1 < node.items.size(); i += 2) {
            auto key = build(m_tree.node(node.items[i]), depth + 1);
            if (!key)
                return key.error();
            if (!key->isString() && !key->isInt() && !key->isDouble() && !key->isBool())
                return unsupported(
                    fmt::format("a key of a dict in it is {}; use text or numbers", cutText(describeValue(*key), 60)));
            auto value = build(m_tree.node(node.items[i + 1]), depth + 1);
            if (!value)
                return value.error();
            result.emplace_back(*std::move(key), *std::move(value));
        }
        return dictOf(result);
    }

    Result<c10::IValue> called(const PickleNode &call, int depth)
    {
        if (m_tree.item(call, 0)->kind != Kind::Global)
            return damagedValue("it calls something that has no name");
        const std::string name = m_tree.globalName(call);
        if (TensorRebuilder::knows(name)) {
            auto tensor = m_tensors.rebuild(call);
            if (!tensor)
                return tensor.error();
            return c10::IValue(*std::move(tensor));
        }
        const PickleNode &arguments = *m_tree.item(call, 1);
        const bool isTuple = arguments.kind == Kind::Tuple;
        if (isTuple && name == "collections.OrderedDict" && arguments.items.empty())
            return entries(call, 2, depth);
        if (isTuple && name == "torch.Size" && arguments.items.size() == 1)
            return build(*m_tree.item(arguments, 0), depth + 1);
        if (isTuple && (name == "builtins.complex" || name == "__builtin__.complex"))
            return complexNumber(arguments);
        return unsupported(fmt::format("it wants to call '{}', which is not done; save tensors and plain values only",
                                       cutText(name, 80)));
    }

    Result<c10::IValue> complexNumber(const PickleNode &parts)
    {
        const PickleNode *real = m_tree.item(parts, 0);
        const PickleNode *imaginary = m_tree.item(parts, 1);
        if (real == nullptr || imaginary == nullptr || real->kind != Kind::Float || imaginary->kind != Kind::Float)
            return damagedValue("a complex number in it is damaged");
        return c10::IValue(c10::complex<double>(real->real, imaginary->real));
    }

    const PickleTree &m_tree;
    TensorRebuilder m_tensors;
    std::unordered_map<const PickleNode *, c10::IValue> m_texts;
    std::size_t m_values = 0;
};

} // namespace

Result<c10::IValue> valueFromPickle(const archive::PickleTree &tree, const StorageReader &storages)
{
    return Builder(tree, storages).build(tree.node(tree.root), 0);
}

} // namespace pipescope::tensor

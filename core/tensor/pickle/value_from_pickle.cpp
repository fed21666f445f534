#include "tensor/pickle/value_from_pickle.h"

#include "tensor/build_tree.h"
#include "tensor/cut_text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>
#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace pipescope::tensor {

namespace {

constexpr int DepthLimit = 64;
constexpr std::size_t ValueLimit = 1'000'000;

Error unsupported(std::string message)
{
    return {ErrorCode::Unsupported, std::move(message), {}, {}};
}

Error damaged(std::string message)
{
    return {ErrorCode::InvalidFile, std::move(message), {}, {}};
}

/// Str keys only where all are, so that the dict fits Dict[str, ...]; dicts of other keys hold anything.
c10::IValue dictOf(const std::vector<std::pair<c10::IValue, c10::IValue>> &entries)
{
    const auto named = [](const auto &entry) { return entry.first.isString(); };
    if (std::all_of(entries.begin(), entries.end(), named)) {
        std::vector<std::pair<std::string, c10::IValue>> texts;
        for (const auto &[key, value] : entries)
            texts.emplace_back(key.toStringRef(), value);
        return makeDict(texts);
    }
    c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
    for (const auto &[key, value] : entries)
        dict.insert_or_assign(key, value);
    return dict;
}

class Builder
{
public:
    Builder(const Pickle &pickle, const StorageReader &storages)
        : m_pickle(pickle)
        , m_tensors(pickle, storages)
    {
    }

    Result<c10::IValue> build(PickleRef ref, int depth)
    {
        if (depth > DepthLimit)
            return damaged(fmt::format("its values are nested more than {} levels deep", DepthLimit));
        if (++m_values > ValueLimit)
            return damaged(fmt::format("it holds more than {} values", ValueLimit));
        return std::visit([&](const auto &node) { return make(node, depth); }, m_pickle.at(ref).node);
    }

private:
    static Result<c10::IValue> make(const PickleNode::None &, int) { return c10::IValue(); }
    static Result<c10::IValue> make(bool value, int) { return c10::IValue(value); }
    static Result<c10::IValue> make(std::int64_t value, int) { return c10::IValue(value); }
    static Result<c10::IValue> make(double value, int) { return c10::IValue(value); }
    static Result<c10::IValue> make(const std::string &value, int) { return c10::IValue(value); }
    static Result<c10::IValue> make(const PickleNode::Bytes &, int) { return unsupported("it holds bytes"); }

    static Result<c10::IValue> make(const PickleNode::Persistent &, int)
    {
        return unsupported("it holds a bare storage; save the tensor instead");
    }

    static Result<c10::IValue> make(const PickleNode::Global &global, int)
    {
        if (global.name.starts_with("torch."))
            if (const auto type = dtypeFromName(global.name.substr(6)))
                return c10::IValue(static_cast<std::int64_t>(*type));
        return unsupported(fmt::format("it refers to '{}', which is not loaded; save tensors and plain values only",
                                       cutText(global.name, 80)));
    }

    Result<std::vector<c10::IValue>> items(const PickleNode::Items &refs, int depth)
    {
        std::vector<c10::IValue> values;
        for (const PickleRef ref : refs) {
            auto value = build(ref, depth + 1);
            if (!value)
                return value.error();
            values.push_back(*std::move(value));
        }
        return values;
    }

    Result<c10::IValue> make(const PickleNode::List &list, int depth)
    {
        auto values = items(list.items, depth);
        if (!values)
            return values.error();
        return makeList(*values);
    }

    Result<c10::IValue> make(const PickleNode::Tuple &tuple, int depth)
    {
        auto values = items(tuple.items, depth);
        if (!values)
            return values.error();
        return makeTuple(*std::move(values));
    }

    Result<c10::IValue> make(const PickleNode::Dict &dict, int depth) { return entries(dict.entries, depth); }

    Result<c10::IValue> entries(const PickleNode::Entries &refs, int depth)
    {
        std::vector<std::pair<c10::IValue, c10::IValue>> result;
        for (const auto &[keyRef, valueRef] : refs) {
            auto key = build(keyRef, depth + 1);
            if (!key)
                return key.error();
            if (!key->isString() && !key->isInt() && !key->isDouble() && !key->isBool())
                return unsupported(
                    fmt::format("a key of a dict in it is {}; use text or numbers", cutText(describeValue(*key), 60)));
            auto value = build(valueRef, depth + 1);
            if (!value)
                return value.error();
            result.emplace_back(*std::move(key), *std::move(value));
        }
        return dictOf(result);
    }

    Result<c10::IValue> make(const PickleNode::Call &call, int depth)
    {
        const auto *function = std::get_if<PickleNode::Global>(&m_pickle.at(call.function).node);
        if (function == nullptr)
            return damaged("it calls something that has no name");
        const std::string &name = function->name;
        if (TensorRebuilder::knows(name)) {
            auto tensor = m_tensors.rebuild(call);
            if (!tensor)
                return tensor.error();
            return c10::IValue(*std::move(tensor));
        }
        const auto *arguments = std::get_if<PickleNode::Tuple>(&m_pickle.at(call.arguments).node);
        if (arguments != nullptr && name == "collections.OrderedDict" && arguments->items.empty())
            return entries(call.entries, depth);
        if (arguments != nullptr && name == "torch.Size" && arguments->items.size() == 1)
            return build(arguments->items.front(), depth + 1);
        if (arguments != nullptr && (name == "builtins.complex" || name == "__builtin__.complex"))
            return complexNumber(*arguments);
        return unsupported(fmt::format("it wants to call '{}', which is not done; save tensors and plain values only",
                                       cutText(name, 80)));
    }

    Result<c10::IValue> complexNumber(const PickleNode::Tuple &parts)
    {
        const auto part = [&](std::size_t i) {
            return i < parts.items.size() ? std::get_if<double>(&m_pickle.at(parts.items[i]).node) : nullptr;
        };
        if (part(0) == nullptr || part(1) == nullptr)
            return damaged("a complex number in it is damaged");
        return c10::IValue(c10::complex<double>(*part(0), *part(1)));
    }

    const Pickle &m_pickle;
    TensorRebuilder m_tensors;
    std::size_t m_values = 0;
};

} // namespace

Result<c10::IValue> valueFromPickle(const Pickle &pickle, const StorageReader &storages)
{
    return Builder(pickle, storages).build(pickle.root, 0);
}

} // namespace pipescope::tensor

// makeValue of make_input.h.
#include "tensor/build_tree.h"
#include "tensor/input/random_tensor.h"
#include "tensor/ivalue_tree.h"
#include "tensor/make_input.h"
#include "tensor/tensor_file.h"

#include <cstdint>
#include <utility>
#include <variant>

namespace pipescope::tensor {

namespace {

/// `key` is what random tensors at this place depend on; each child has its own.
Result<c10::IValue> make(const plan::InputValue &value, std::uint64_t key, int depth);

Result<std::vector<c10::IValue>> makeItems(const std::vector<plan::InputValue> &items, std::uint64_t key, int depth)
{
    std::vector<c10::IValue> values;
    for (const plan::InputValue &item : items) {
        auto value = make(item, mixKey(key, values.size()), depth + 1);
        if (!value)
            return value.error();
        values.push_back(*std::move(value));
    }
    return values;
}

class Maker
{
public:
    std::uint64_t key = 0;
    int depth = 0;

    Result<c10::IValue> operator()(const plan::InputValue::None &) const { return c10::IValue(); }
    Result<c10::IValue> operator()(bool value) const { return c10::IValue(value); }
    Result<c10::IValue> operator()(std::int64_t value) const { return c10::IValue(value); }
    Result<c10::IValue> operator()(double value) const { return c10::IValue(value); }
    Result<c10::IValue> operator()(const std::string &value) const { return c10::IValue(value); }

    Result<c10::IValue> operator()(const plan::TensorSpec &spec) const
    {
        auto tensor = randomTensor(spec, spec.seed ? mixKey(*spec.seed, 0) : key);
        if (!tensor)
            return tensor.error();
        return c10::IValue(*std::move(tensor));
    }

    Result<c10::IValue> operator()(const plan::FileSpec &file) const { return loadTensors(file.path); }

    Result<c10::IValue> operator()(const plan::InputValue::List &list) const
    {
        auto items = makeItems(list.items, key, depth);
        if (!items)
            return items.error();
        return makeList(*items);
    }

    Result<c10::IValue> operator()(const plan::InputValue::Tuple &tuple) const
    {
        auto items = makeItems(tuple.items, key, depth);
        if (!items)
            return items.error();
        return makeTuple(*std::move(items));
    }

    Result<c10::IValue> operator()(const plan::InputValue::Dict &dict) const
    {
        std::vector<std::pair<std::string, c10::IValue>> entries;
        for (const auto &[name, item] : dict.entries) {
            auto value = make(item, mixKey(key, entries.size()), depth + 1);
            if (!value)
                return value.error();
            entries.emplace_back(name, *std::move(value));
        }
        return makeDict(entries);
    }
};

Result<c10::IValue> make(const plan::InputValue &value, std::uint64_t key, int depth)
{
    if (depth > TreeDepthLimit)
        return Error{ErrorCode::InvalidArgument, "an input is nested more than 64 levels deep", {}, {}};
    return std::visit(Maker{key, depth}, value.node);
}

} // namespace

Result<c10::IValue> makeValue(const plan::InputValue &value, std::uint64_t seed, int place)
{
    return make(value, mixKey(seed, static_cast<std::uint64_t>(place)), 0);
}

} // namespace pipescope::tensor

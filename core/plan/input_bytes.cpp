#include "plan/input_bytes.h"

#include "base/dtype.h"

#include <algorithm>
#include <limits>

namespace pipescope::plan {

namespace {

constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();

std::int64_t bytesOf(const TensorSpec &tensor)
{
    const Dtype *dtype = dtypeOf(tensor.dtype);
    std::int64_t bytes = dtype == nullptr ? 1 : dtype->bytes;
    for (const std::int64_t size : tensor.sizes) {
        if (size != 0 && bytes > Most / size)
            return Most;
        bytes *= size;
    }
    return bytes;
}

/// Adds what the value takes. False where that is not known.
bool add(const InputValue &value, std::int64_t &bytes)
{
    const auto addAll = [&bytes](const std::vector<InputValue> &items) {
        return std::all_of(items.begin(), items.end(), [&bytes](const InputValue &item) { return add(item, bytes); });
    };
    if (const auto *tensor = std::get_if<TensorSpec>(&value.node))
        bytes += std::min(bytesOf(*tensor), Most - bytes);
    if (const auto *list = std::get_if<InputValue::List>(&value.node))
        return addAll(list->items);
    if (const auto *tuple = std::get_if<InputValue::Tuple>(&value.node))
        return addAll(tuple->items);
    if (const auto *dict = std::get_if<InputValue::Dict>(&value.node))
        return std::all_of(dict->entries.begin(), dict->entries.end(),
                           [&bytes](const InputValue::Entry &entry) { return add(entry.second, bytes); });
    return !std::holds_alternative<FileSpec>(value.node);
}

} // namespace

std::optional<std::int64_t> inputBytes(const std::vector<InputSpec> &inputs)
{
    std::int64_t bytes = 0;
    for (const InputSpec &input : inputs)
        if (!add(input.value, bytes))
            return std::nullopt;
    return bytes;
}

} // namespace pipescope::plan

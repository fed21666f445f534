#include "tensor/build_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <algorithm>

namespace pipescope::tensor {

namespace {

/// IValue::type() of a tensor carries its sizes; containers are typed without them.
c10::TypePtr plainType(const c10::IValue &value)
{
    return value.isTensor() ? c10::TypePtr(c10::TensorType::get()) : value.type();
}

} // namespace

c10::TypePtr commonType(const std::vector<c10::IValue> &items, const c10::TypePtr &elementType)
{
    const auto allFit = [&](const c10::TypePtr &type) {
        return std::all_of(items.begin(), items.end(),
                           [&](const c10::IValue &item) { return plainType(item)->isSubtypeOf(*type); });
    };
    if (allFit(elementType))
        return elementType;
    const c10::TypePtr first = plainType(items.front());
    return allFit(first) ? first : c10::TypePtr(c10::AnyType::get());
}

c10::IValue makeTuple(std::vector<c10::IValue> items)
{
    return c10::ivalue::Tuple::create(std::move(items));
}

c10::IValue makeList(const std::vector<c10::IValue> &items)
{
    c10::impl::GenericList list(commonType(items, c10::TensorType::get()));
    list.reserve(items.size());
    for (const c10::IValue &item : items)
        list.push_back(item);
    return list;
}

c10::IValue makeDict(const std::vector<std::pair<std::string, c10::IValue>> &entries)
{
    std::vector<c10::IValue> values;
    values.reserve(entries.size());
    for (const auto &[name, value] : entries)
        values.push_back(value);
    c10::impl::GenericDict dict(c10::StringType::get(), commonType(values, c10::TensorType::get()));
    for (const auto &[name, value] : entries)
        dict.insert_or_assign(name, value);
    return dict;
}

} // namespace pipescope::tensor

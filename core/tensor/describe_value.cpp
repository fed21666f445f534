// The parts of ivalue_tree.h that turn values and dtypes into text.
#include "tensor/ivalue_tree.h"

#include "tensor/cut_text.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/TensorBody.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex.h>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>

namespace pipescope::tensor {

namespace {

constexpr std::size_t TextLimit = 400;
constexpr int DescribedDepth = 16;

/// As Python's repr: the shortest digits that read back to the same number, and always recognisable as a float.
std::string floatText(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    const std::string digits = fmt::format("{}", number);
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string tensorText(const at::Tensor &tensor)
{
    if (!tensor.defined())
        return "None";
    if (tensor.is_nested()) // which has no sizes
        return fmt::format("nested Tensor(of {}, grad={}, dtype=torch.{})", tensor.size(0),
                           tensor.requires_grad() ? "True" : "False", dtypeName(tensor.scalar_type()));
    return fmt::format("Tensor(torch.Size([{}]), grad={}, dtype=torch.{})", fmt::join(tensor.sizes(), ", "),
                       tensor.requires_grad() ? "True" : "False", dtypeName(tensor.scalar_type()));
}

std::string leafText(const c10::IValue &value)
{
    if (value.isTensor())
        return tensorText(value.toTensor());
    if (value.isNone())
        return "None";
    if (value.isBool())
        return value.toBool() ? "True" : "False";
    if (value.isInt())
        return fmt::format("{}", value.toInt());
    if (value.isDouble())
        return floatText(value.toDouble());
    if (value.isComplexDouble())
        return fmt::format("({}{:+}j)", value.toComplexDouble().real(), value.toComplexDouble().imag());
    if (value.isString())
        return cutText(value.toStringRef(), TextLimit);
    if (value.isDevice())
        return value.toDevice().str();
    return fmt::format("<{}>", value.tagKind());
}

void append(const c10::IValue &value, int depth, std::string &text);

template <class Items>
void appendItems(const Items &items, int depth, std::string &text)
{
    bool first = true;
    for (const c10::IValue &item : items) {
        if (!first)
            text += ", ";
        first = false;
        append(item, depth + 1, text);
        if (text.size() > TextLimit)
            return;
    }
}

void appendEntries(const c10::impl::GenericDict &dict, int depth, std::string &text)
{
    bool first = true;
    for (const auto &entry : dict) {
        if (!first)
            text += ", ";
        first = false;
        append(entry.key(), depth + 1, text);
        text += ": ";
        append(entry.value(), depth + 1, text);
        if (text.size() > TextLimit)
            return;
    }
}

void append(const c10::IValue &value, int depth, std::string &text)
{
    if (!isTree(value)) {
        text += value.isString() ? fmt::format("'{}'", leafText(value)) : leafText(value);
    } else if (depth >= DescribedDepth) {
        text += "...";
    } else if (value.isGenericDict()) {
        text += '{';
        appendEntries(value.toGenericDict(), depth, text);
        text += '}';
    } else if (value.isTuple()) {
        const auto &items = value.toTupleRef().elements();
        text += '(';
        appendItems(items, depth, text);
        text += items.size() == 1 ? ",)" : ")";
    } else {
        text += '[';
        appendItems(value.toListRef(), depth, text);
        text += ']';
    }
}

} // namespace

std::string dtypeName(at::ScalarType type)
{
    return std::string(c10::getDtypeNames(type).first);
}

std::optional<at::ScalarType> dtypeFromName(std::string_view name)
{
    const auto &names = c10::getStringToDtypeMap();
    const auto found = names.find(std::string(name));
    if (found == names.end())
        return std::nullopt;
    return found->second;
}

/// -1 where a nested tensor's parts may differ.
std::vector<std::int64_t> sizesOf(const at::Tensor &tensor)
{
    if (!tensor.is_nested())
        return tensor.sizes().vec();
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(tensor.dim()), -1);
    sizes.front() = tensor.size(0);
    return sizes;
}

graph::TensorMeta describeTensor(const at::Tensor &tensor)
{
    graph::TensorMeta meta;
    if (!tensor.defined())
        return meta;
    meta.dtype = dtypeName(tensor.scalar_type());
    meta.sizes = sizesOf(tensor);
    meta.bytes = tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
    meta.requiresGrad = tensor.requires_grad();
    return meta;
}

std::string describeValue(const c10::IValue &value)
{
    if (!isTree(value))
        return leafText(value);
    std::string text;
    append(value, 0, text);
    return cutText(text, TextLimit);
}

} // namespace pipescope::tensor

#include "tensor/chunking/merge_leaf.h"

#include "tensor/chunking/match_spec.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <variant>

namespace pipescope::tensor {

namespace {

using microbatch::ChunkSpec;
using microbatch::Reducer;
using Values = std::vector<c10::IValue>; ///< one leaf, by microbatch

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

std::string_view pythonTypeName(const c10::IValue &value)
{
    if (value.isNone() || (value.isTensor() && !value.toTensor().defined()))
        return "NoneType";
    if (value.isBool())
        return "bool";
    if (value.isInt())
        return "int";
    if (value.isDouble())
        return "float";
    if (value.isComplexDouble())
        return "complex";
    return value.isString() ? "str" : "object";
}

std::string shapeText(const at::Tensor &tensor)
{
    return fmt::format("torch.Size([{}])", fmt::join(tensor.sizes(), ", "));
}

/// The slices that the microbatches' full-size results are right in.
Result<std::vector<at::Tensor>> ownSlices(const std::vector<at::Tensor> &tensors, std::int64_t dim)
{
    for (const at::Tensor &tensor : tensors)
        if (tensor.sizes() != tensors.front().sizes())
            return invalid(fmt::format("Expected shape {}, got {}", shapeText(tensors.front()), shapeText(tensor)));
    std::vector<at::Tensor> slices;
    std::int64_t start = 0;
    const std::int64_t rows = tensors.front().size(dim);
    for (const std::int64_t size : microbatch::chunkSizes(rows, static_cast<std::int64_t>(tensors.size()))) {
        slices.push_back(tensors[slices.size()].narrow(dim, start, size));
        start += size;
    }
    return slices;
}

Result<c10::IValue> concatenated(const Values &values, std::int64_t dim, SliceMode mode)
{
    std::vector<at::Tensor> tensors;
    for (const c10::IValue &value : values) {
        if (!isDefinedTensor(value))
            return invalid(fmt::format("expected Tensor as element {} in argument 0, but got {}", tensors.size(),
                                       pythonTypeName(value)));
        tensors.push_back(value.toTensor());
    }
    if (mode == SliceMode::Masked && tensors.front().dim() > 0) {
        auto slices = ownSlices(tensors, dim);
        if (!slices)
            return slices.error();
        tensors = *std::move(slices);
    }
    return c10::IValue(at::cat(tensors, dim));
}

bool isReal(const c10::IValue &value)
{
    return value.isInt() || value.isDouble() || value.isBool();
}

double asDouble(const c10::IValue &value)
{
    if (value.isDouble())
        return value.toDouble();
    return value.isInt() ? static_cast<double>(value.toInt()) : static_cast<double>(value.toBool());
}

/// As Python's ==, except that NaN equals NaN and tensors are compared element by element.
bool equalValues(const c10::IValue &a, const c10::IValue &b)
{
    if (isDefinedTensor(a) && isDefinedTensor(b)) {
        const at::Tensor &x = a.toTensor();
        const at::Tensor &y = b.toTensor();
        return x.is_same(y) || (x.scalar_type() == y.scalar_type() && x.sizes() == y.sizes() && at::equal(x, y));
    }
    if (a.isInt() && b.isInt())
        return a.toInt() == b.toInt();
    if (isReal(a) && isReal(b)) {
        const double x = asDouble(a);
        const double y = asDouble(b);
        return x == y || (std::isnan(x) && std::isnan(y));
    }
    return a.tagKind() == b.tagKind() && (a.is(b) || a == b);
}

Result<c10::IValue> same(const Values &values)
{
    for (const c10::IValue &value : values)
        if (!equalValues(values.front(), value))
            return invalid(fmt::format("Expected {}, got {}", describeValue(values.front()), describeValue(value)));
    return values.front();
}

at::Tensor fold(Reducer reducer, const at::Tensor &a, const at::Tensor &b)
{
    if (reducer == Reducer::Max)
        return at::maximum(a, b);
    return reducer == Reducer::Min ? at::minimum(a, b) : at::add(a, b);
}

Result<c10::IValue> reducedTensors(const Values &values, Reducer reducer)
{
    at::Tensor result = values.front().toTensor();
    for (std::size_t i = 1; i < values.size(); ++i)
        result = fold(reducer, result, values[i].toTensor());
    if (reducer == Reducer::Mean)
        result = at::true_divide(result, at::Scalar(static_cast<double>(values.size())));
    return c10::IValue(result);
}

/// Numbers fold as 0-dim tensors, so that integers stay integers and mixed ones become floats, as in Python.
Result<c10::IValue> reducedNumbers(const Values &values, Reducer reducer)
{
    const bool whole = std::none_of(values.begin(), values.end(), [](const c10::IValue &v) { return v.isDouble(); });
    const at::ScalarType type = whole ? at::kLong : at::kDouble;
    Values tensors;
    for (const c10::IValue &value : values)
        tensors.emplace_back(at::scalar_tensor(value.toScalar(), at::TensorOptions(type)));
    auto result = reducedTensors(tensors, reducer);
    if (!result)
        return result.error();
    const at::Scalar number = result->toTensor().item();
    return number.isFloatingPoint() ? c10::IValue(number.toDouble()) : c10::IValue(number.toLong());
}

Result<c10::IValue> reduced(const Values &values, Reducer reducer)
{
    if (std::all_of(values.begin(), values.end(), isDefinedTensor))
        return reducedTensors(values, reducer);
    if (std::all_of(values.begin(), values.end(), isReal))
        return reducedNumbers(values, reducer);
    const auto odd = std::find_if(values.begin(), values.end(),
                                  [](const c10::IValue &value) { return !isDefinedTensor(value) && !isReal(value); });
    return invalid(fmt::format("reducer '{}' folds tensors or numbers, got {}", specName(ChunkSpec{reducer}),
                               odd == values.end() ? "both" : pythonTypeName(*odd)));
}

} // namespace

Result<c10::IValue> mergeLeaf(const ChunkSpec &spec, const std::vector<c10::IValue> &values, SliceMode mode)
{
    return guardTorch(ErrorCode::InvalidArgument, "", [&]() -> Result<c10::IValue> {
        if (const auto *cut = std::get_if<microbatch::TensorChunkSpec>(&spec.node))
            return concatenated(values, cut->dim, mode);
        if (const auto *reducer = std::get_if<Reducer>(&spec.node))
            return reduced(values, *reducer);
        if (std::holds_alternative<microbatch::ListChunkSpec>(spec.node))
            return invalid("the chunk spec 'list' is for the whole output, and not for a part of it");
        return same(values);
    });
}

} // namespace pipescope::tensor

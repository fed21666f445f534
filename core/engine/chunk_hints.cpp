#include "engine/chunk_hints.h"

#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <fmt/format.h>

namespace pipescope::engine {

namespace {

/// Whether the items of a list do, one from another.
bool differInSize(const c10::IValue &list)
{
    const auto items = list.toListRef();
    const std::vector<at::Tensor> first = tensor::tensorsIn(items.front());
    const auto isLikeFirst = [&](const c10::IValue &item) {
        const std::vector<at::Tensor> tensors = tensor::tensorsIn(item);
        return std::equal(tensors.begin(), tensors.end(), first.begin(), first.end(),
                          [](const at::Tensor &a, const at::Tensor &b) { return a.sizes() == b.sizes(); });
    };
    return !std::all_of(items.begin(), items.end(), isLikeFirst);
}

bool holdsTensor(const c10::IValue &value)
{
    return !tensor::tensorsIn(value).empty();
}

bool hasListOf(std::size_t size, const c10::IValue &value, int depth)
{
    if (depth > tensor::TreeDepthLimit || !tensor::isTree(value))
        return false;
    const auto inside = [&](const c10::IValue &item) { return hasListOf(size, item, depth + 1); };
    if (value.isTuple()) {
        const auto &items = value.toTupleRef().elements();
        return std::any_of(items.begin(), items.end(), inside);
    }
    if (value.isGenericDict()) {
        const auto dict = value.toGenericDict();
        return std::any_of(dict.begin(), dict.end(), [&](const auto &entry) { return inside(entry.value()); });
    }
    const auto items = value.toListRef();
    return items.size() == size || std::any_of(items.begin(), items.end(), inside);
}

} // namespace

std::string otherDimensions(const std::vector<graph::Argument> &arguments, const std::vector<c10::IValue> &values,
                            const NamedChunkSpecs &specs)
{
    const auto isCut = [&](std::size_t i) {
        return values[i].isTensor() && hasRows(values[i]) && specFor(arguments[i], specs) == nullptr;
    };
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (isCut(i))
            rows = std::max(rows, values[i].toTensor().size(0));
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!isCut(i) || values[i].toTensor().size(0) == rows)
            continue;
        const at::IntArrayRef sizes = values[i].toTensor().sizes();
        const auto found = std::find(sizes.begin(), sizes.end(), rows);
        if (found != sizes.end())
            text += fmt::format("; dimension {0} of '{1}' is as long as the batch: --chunk {1}={0} cuts it there",
                                found - sizes.begin(), arguments[i].name);
    }
    return text;
}

std::string unlikeRows(const std::vector<graph::Argument> &arguments, const std::vector<c10::IValue> &values,
                       const NamedChunkSpecs &specs, int microbatches)
{
    for (std::size_t i = 0; i < values.size() && microbatches > 1; ++i)
        if (isListOfSamples(values[i]) && differInSize(values[i]) && specFor(arguments[i], specs) == nullptr)
            return fmt::format("the items of '{0}' differ in size, and each tensor in it is cut on dimension 0: where "
                               "the items are samples, --chunk {0}=list cuts the list between them",
                               arguments[i].name);
    const graph::Argument *first = nullptr;
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < values.size() && microbatches > 1; ++i) {
        const bool isCut = values[i].isTensor() && hasRows(values[i]) && specFor(arguments[i], specs) == nullptr;
        if (!isCut)
            continue;
        const std::int64_t own = values[i].toTensor().size(0);
        if (first == nullptr) {
            first = &arguments[i];
            rows = own;
        } else if (own != rows) {
            return fmt::format(
                "input '{}' has {} rows and '{}' {}, and both are cut on dimension 0: one that is not made "
                "of the batch's rows needs `replicate` as chunk spec, as in --chunk {}=replicate",
                first->name, rows, arguments[i].name, own, arguments[i].name);
        }
    }
    return {};
}

bool isListOfSamples(const c10::IValue &value)
{
    if (!value.isList())
        return false;
    const auto items = value.toListRef();
    return items.size() > 1 && std::all_of(items.begin(), items.end(), holdsTensor);
}

std::string listsOfSamples(const std::vector<graph::Argument> &arguments, const std::vector<c10::IValue> &values,
                           const NamedChunkSpecs &specs, const std::vector<c10::IValue> &outputs)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!isListOfSamples(values[i]) || specFor(arguments[i], specs) != nullptr)
            continue;
        const std::size_t size = values[i].toListRef().size();
        if (std::any_of(outputs.begin(), outputs.end(), [&](const auto &output) { return hasListOf(size, output, 0); }))
            return fmt::format(
                "'{0}' and an output are lists of {1}: where these are samples, --chunk {0}=list cuts the "
                "list between them, and not each tensor",
                arguments[i].name, size);
    }
    return {};
}

} // namespace pipescope::engine

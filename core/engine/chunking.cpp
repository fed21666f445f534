#include "engine/chunking.h"

#include "base/text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <variant>

namespace pipescope::engine {

namespace {

using microbatch::ChunkSpec;

constexpr int DeepestTree = 64;

bool isWord(const ChunkSpec &spec)
{
    return !std::holds_alternative<ChunkSpec::Tuple>(spec.node) &&
           !std::holds_alternative<ChunkSpec::List>(spec.node) && !std::holds_alternative<ChunkSpec::Dict>(spec.node);
}

Result<ChunkSpec> spread(const ChunkSpec &word, const c10::IValue &value, int depth);

Result<ChunkSpec> spreadOverDict(const ChunkSpec &word, const c10::IValue &value, int depth)
{
    ChunkSpec::Dict dict;
    for (const auto &entry : value.toGenericDict()) {
        Result<ChunkSpec> item = spread(word, entry.value(), depth + 1);
        if (!item)
            return item;
        const c10::IValue &key = entry.key();
        dict.entries.push_back({key.isString() ? key.toStringRef() : tensor::describeValue(key), *std::move(item)});
    }
    return ChunkSpec{std::move(dict)};
}

template <class Node, class Items>
Result<ChunkSpec> spreadOverItems(const ChunkSpec &word, const Items &items, int depth)
{
    Node node;
    for (const c10::IValue &item : items) {
        Result<ChunkSpec> spec = spread(word, item, depth + 1);
        if (!spec)
            return spec;
        node.items.push_back(*std::move(spec));
    }
    return ChunkSpec{std::move(node)};
}

Result<ChunkSpec> spread(const ChunkSpec &word, const c10::IValue &value, int depth)
{
    if (depth > DeepestTree)
        return Error{
            ErrorCode::InvalidArgument, fmt::format("an input is nested deeper than {} levels", DeepestTree), {}, {}};
    if (value.isTuple())
        return spreadOverItems<ChunkSpec::Tuple>(word, value.toTupleRef().elements().vec(), depth);
    if (value.isList())
        return spreadOverItems<ChunkSpec::List>(word, value.toListRef(), depth);
    if (value.isGenericDict())
        return spreadOverDict(word, value, depth);
    return value.isTensor() ? word : ChunkSpec{microbatch::Replicate{}};
}

bool hasRows(const c10::IValue &value)
{
    const std::vector<at::Tensor> tensors = tensor::tensorsIn(value);
    return std::all_of(tensors.begin(), tensors.end(),
                       [](const at::Tensor &tensor) { return tensor.dim() > 0 && tensor.size(0) > 0; });
}

/// For what has none of its own. One microbatch is the whole batch, for which nothing has to have rows.
ChunkSpec defaultWord(const c10::IValue &value, int microbatches)
{
    if (microbatches == 1 && !hasRows(value))
        return ChunkSpec{microbatch::Replicate{}};
    return ChunkSpec{microbatch::TensorChunkSpec{0}};
}

/// nullptr for none.
const ChunkSpec *specFor(const graph::Argument &argument, const NamedChunkSpecs &specs)
{
    const auto given =
        std::find_if(specs.begin(), specs.end(), [&](const auto &named) { return named.first == argument.name; });
    return given == specs.end() ? nullptr : &given->second;
}

Status checkNames(const std::vector<graph::Argument> &arguments, const NamedChunkSpecs &specs)
{
    std::vector<std::string> names;
    names.reserve(arguments.size());
    for (const graph::Argument &argument : arguments)
        names.push_back(argument.name);
    for (const auto &[name, spec] : specs) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            return Error{ErrorCode::NotFound,
                         fmt::format("the method has no input '{}' to cut.{} It has: {}.", name,
                                     didYouMean(name, names),
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))),
                         "input chunks",
                         {}};
    }
    return Success{};
}

bool differInSize(const c10::IValue &list)
{
    const std::vector<at::Tensor> tensors = tensor::tensorsIn(list);
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const at::Tensor &one) { return one.sizes() != tensors.front().sizes(); });
}

bool hasListOf(std::size_t size, const c10::IValue &value, int depth)
{
    if (depth > DeepestTree || !tensor::isTree(value))
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

/// A method's arguments have names, where upstream's messages have positions: "args[0]" becomes "input 'x'".
std::string withNames(std::string text, const std::vector<graph::Argument> &arguments)
{
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string position = fmt::format("args[{}]", i);
        for (std::size_t at = text.find(position); at != std::string::npos; at = text.find(position, at))
            text.replace(at, position.size(), fmt::format("input '{}'", arguments[i].name));
    }
    return text;
}

} // namespace

Result<ChunkSpec> spreadSpec(const ChunkSpec &spec, const c10::IValue &value)
{
    const bool isForWhole = std::holds_alternative<microbatch::ListChunkSpec>(spec.node);
    if (!isWord(spec) || isForWhole || !tensor::isTree(value))
        return spec;
    return spread(spec, value, 0);
}

Result<tensor::ChunkedArguments> cutArguments(const std::vector<graph::Argument> &arguments,
                                              const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                              int microbatches)
{
    if (Status known = checkNames(arguments, specs); !known)
        return known.error();
    std::vector<ChunkSpec> all;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ChunkSpec *given = specFor(arguments[i], specs);
        Result<ChunkSpec> spec = given == nullptr ? spread(defaultWord(values[i], microbatches), values[i], 0)
                                                  : spreadSpec(*given, values[i]);
        if (!spec)
            return spec.error();
        all.push_back(*std::move(spec));
    }
    Result<tensor::ChunkedArguments> chunks = tensor::splitArgsKwargsIntoChunks(values, {}, microbatches, all);
    if (!chunks) {
        Error error = chunks.error();
        error.message = withNames(std::move(error.message), arguments);
        error.where = withNames(std::move(error.where), arguments);
        return error;
    }
    chunks->lowered = withNames(std::move(chunks->lowered), arguments);
    return chunks;
}

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
        if (isListOfTensors(values[i]) && differInSize(values[i]) && specFor(arguments[i], specs) == nullptr)
            return fmt::format(
                "the tensors of '{0}' differ in size, and each of them is cut on dimension 0: where they "
                "are samples, --chunk {0}=list cuts the list between them",
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

bool isListOfTensors(const c10::IValue &value)
{
    if (!value.isList())
        return false;
    const auto items = value.toListRef();
    return items.size() > 1 && std::all_of(items.begin(), items.end(), tensor::isDefinedTensor);
}

std::string listsOfSamples(const std::vector<graph::Argument> &arguments, const std::vector<c10::IValue> &values,
                           const NamedChunkSpecs &specs, const std::vector<c10::IValue> &outputs)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!isListOfTensors(values[i]) || specFor(arguments[i], specs) != nullptr)
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

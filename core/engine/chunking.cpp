#include "engine/chunking.h"

#include "base/text.h"
#include "engine/spread_spec.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::engine {

namespace {

using microbatch::ChunkSpec;

/// For what has none of its own. One microbatch is the whole batch, for which nothing has to have rows.
ChunkSpec defaultWord(const c10::IValue &value, int microbatches)
{
    if (microbatches == 1 && !hasRows(value))
        return ChunkSpec{microbatch::Replicate{}};
    return ChunkSpec{microbatch::TensorChunkSpec{0}};
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

bool hasRows(const c10::IValue &value)
{
    const std::vector<at::Tensor> tensors = tensor::tensorsIn(value);
    return std::all_of(tensors.begin(), tensors.end(),
                       [](const at::Tensor &tensor) { return tensor.dim() > 0 && tensor.size(0) > 0; });
}

const ChunkSpec *specFor(const graph::Argument &argument, const NamedChunkSpecs &specs)
{
    const auto given =
        std::find_if(specs.begin(), specs.end(), [&](const auto &named) { return named.first == argument.name; });
    return given == specs.end() ? nullptr : &given->second;
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
        Result<ChunkSpec> spec = given == nullptr ? spreadWord(defaultWord(values[i], microbatches), values[i])
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

} // namespace pipescope::engine

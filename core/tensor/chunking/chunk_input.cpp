#include "tensor/chunking/chunk_input.h"

#include "base/text.h"
#include "tensor/chunking/match_spec.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <variant>

namespace pipescope::tensor {

namespace {

using microbatch::ChunkSpec;

Error badSpec(std::string message, std::string where)
{
    return {ErrorCode::InvalidArgument, std::move(message), std::move(where), {}};
}

bool isCuttable(const c10::IValue &value)
{
    return value.isTensor() && value.toTensor().defined();
}

Status applySpec(ChunkLeaf &leaf, const ChunkSpec &spec)
{
    if (std::holds_alternative<microbatch::Replicate>(spec.node))
        return Success{};
    const auto *cut = std::get_if<microbatch::TensorChunkSpec>(&spec.node);
    if (!isCuttable(leaf.value))
        return badSpec(fmt::format("Unsupported chunk spec: {} and value: {} combination. It is no tensor: give it "
                                   "'replicate'",
                                   specName(spec), describeValue(leaf.value)),
                       leaf.path);
    if (cut == nullptr)
        return badSpec(fmt::format("Expected TensorChunkSpec, got {}, which joins outputs; give it a dimension, or "
                                   "'replicate'",
                                   specName(spec)),
                       leaf.path);
    leaf.dim = cut->dim;
    const at::Tensor tensor = leaf.value.toTensor();
    Status found = guardTorch(ErrorCode::InvalidArgument, leaf.path, [&] { leaf.rows = tensor.size(*leaf.dim); });
    if (found || tensor.dim() > 0)
        return found;
    Error error = found.error();
    error.message += "; it is one value for the whole batch: give it the chunk spec 'replicate'";
    return error;
}

Result<SpecMatch> matchIfGiven(const ChunkSpec *spec, const c10::IValue &value, const std::string &name)
{
    if (spec == nullptr)
        return SpecMatch{};
    Result<SpecMatch> matched = matchSpec(*spec, value);
    if (!matched)
        return Error{ErrorCode::InvalidArgument, matched.error().message, name, matched.error().details};
    std::sort(matched->lists.begin(), matched->lists.end(),
              [](const SpecList &a, const SpecList &b) { return a.places < b.places; });
    return matched;
}

Result<ChunkInput> describeInput(const c10::IValue &value, const std::string &name, const ChunkSpec *spec)
{
    auto values = leaves(value);
    if (!values)
        return badSpec(values.error().message, name);
    const auto matched = matchIfGiven(spec, value, name);
    if (!matched)
        return matched.error();
    const ChunkSpec byRows{microbatch::TensorChunkSpec{0}};
    std::vector<const ChunkSpec *> specs(values->size(), nullptr);
    for (const SpecLeaf &leaf : matched->leaves)
        specs[leaf.valueLeaf] = leaf.spec;
    const std::vector<std::string> paths = leafPaths(value);
    ChunkInput input{value, {}, {}};
    auto list = matched->lists.begin();
    for (std::size_t next = 0; next < values->size() || list != matched->lists.end();) {
        if (list != matched->lists.end() && list->firstLeaf == next) {
            const auto items = static_cast<std::int64_t>(list->list.toListRef().size());
            input.leaves.push_back({list->list, name + pathOf(value, list->places), {}, items, true});
            input.lists.insert(list->places);
            next += list->leafCount;
            ++list;
            continue;
        }
        ChunkLeaf &leaf = input.leaves.emplace_back(ChunkLeaf{(*values)[next], name + paths[next]});
        const ChunkSpec *const own = specs[next] == nullptr && isCuttable(leaf.value) ? &byRows : specs[next];
        if (own != nullptr)
            if (auto ok = applySpec(leaf, *own); !ok)
                return ok.error();
        ++next;
    }
    return input;
}

Error differentKeys(const std::vector<std::string> &names, const std::vector<std::string> &specNames, std::string hint)
{
    return badSpec(fmt::format("args_dict.keys() = [{}] args_chunk_spec.keys() = [{}]{}", fmt::join(names, ", "),
                               fmt::join(specNames, ", "), hint),
                   "chunk specs");
}

/// Upstream's words, and the name that has no argument.
Status checkNames(const Kwargs &kwargs, const ChunkSpec::Entries &specs)
{
    std::vector<std::string> names;
    std::vector<std::string> quotedNames;
    std::vector<std::string> quotedSpecs;
    for (const auto &[name, value] : kwargs) {
        names.push_back(name);
        quotedNames.push_back(fmt::format("'{}'", name));
    }
    std::string hint;
    for (const auto &[name, spec] : specs) {
        quotedSpecs.push_back(fmt::format("'{}'", name));
        if (hint.empty() && std::find(names.begin(), names.end(), name) == names.end())
            hint = fmt::format(": there is no argument '{}'.{}", name, didYouMean(name, names));
    }
    if (hint.empty() && specs.size() == kwargs.size())
        return Success{};
    return differentKeys(quotedNames, quotedSpecs, hint);
}

} // namespace

Result<std::vector<ChunkInput>> describeArgs(const std::vector<c10::IValue> &args,
                                             const std::optional<std::vector<ChunkSpec>> &specs)
{
    if (specs && specs->size() != args.size()) {
        const auto positions = [](std::size_t count) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < count; ++i)
                names.push_back(std::to_string(i));
            return names;
        };
        return differentKeys(positions(args.size()), positions(specs->size()), "");
    }
    std::vector<ChunkInput> inputs;
    for (std::size_t i = 0; i < args.size(); ++i) {
        auto input = describeInput(args[i], fmt::format("args[{}]", i), specs ? &(*specs)[i] : nullptr);
        if (!input)
            return input.error();
        inputs.push_back(*std::move(input));
    }
    return inputs;
}

Result<std::vector<ChunkInput>> describeKwargs(const Kwargs &kwargs, const std::optional<ChunkSpec::Entries> &specs)
{
    if (specs)
        if (auto ok = checkNames(kwargs, *specs); !ok)
            return ok.error();
    std::vector<ChunkInput> inputs;
    for (const auto &[name, value] : kwargs) {
        const ChunkSpec *spec = nullptr;
        if (specs)
            spec = &std::find_if(specs->begin(), specs->end(), [&name = name](const auto &entry) {
                        return entry.first == name;
                    })->second;
        auto input = describeInput(value, fmt::format("kwargs['{}']", name), spec);
        if (!input)
            return input.error();
        inputs.push_back(*std::move(input));
    }
    return inputs;
}

} // namespace pipescope::tensor

#include "check/joined_outputs.h"

#include "check/output_leaves.h"
#include "check/part_norms.h"
#include "check/rows.h"
#include "tensor/chunking/match_spec.h"
#include "tensor/chunking/merge_leaf.h"
#include "tensor/difference/compare_tensors.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

namespace pipescope::check {

namespace {

using Values = std::vector<c10::IValue>;

JoinedLeaf notKnown(std::string why)
{
    JoinedLeaf leaf;
    leaf.unknown = std::move(why);
    return leaf;
}

JoinedLeaf unlike(std::string why)
{
    JoinedLeaf leaf;
    leaf.why = std::move(why);
    leaf.bitwise = leaf.close = false;
    leaf.maxAbsError = leaf.maxRelError = std::numeric_limits<double>::infinity();
    return leaf;
}

std::vector<at::Tensor> asTensors(const Values &values)
{
    std::vector<at::Tensor> tensors;
    for (const c10::IValue &value : values)
        tensors.push_back(value.toTensor());
    return tensors;
}

// The value as a tensor that may differ by rounding; an undefined one where it is none.
at::Tensor rounded(const c10::IValue &value)
{
    if (value.isDouble())
        return at::scalar_tensor(value.toDouble(), at::TensorOptions(at::kDouble));
    if (value.isComplexDouble())
        return at::scalar_tensor(value.toScalar(), at::TensorOptions(at::kComplexDouble));
    const bool rounds =
        tensor::isDefinedTensor(value) && (value.toTensor().is_floating_point() || value.toTensor().is_complex());
    return rounds ? value.toTensor() : at::Tensor();
}

// The worst of what each of `actual` shows.
JoinedLeaf compareAll(const c10::IValue &whole, const Values &actual, int rows, const CheckOptions &options)
{
    JoinedLeaf worst;
    worst.rows = rows;
    const at::Tensor expected = rounded(whole);
    for (const c10::IValue &value : actual) {
        const tensor::Comparison comparison = tensor::compare(whole, value, options.tolerance);
        if (worst.unknown.empty())
            worst.unknown = comparison.unknown;
        worst.bitwise = worst.bitwise && comparison.bitwise;
        worst.close = worst.close && (options.tolerance ? comparison.close : comparison.bitwise);
        worst.maxAbsError = std::max(worst.maxAbsError, comparison.maxAbsError);
        worst.maxRelError = std::max(worst.maxRelError, comparison.maxRelError);
        if (const at::Tensor numbers = rounded(value); expected.defined() && numbers.defined() && !comparison.bitwise) {
            worst.whole = expected;
            worst.joined.push_back(numbers);
        }
    }
    return worst;
}

// One number a leaf, or no number at all: there are no rows to put together, and all microbatches' must be the same.
bool isTheSame(const JoinedLeaf &leaf)
{
    const auto isRounding = [&leaf](const at::Tensor &joined) {
        const PartNorm all = partNorms(leaf.whole, joined, -1).front();
        return all.difference <= roundingAllowance(leaf.whole.scalar_type()) * all.size;
    };
    return leaf.close || !leaf.unknown.empty() ||
           (!leaf.joined.empty() && std::all_of(leaf.joined.begin(), leaf.joined.end(), isRounding));
}

std::string shapeText(const at::Tensor &tensor)
{
    return c10::str(tensor.sizes());
}

bool isNested(const c10::IValue &value)
{
    return tensor::isDefinedTensor(value) && value.toTensor().is_nested();
}

// Rows are looked for in dense numbers: LibTorch joins few other layouts and hardly any quantized values.
c10::IValue plain(const c10::IValue &value)
{
    return tensor::isDefinedTensor(value) ? c10::IValue(tensor::plain(value.toTensor())) : value;
}

// What `join` says of the leaf in dense numbers, or that nobody knows.
template <class Join>
Result<JoinedLeaf> joinWhereKnown(const c10::IValue &whole, const Values &parts, Join join)
{
    if (isNested(whole) || std::any_of(parts.begin(), parts.end(), isNested))
        return notKnown("it is a nested tensor, which has no rows that microbatches could be joined by");
    Result<JoinedLeaf> leaf = tensor::guardTorch(ErrorCode::ModelFailed, "joining", [&]() -> Result<JoinedLeaf> {
        Values plainParts;
        std::transform(parts.begin(), parts.end(), std::back_inserter(plainParts), plain);
        return join(plain(whole), plainParts);
    });
    if (!leaf && leaf.error().code == ErrorCode::ModelFailed)
        return notKnown(leaf.error().message.substr(0, leaf.error().message.find(". ")));
    return leaf;
}

JoinedLeaf joinByRows(const c10::IValue &whole, const Values &parts, const CheckOptions &options)
{
    if (!tensor::isDefinedTensor(whole) || !std::all_of(parts.begin(), parts.end(), tensor::isDefinedTensor)) {
        const JoinedLeaf same = compareAll(whole, parts, -1, options);
        return isTheSame(same) ? same : unlike("an output that is no tensor has other values per microbatch");
    }
    const Rows rows = relate(whole.toTensor(), asTensors(parts));
    if (rows.relation == RowRelation::Neither)
        return unlike(fmt::format("an output of shape {} cannot be put together from the microbatches'",
                                  shapeText(whole.toTensor())));
    const int along = rows.relation == RowRelation::Joined ? rows.dim : -1;
    JoinedLeaf joined = compareAll(whole, Values(rows.compared.begin(), rows.compared.end()), along, options);
    if (whole.toTensor().dim() == 0 && !isTheSame(joined))
        return unlike("an output has no batch dimension: one number for the whole batch, one for each microbatch");
    return joined;
}

// An item of a list that one microbatch has: what makes samples of a batch whose sizes differ, as detections.
JoinedLeaf joinItem(const c10::IValue &whole, const Values &parts, const CheckOptions &options)
{
    const c10::IValue &part = parts.front();
    if (tensor::isDefinedTensor(whole) && tensor::isDefinedTensor(part) &&
        whole.toTensor().sizes() != part.toTensor().sizes())
        return unlike(fmt::format("an item of a list has shape {} in the whole batch and {} in its microbatch",
                                  shapeText(whole.toTensor()), shapeText(part.toTensor())));
    return compareAll(whole, parts, -1, options);
}

Error wrongSpec(const std::string &reason)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("the outputs' chunk spec does not fit the model's outputs: {}; without a chunk spec, outputs "
                        "are joined by their shapes",
                        reason),
            "output chunks",
            {}};
}

bool isNumber(const c10::IValue &value)
{
    return value.isInt() || value.isDouble() || value.isBool() ||
           (tensor::isDefinedTensor(value) && value.toTensor().dim() == 0);
}

// Whether another spec would give a value like the whole batch's: along a dimension, or numbers by mean, sum or their
// like.
bool couldBeJoined(const c10::IValue &whole, const Values &parts, const JoinedLeaf &byRows)
{
    return byRows.why.empty() || (isNumber(whole) && std::all_of(parts.begin(), parts.end(), isNumber));
}

// The dimension along which the spec joins; -1: along none.
int rowsOf(const microbatch::ChunkSpec &spec, const c10::IValue &whole)
{
    const auto *chunks = std::get_if<microbatch::TensorChunkSpec>(&spec.node);
    if (chunks == nullptr || !tensor::isDefinedTensor(whole))
        return -1;
    return chunks->dim < 0 ? chunks->dim + static_cast<int>(whole.toTensor().dim()) : chunks->dim;
}

// A leaf that does not merge, or to another shape or dtype than the whole batch's, is the spec's fault where another
// spec would have done, and else the model's.
Result<JoinedLeaf> joinBySpec(const c10::IValue &whole, const Values &parts, const microbatch::ChunkSpec &spec,
                              const std::string &path, const CheckOptions &options)
{
    const auto merged = tensor::mergeLeaf(spec, parts, tensor::SliceMode::Views);
    std::string problem;
    if (merged) {
        if (tensor::compare(whole, *merged, options.tolerance).difference < tensor::Difference::Dtype)
            return compareAll(whole, {*merged}, rowsOf(spec, whole), options);
        problem = fmt::format("merged by its chunk spec, output{} is {}, and of the whole batch {}", path,
                              tensor::describeValue(*merged), tensor::describeValue(whole));
    } else {
        const bool isAlong = std::holds_alternative<microbatch::TensorChunkSpec>(spec.node);
        const bool areTensors = std::all_of(parts.begin(), parts.end(), tensor::isDefinedTensor);
        problem =
            fmt::format("output{} cannot be joined by {}: {}", path, microbatch::toText(spec),
                        isAlong && !areTensors ? "it is no tensor; replicate, sum, mean, max and min are for numbers"
                                               : merged.error().message);
    }
    const JoinedLeaf byRows = joinByRows(whole, parts, options);
    if (couldBeJoined(whole, parts, byRows))
        return wrongSpec(problem);
    return unlike(merged ? problem : fmt::format("{} (nor by the outputs' chunk spec: {})", byRows.why, problem));
}

JoinedLeaf joinWithoutSpec(const OutputLeaf &leaf, const c10::IValue &whole, const Values &parts,
                           const CheckOptions &options)
{
    return leaf.isOfOneMicrobatch ? joinItem(whole, parts, options) : joinByRows(whole, parts, options);
}

// `list` for a list that is not joined so, or another word for one that is, is the spec's fault where without a spec
// the leaf would be joined.
Result<JoinedLeaf> joinLeaf(const OutputLeaf &leaf, const c10::IValue &whole, const Values &parts,
                            const microbatch::ChunkSpec *spec, const CheckOptions &options)
{
    if (spec == nullptr)
        return joinWithoutSpec(leaf, whole, parts, options);
    const bool joinsLists = std::holds_alternative<microbatch::ListChunkSpec>(spec->node);
    if (joinsLists && leaf.isOfOneMicrobatch)
        return joinItem(whole, parts, options);
    if (!joinsLists && !leaf.isOfOneMicrobatch)
        return joinBySpec(whole, parts, *spec, leaf.path, options);
    const std::string problem =
        joinsLists
            ? fmt::format("joined by list, the list that holds output{} is longer than the whole batch's", leaf.path)
            : fmt::format("output{} is in a list that is joined item by item, and takes the spec list, not {}",
                          leaf.path, microbatch::toText(*spec));
    const JoinedLeaf other = joinWithoutSpec(leaf, whole, parts, options);
    if (other.why.empty())
        return wrongSpec(problem);
    return unlike(fmt::format("{} (nor by the outputs' chunk spec: {})", other.why, problem));
}

// By leaf; all nullptr without a spec.
Result<std::vector<const microbatch::ChunkSpec *>> specsOf(const std::optional<microbatch::ChunkSpec> &spec,
                                                           const c10::IValue &outputs, std::size_t leaves)
{
    std::vector<const microbatch::ChunkSpec *> specs(leaves, nullptr);
    if (!spec)
        return specs;
    const auto matched = tensor::matchSpec(*spec, outputs);
    if (!matched)
        return wrongSpec(matched.error().message);
    PIPESCOPE_ASSERT(matched->leaves.size() == leaves);
    for (const tensor::SpecLeaf &part : matched->leaves)
        specs[part.valueLeaf] = part.spec;
    return specs;
}

} // namespace

Result<std::vector<JoinedLeaf>> compareJoined(const std::vector<c10::IValue> &whole,
                                              const std::vector<std::vector<c10::IValue>> &microbatches,
                                              const std::optional<microbatch::ChunkSpec> &spec,
                                              const CheckOptions &options)
{
    const auto leaves = outputLeaves(whole, microbatches);
    if (!leaves)
        return leaves.error();
    const c10::IValue outputs = asOneValue(whole);
    std::vector<JoinedLeaf> result;
    if (!*leaves) {
        const std::vector<std::string> paths = tensor::leafPaths(outputs);
        const JoinedLeaf other =
            unlike("the outputs of the microbatches have another structure than the whole batch's");
        result.assign(std::max<std::size_t>(paths.size(), 1), other);
        for (std::size_t i = 0; i < paths.size(); ++i)
            result[i].path = paths[i];
        return result;
    }
    const auto specs = specsOf(spec, outputs, (*leaves)->size());
    if (!specs)
        return specs.error();
    for (const OutputLeaf &leaf : **leaves) {
        const microbatch::ChunkSpec *const own = (*specs)[result.size()];
        auto joined = joinWhereKnown(leaf.whole, leaf.parts, [&](const c10::IValue &all, const Values &parts) {
            return joinLeaf(leaf, all, parts, own, options);
        });
        if (!joined)
            return joined.error();
        joined->path = leaf.path;
        joined->places = leaf.places;
        result.push_back(*std::move(joined));
    }
    return result;
}

} // namespace pipescope::check

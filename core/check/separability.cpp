#include "check/separability.h"

#include "check/batch_walk.h"
#include "check/noise_floor.h"
#include "check/rows.h"
#include "check/run_scope.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/chunks.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

// Differences up to this many times the noise floor are noise (algorithms.md 6.2: 4 to 8).
constexpr double NoiseFactor = 4;

Result<Arguments> runWhole(const import::ImportedModel &model, const Arguments &arguments, const CheckOptions &options,
                           const std::stop_token &stop)
{
    Result<exec::StageProgram> program = exec::StageProgram::buildWhole(model);
    if (!program)
        return program.error();
    const exec::ModelState state = exec::ModelState::capture(model);
    auto outputs = program->run(exec::freshArguments(model.graph, arguments),
                                exec::StageCall{MicrobatchId{0}, options.seed, stop, nullptr});
    state.restore();
    return outputs;
}

// One leaf of the outputs of all microbatches, joined as the whole batch's leaf suggests.
struct Leaf
{
    bool comparable = false;
    std::string why;
    c10::IValue joined;
};

Leaf joinLeaf(const c10::IValue &whole, const std::vector<c10::IValue> &parts)
{
    const bool tensors =
        whole.isTensor() && std::all_of(parts.begin(), parts.end(), [](const c10::IValue &p) { return p.isTensor(); });
    if (!tensors) {
        const bool equal = std::all_of(parts.begin(), parts.end(),
                                       [&](const c10::IValue &p) { return tensor::compare(whole, p).close; });
        return equal ? Leaf{true, {}, whole}
                     : Leaf{false, "an output that is no tensor has other values per microbatch", {}};
    }
    std::vector<at::Tensor> values;
    for (const c10::IValue &part : parts)
        values.push_back(part.toTensor());
    if (whole.toTensor().dim() == 0)
        return {false, "an output has no batch dimension: one number for the whole batch, one for each microbatch", {}};
    const Rows rows = relate(whole.toTensor(), values);
    if (rows.relation == RowRelation::Neither)
        return {false,
                fmt::format("an output of shape {} cannot be put together from the microbatches'",
                            c10::str(whole.toTensor().sizes())),
                {}};
    return {true, {}, rows.joined};
}

struct JoinedOutputs
{
    bool comparable = true;
    std::string why;
    tensor::Comparison comparison;
};

JoinedOutputs compareLeaves(const Arguments &whole, const std::vector<Arguments> &outputs, const CheckOptions &options)
{
    JoinedOutputs result;
    for (std::size_t k = 0; k < whole.size(); ++k) {
        const auto expected = tensor::leaves(whole[k]);
        std::vector<std::vector<c10::IValue>> parts;
        for (const Arguments &output : outputs)
            if (const auto leaves = tensor::leaves(output[k]); leaves && expected && leaves->size() == expected->size())
                parts.push_back(*leaves);
        if (!expected || parts.size() != outputs.size())
            return {false, "the outputs of the microbatches have another structure than the whole batch's", {}};
        for (std::size_t leaf = 0; leaf < expected->size(); ++leaf) {
            std::vector<c10::IValue> values;
            for (const auto &part : parts)
                values.push_back(part[leaf]);
            const Leaf joined = joinLeaf((*expected)[leaf], values);
            if (!joined.comparable)
                return {false, joined.why, {}};
            const tensor::Comparison comparison = tensor::compare((*expected)[leaf], joined.joined, options.tolerance);
            if (leaf == 0 && k == 0)
                result.comparison = comparison;
            result.comparison.close = result.comparison.close && comparison.close;
            result.comparison.maxAbsError = std::max(result.comparison.maxAbsError, comparison.maxAbsError);
            result.comparison.maxRelError = std::max(result.comparison.maxRelError, comparison.maxRelError);
        }
    }
    return result;
}

JoinedOutputs compareMerged(const Arguments &whole, const std::vector<Arguments> &outputs,
                            const microbatch::ChunkSpec &spec, const CheckOptions &options)
{
    std::vector<c10::IValue> chunks;
    for (const Arguments &output : outputs)
        chunks.push_back(output.size() == 1 ? output.front() : c10::IValue(c10::ivalue::Tuple::create(output)));
    const auto merged = tensor::mergeChunks(chunks, spec);
    if (!merged)
        return {false,
                "the outputs of the microbatches cannot be merged by the output's chunk spec: " +
                    merged.error().message,
                {}};
    const c10::IValue expected = whole.size() == 1 ? whole.front() : c10::IValue(c10::ivalue::Tuple::create(whole));
    return {true, {}, tensor::compare(expected, *merged, options.tolerance)};
}

std::vector<bool> cutArguments(const Arguments &whole, const std::vector<Arguments> &microbatches)
{
    std::vector<bool> cut;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto a = tensor::tensorsIn(whole[i]);
        const auto b = tensor::tensorsIn(microbatches.front()[i]);
        cut.push_back(a.size() != b.size() ||
                      !std::equal(a.begin(), a.end(), b.begin(),
                                  [](const at::Tensor &x, const at::Tensor &y) { return x.sizes() == y.sizes(); }));
    }
    return cut;
}

std::string_view causeText(Cause cause)
{
    switch (cause) {
    case Cause::State:
        return "reads state that earlier calls changed: every microbatch starts where the one before ended";
    case Cause::BatchReduction:
        return "mixes rows of the batch: its result for a microbatch is not those rows of the whole batch's result";
    case Cause::BatchBranch:
        return "goes another way, or round another number of times, for a microbatch than for the whole batch";
    case Cause::BatchStatistics:
        return "normalises with statistics of the rows it is given: each microbatch has its own";
    case Cause::DynamicQuantization:
        return "quantizes dynamically: its range is taken over all rows it is given, so each microbatch has its own "
               "scale";
    case Cause::Squeeze:
        return "drops dimensions of size one, the batch dimension too where a microbatch has one row";
    case Cause::InputNotRows:
        return "combines rows with an input that was cut and is not made of rows; give it `replicate` as chunk spec";
    case Cause::Random:
        return "draws random numbers, other ones for each microbatch than for the whole batch";
    case Cause::None:
    case Cause::Unknown:
        break;
    }
    return "gives another result for microbatches than for the whole batch";
}

Status findCause(const import::ImportedModel &model, const Arguments &whole, const std::vector<Arguments> &microbatches,
                 const CheckOptions &options, const std::stop_token &stop, Separability &result)
{
    const auto found = firstBatchDependence(model, whole, microbatches, options, stop);
    if (!found)
        return found.error();
    if (!*found) {
        result.cause = Cause::Unknown;
        result.explanation =
            "microbatches joined differ from the whole batch, but no single node makes rows depend on each "
            "other: small differences grow along the way";
        return Success{};
    }
    const graph::Node &node = model.graph.at((*found)->position);
    result.cause = classify(model, **found, cutArguments(whole, microbatches));
    result.node = node.id;
    result.nodeName = node.name;
    result.fqn = node.fqn;
    result.explanation = fmt::format("{} {}", graph::describe(node), causeText(result.cause));
    if (result.cause == Cause::State && !node.stateRead.empty())
        result.explanation += fmt::format(" ({})", node.stateRead.front());
    return Success{};
}

} // namespace

Result<Separability> checkSeparability(const import::ImportedModel &model, const std::vector<c10::IValue> &whole,
                                       const std::vector<std::vector<c10::IValue>> &microbatches,
                                       const std::vector<std::vector<c10::IValue>> &outputs,
                                       const std::optional<microbatch::ChunkSpec> &outputSpec,
                                       const CheckOptions &options, std::stop_token stop, const Progress &progress)
{
    PIPESCOPE_ASSERT(!microbatches.empty() && microbatches.size() == outputs.size());
    return tensor::guardTorch(ErrorCode::ModelFailed, "whole batch", [&]() -> Result<Separability> {
        Separability result;
        if (microbatches.size() == 1)
            return result;
        const RunScope modes(options);
        if (progress)
            progress("running the whole batch", -1);
        const Result<Arguments> expected = runWhole(model, whole, options, stop);
        if (!expected)
            return expected.error();
        const JoinedOutputs joined = outputSpec ? compareMerged(*expected, outputs, *outputSpec, options)
                                                : compareLeaves(*expected, outputs, options);
        if (progress)
            progress("measuring the noise floor", -1);
        const Result<double> floor = noiseFloor(model, whole, *expected, options, stop);
        if (!floor)
            return floor.error();
        result.noiseFloor = *floor;
        if (joined.comparable) {
            result.maxAbsError = joined.comparison.maxAbsError;
            result.maxRelError = joined.comparison.maxRelError;
            if (joined.comparison.close || result.maxAbsError <= NoiseFactor * result.noiseFloor)
                return result;
        } else {
            result.maxAbsError = result.maxRelError = std::numeric_limits<double>::infinity();
        }
        result.holds = false;
        if (progress)
            progress("looking for the cause", -1);
        if (auto ok = findCause(model, whole, microbatches, options, stop, result); !ok)
            return ok.error();
        if (!joined.comparable)
            result.explanation = joined.why + "; " + result.explanation;
        return result;
    });
}

} // namespace pipescope::check

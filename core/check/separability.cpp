#include "check/separability.h"

#include "check/batch_walk.h"
#include "check/cause.h"
#include "check/joined_outputs.h"
#include "check/judge_outputs.h"
#include "check/output_comparison.h"
#include "check/run_scope.h"
#include "check/upstream.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

void tell(const Progress &progress, std::string_view what)
{
    if (progress)
        progress(what, -1);
}

Result<Arguments> runWhole(const import::ImportedModel &model, const Arguments &arguments, const CheckOptions &options,
                           const std::stop_token &stop)
{
    Result<exec::StageProgram> program = exec::StageProgram::buildWhole(model, exec::heldBy(model));
    if (!program)
        return program.error();
    const exec::StateGuard state(model);
    auto outputs = program->run(exec::freshArguments(model.graph, arguments),
                                exec::StageCall{MicrobatchId{0}, options.seed, stop, nullptr, true});
    state.restore();
    return outputs;
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

// How the outputs' difference is told where no node is to blame.
std::string noNodeText(const JoinedLeaf &leaf)
{
    if (!leaf.why.empty())
        return leaf.why + "; the tensors inside the model show no node where that begins";
    return "microbatches joined differ from the whole batch, but no single node makes rows depend on each other: small "
           "differences grow along the way";
}

// The first input that was cut and, given whole to every microbatch, makes rows independent: at this node, which still
// gives each microbatch its own, and everywhere else.
Result<std::optional<std::size_t>> inputToReplicate(const import::ImportedModel &model, int position,
                                                    const Arguments &whole, const std::vector<Arguments> &microbatches,
                                                    const CheckOptions &options, const std::stop_token &stop,
                                                    ValueId towards)
{
    const std::vector<bool> cut = cutArguments(whole, microbatches);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (!cut[i])
            continue;
        std::vector<Arguments> replicated = microbatches;
        for (Arguments &arguments : replicated)
            arguments[i] = whole[i];
        const Result<bool> joins = joinsAt(model, position, whole, replicated, options, stop, towards);
        if (!joins)
            return joins.error();
        if (!*joins)
            continue;
        const auto left = firstBatchDependence(model, whole, replicated, options, stop, towards);
        if (!left && left.error().code != ErrorCode::ModelFailed)
            return left.error();
        if (left && !*left)
            return std::optional(i);
    }
    return std::optional<std::size_t>{};
}

// Rows of the whole batch: of the first tensor that was cut, along the dimension it was cut in.
std::int64_t rowsOf(const Arguments &whole, const std::vector<Arguments> &microbatches)
{
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto a = tensor::tensorsIn(whole[i]);
        const auto b = tensor::tensorsIn(microbatches.front()[i]);
        for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
            for (std::int64_t dim = 0; dim < std::min(a[k].dim(), b[k].dim()); ++dim)
                if (a[k].size(dim) != b[k].size(dim))
                    return a[k].size(dim);
    }
    return 0;
}

// A cause as it is told: of which node, and what is said in addition.
struct Blame
{
    report::Cause cause = report::Cause::Unknown;
    NodeId node;
    std::string detail;
};

Result<Blame> blame(const import::ImportedModel &model, const BatchDependence &dependence, const Arguments &whole,
                    const std::vector<Arguments> &microbatches, const CheckOptions &options,
                    const std::stop_token &stop, ValueId towards)
{
    const graph::Node &node = model.graph.at(dependence.position);
    Blame found{classify(model, dependence, cutArguments(whole, microbatches)), node.id, {}};
    if (found.cause == report::Cause::State) {
        if (const auto state = stateReadBy(model, node))
            found = {found.cause, state->reader, state->name};
        return found;
    }
    if (found.cause == report::Cause::InputNotRows) {
        const auto input = inputToReplicate(model, dependence.position, whole, microbatches, options, stop, towards);
        if (!input)
            return input.error();
        if (*input)
            found.detail = model.graph.arguments[**input].name;
        else
            found.cause = report::Cause::BatchReduction;
    }
    const std::int64_t rows = rowsOf(whole, microbatches);
    const auto constant = batchConstant(model.graph, dependence, rows);
    if (found.cause == report::Cause::BatchReduction && constant)
        found = {report::Cause::FixedBatch, node.id,
                 *constant == rows ? std::to_string(rows) : fmt::format("{} for {} rows", *constant, rows)};
    return found;
}

// What the leaf is in the graph, or what holds it there; invalid where that is not known.
ValueId valueOf(const graph::ModelGraph &graph, const JoinedLeaf &leaf)
{
    if (!leaf.places)
        return {};
    tensor::Places places = *leaf.places;
    std::size_t result = 0;
    if (graph.outputs.size() > 1) { // which are one tuple
        result = places.front();
        places.erase(places.begin());
    }
    return outputValue(graph, result, places);
}

Status findCause(const import::ImportedModel &model, const Arguments &whole, const std::vector<Arguments> &microbatches,
                 const CheckOptions &options, const std::stop_token &stop, const JoinedLeaf &leaf,
                 report::Separability &result)
{
    const ValueId output = valueOf(model.graph, leaf);
    const auto found = firstBatchDependence(model, whole, microbatches, options, stop, output);
    if (!found)
        return found.error();
    if (!*found) {
        result.cause = report::Cause::Unknown;
        result.explanation = noNodeText(leaf);
        return Success{};
    }
    const auto blamed = blame(model, **found, whole, microbatches, options, stop, output);
    if (!blamed)
        return blamed.error();
    const graph::Node &node = model.graph.node(blamed->node);
    result.cause = blamed->cause;
    result.node = node.id;
    result.nodeName = node.name;
    result.fqn = node.fqn;
    if (!leaf.why.empty())
        result.explanation = leaf.why + "; ";
    result.explanation += fmt::format("{} {}", graph::describe(node), causeText(result.cause));
    if (!blamed->detail.empty())
        result.explanation += fmt::format(" ({})", blamed->detail);
    return Success{};
}

// Whether each leaf of the outputs could be joined and compared.
Status checkComparable(const std::vector<JoinedLeaf> &leaves)
{
    for (const JoinedLeaf &leaf : leaves)
        if (!leaf.unknown.empty())
            return Error{ErrorCode::Unsupported,
                         fmt::format("{} cannot be compared: {}", outputName(leaf.path), leaf.unknown),
                         "whole batch",
                         {}};
    return Success{};
}

// Random numbers are keyed by microbatch, whatever the model seeds them with.
Status checkOwnSeed(const import::ImportedModel &model, const report::Separability &result)
{
    const bool maybeRandom = result.cause == report::Cause::Random || result.cause == report::Cause::Unknown;
    const int position = result.node.valid() ? graph::positionOf(model.graph, result.node) : model.graph.size() - 1;
    if (!maybeRandom || !seedsBefore(model.graph, position))
        return Success{};
    return Error{ErrorCode::Unsupported,
                 "the model seeds its random numbers itself (torch.manual_seed), and is given others here: each "
                 "microbatch has its own",
                 "whole batch",
                 {}};
}

Result<report::Separability>
compareWithWhole(const import::ImportedModel &model, const Arguments &whole, const std::vector<Arguments> &microbatches,
                 const std::vector<Arguments> &outputs, const std::optional<microbatch::ChunkSpec> &outputSpec,
                 const CheckOptions &options, const std::stop_token &stop, const Progress &progress)
{
    const RunScope modes(options);
    tell(progress, "unsplit model: the whole batch");
    const Result<Arguments> expected = runWhole(model, whole, options, stop);
    if (!expected)
        return expected.error();
    const auto leaves = compareJoined(*expected, outputs, outputSpec, options);
    if (!leaves)
        return leaves.error();
    const auto worst = judgeOutputs(model, whole, *leaves, options, stop, progress);
    if (!worst)
        return worst.error();
    report::Separability result;
    result.holds = worst->holds();
    result.bitwise = std::all_of(leaves->begin(), leaves->end(), [](const JoinedLeaf &leaf) { return leaf.bitwise; });
    result.maxAbsError = worst->joined.maxAbsError;
    result.maxRelError = worst->joined.maxRelError;
    result.relL2 = worst->relL2;
    result.noiseFloor = worst->noiseFloor;
    result.output = outputName(worst->joined.path);
    result.part = worst->partText();
    if (result.holds) { // one that does not is an answer, whatever the others are
        if (auto ok = checkComparable(*leaves); !ok)
            return ok.error();
        return result;
    }
    tell(progress, "looking for the cause");
    if (auto ok = findCause(model, whole, microbatches, options, stop, worst->joined, result); !ok)
        return ok.error();
    if (auto ok = checkOwnSeed(model, result); !ok)
        return ok.error();
    return result;
}

} // namespace

Result<report::Separability> checkSeparability(const import::ImportedModel &model,
                                               const std::vector<c10::IValue> &whole,
                                               const std::vector<std::vector<c10::IValue>> &microbatches,
                                               const std::vector<std::vector<c10::IValue>> &outputs,
                                               const std::optional<microbatch::ChunkSpec> &outputSpec,
                                               const CheckOptions &options, std::stop_token stop,
                                               const Progress &progress)
{
    PIPESCOPE_ASSERT(!microbatches.empty() && microbatches.size() == outputs.size());
    if (microbatches.size() == 1)
        return report::Separability{};
    return tensor::guardTorch(ErrorCode::ModelFailed, "whole batch", [&] {
        return compareWithWhole(model, whole, microbatches, outputs, outputSpec, options, stop, progress);
    });
}

} // namespace pipescope::check

#include "check/separability.h"

#include "check/batch_walk.h"
#include "check/cause.h"
#include "check/joined_outputs.h"
#include "check/noise_floor.h"
#include "check/output_comparison.h"
#include "check/run_scope.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

// Differences up to this many times the noise floor are noise (algorithms.md 6.2: 4 to 8).
constexpr double NoiseFactor = 4;

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

// A leaf of the outputs beside what noise would do to it.
struct JudgedLeaf
{
    JoinedLeaf joined;
    double noiseFloor = 0;

    double allowance() const { return NoiseFactor * noiseFloor; }
    bool holds() const { return joined.why.empty() && (joined.close || joined.maxAbsError <= allowance()); }
    double share() const { return joined.maxAbsError == 0 ? 0 : joined.maxAbsError / allowance(); }
};

bool isMilder(const JudgedLeaf &a, const JudgedLeaf &b)
{
    const auto severity = [](const JudgedLeaf &leaf) {
        return std::tuple(!leaf.holds(), leaf.share(), leaf.joined.maxAbsError, leaf.noiseFloor);
    };
    return severity(a) < severity(b);
}

// Of those that can be compared; one that holds where none can.
JudgedLeaf worstOf(const std::vector<JoinedLeaf> &leaves, const std::vector<double> &floors)
{
    std::optional<JudgedLeaf> worst;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const JudgedLeaf leaf{leaves[i], i < floors.size() ? floors[i] : 0};
        if (leaf.joined.unknown.empty() && (!worst || isMilder(*worst, leaf)))
            worst = leaf;
    }
    return worst.value_or(JudgedLeaf{});
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

Status findCause(const import::ImportedModel &model, const Arguments &whole, const std::vector<Arguments> &microbatches,
                 const CheckOptions &options, const std::stop_token &stop, const JoinedLeaf &leaf,
                 report::Separability &result)
{
    const auto found = firstBatchDependence(model, whole, microbatches, options, stop);
    if (!found)
        return found.error();
    if (!*found) {
        result.cause = report::Cause::Unknown;
        result.explanation = noNodeText(leaf);
        return Success{};
    }
    const graph::Node &node = model.graph.at((*found)->position);
    result.cause = classify(model, **found, cutArguments(whole, microbatches));
    result.node = node.id;
    result.nodeName = node.name;
    result.fqn = node.fqn;
    if (!leaf.why.empty())
        result.explanation = leaf.why + "; ";
    result.explanation += fmt::format("{} {}", graph::describe(node), causeText(result.cause));
    if (const std::string state = stateReadBy(model, node); result.cause == report::Cause::State && !state.empty())
        result.explanation += fmt::format(" ({})", state);
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

void tell(const Progress &progress, std::string_view what)
{
    if (progress)
        progress(what, -1);
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
    tell(progress, "measuring the noise floor");
    const Result<std::vector<double>> floors = quantizesDynamically(model.graph)
                                                   ? Result<std::vector<double>>(std::vector<double>{})
                                                   : noiseFloors(model, whole, *expected, options, stop);
    if (!floors)
        return floors.error();
    const JudgedLeaf worst = worstOf(*leaves, *floors);
    report::Separability result;
    result.holds = worst.holds();
    result.maxAbsError = worst.joined.maxAbsError;
    result.maxRelError = worst.joined.maxRelError;
    result.noiseFloor = worst.noiseFloor;
    result.output = outputName(worst.joined.path);
    if (result.holds) { // one that does not is an answer, whatever the others are
        if (auto ok = checkComparable(*leaves); !ok)
            return ok.error();
        return result;
    }
    tell(progress, "looking for the cause");
    if (auto ok = findCause(model, whole, microbatches, options, stop, worst.joined, result); !ok)
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

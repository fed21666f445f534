#include "engine/chunk_remedy.h"

#include "check/run_scope.h"
#include "check/separability.h"
#include "engine/check_options.h"
#include "engine/chunk_hints.h"
#include "engine/chunking.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace pipescope::engine {

namespace {

using microbatch::ChunkSpec;

constexpr std::chrono::seconds LongestSearch{5};

/// A tensor that can be cut.
struct CutInput
{
    std::string name;
    at::Tensor tensor;
};

std::vector<CutInput> cutInputs(const PipelineSetup &setup)
{
    std::vector<CutInput> inputs;
    for (std::size_t i = 0; i < setup.arguments.size(); ++i) {
        const c10::IValue &value = setup.arguments[i];
        if (tensor::isDefinedTensor(value) && value.toTensor().dim() > 0)
            inputs.push_back({setup.model.graph.arguments[i].name, value.toTensor()});
    }
    return inputs;
}

ChunkSpec along(std::int64_t dimension)
{
    return ChunkSpec{microbatch::TensorChunkSpec{static_cast<int>(dimension)}};
}

/// The other dimension that is as long as the batch, else none.
std::optional<ChunkSpec> alongBatch(const at::Tensor &tensor, std::int64_t rows)
{
    for (std::int64_t dimension = 1; dimension < tensor.dim(); ++dimension)
        if (tensor.size(dimension) == rows && tensor.size(0) != rows)
            return along(dimension);
    return std::nullopt;
}

/// Lists of samples, cut between their items: each, and all together.
std::vector<NamedChunkSpecs> listCandidates(const PipelineSetup &setup)
{
    NamedChunkSpecs all;
    for (std::size_t i = 0; i < setup.arguments.size(); ++i)
        if (isListOfSamples(setup.arguments[i]))
            all.push_back({setup.model.graph.arguments[i].name, ChunkSpec{microbatch::ListChunkSpec{}}});
    std::vector<NamedChunkSpecs> tried;
    if (!all.empty())
        tried.push_back(all);
    for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i)
        tried.push_back({all[i]});
    return tried;
}

bool cutsAList(const NamedChunkSpecs &specs)
{
    return std::any_of(specs.begin(), specs.end(), [](const auto &one) { return microbatch::cutsList(one.second); });
}

/// What to try, in order: each a change of some inputs. At least one input stays cut.
std::vector<NamedChunkSpecs> candidates(const std::vector<CutInput> &inputs)
{
    std::vector<NamedChunkSpecs> tried;
    NamedChunkSpecs unlike; // all at once
    const std::int64_t rows = inputs.front().tensor.size(0);
    for (const CutInput &input : inputs) {
        if (input.tensor.size(0) == rows)
            continue;
        const std::optional<ChunkSpec> other = alongBatch(input.tensor, rows);
        unlike.push_back({input.name, other.value_or(ChunkSpec{microbatch::Replicate{}})});
    }
    if (!unlike.empty())
        tried.push_back(unlike);
    for (const CutInput &input : inputs) {
        if (const auto other = alongBatch(input.tensor, rows))
            tried.push_back({{input.name, *other}});
        if (inputs.size() > 1)
            tried.push_back({{input.name, ChunkSpec{microbatch::Replicate{}}}});
    }
    for (const CutInput &input : inputs)
        for (std::int64_t dimension = 1; dimension < std::min<std::int64_t>(input.tensor.dim(), 3); ++dimension)
            tried.push_back({{input.name, along(dimension)}});
    return tried;
}

bool works(const PipelineSetup &setup, const NamedChunkSpecs &change, const JobContext &context)
{
    NamedChunkSpecs specs = change; // in place of what was given
    for (const auto &given : setup.plan.inputChunks)
        if (std::none_of(change.begin(), change.end(), [&](const auto &one) { return one.first == given.first; }))
            specs.push_back(given);
    const Result<tensor::ChunkedArguments> chunks =
        cutArguments(setup.model.graph.arguments, setup.arguments, specs, setup.plan.microbatches);
    if (!chunks)
        return false;
    const std::size_t made = chunks->args.size();
    // A list may have fewer tensors than each of them has rows.
    const bool isCut = cutsAList(change) ? made > 1 : made == setup.chunks.args.size();
    if (!isCut)
        return false;
    const Result<UnsplitRun> run = runUnsplit(setup, *chunks, context);
    if (!run || run->failed)
        return false;
    const auto same = check::checkSeparability(setup.model, setup.arguments, chunks->args, run->outputs,
                                               setup.plan.outputChunks, checkOptions(setup.plan), context.stop);
    return same && same->holds;
}

std::string optionsText(const NamedChunkSpecs &specs)
{
    std::string text;
    for (const auto &[name, spec] : specs)
        text += fmt::format("{}--chunk {}={}", text.empty() ? "" : " ", name, microbatch::toText(spec));
    return text;
}

} // namespace

Result<UnsplitRun> runUnsplit(const PipelineSetup &setup, const tensor::ChunkedArguments &chunks,
                              const JobContext &context)
{
    const check::CheckOptions options = checkOptions(setup.plan);
    return tensor::guardTorch(ErrorCode::ModelFailed, {}, [&]() -> Result<UnsplitRun> {
        const auto program = exec::StageProgram::buildWhole(setup.model, exec::heldBy(setup.model));
        if (!program)
            return program.error();
        const check::RunScope modes(options);
        const exec::StateGuard state(setup.model);
        UnsplitRun run;
        for (std::size_t i = 0; i < chunks.args.size() && !run.failed; ++i) {
            const exec::StageCall call{MicrobatchId{static_cast<int>(i)}, options.seed, context.stop, nullptr};
            auto outputs = program->run(exec::freshArguments(setup.model.graph, chunks.args[i]), call);
            if (outputs)
                run.outputs.push_back(*std::move(outputs));
            else
                run.failed = FailedMicrobatch{i, outputs.error()};
        }
        return run;
    });
}

std::string chunksThatWork(const PipelineSetup &setup, const JobContext &context)
{
    const std::vector<CutInput> inputs = cutInputs(setup);
    std::vector<NamedChunkSpecs> changes = listCandidates(setup);
    if (!inputs.empty()) {
        const std::vector<NamedChunkSpecs> ofTensors = candidates(inputs);
        changes.insert(changes.end(), ofTensors.begin(), ofTensors.end());
    }
    if (setup.chunks.args.size() < 2)
        return {};
    const auto begin = std::chrono::steady_clock::now();
    for (const NamedChunkSpecs &change : changes) {
        if (context.stop.stop_requested() || std::chrono::steady_clock::now() - begin > LongestSearch)
            break;
        if (works(setup, change, context))
            return optionsText(change);
    }
    return {};
}

} // namespace pipescope::engine

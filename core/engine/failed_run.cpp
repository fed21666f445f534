#include "engine/failed_run.h"

#include "check/run_scope.h"
#include "engine/check_options.h"
#include "engine/chunk_remedy.h"
#include "engine/failed_node.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace pipescope::engine {

namespace {

std::string countText(const std::string &name, std::size_t count, std::string_view noun)
{
    return fmt::format("{} of {} {}{}", name, count, noun, count == 1 ? "" : "s");
}

/// " (x float32[10,4], images of 3 items)": the tensors and lists among the arguments; "" for none.
std::string sizesText(const graph::ModelGraph &graph, const std::vector<c10::IValue> &arguments)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const c10::IValue &value = arguments[i];
        const std::string &name = graph.arguments[i].name;
        if (tensor::isDefinedTensor(value))
            texts.push_back(fmt::format("{} {}", name, graph::toText(tensor::describeTensor(value.toTensor()))));
        else if (value.isList())
            texts.push_back(countText(name, value.toListRef().size(), "item"));
        else if (const std::size_t tensors = tensor::tensorsIn(value).size(); tensors > 0)
            texts.push_back(countText(name, tensors, "tensor"));
    }
    return texts.empty() ? std::string() : fmt::format(" ({})", fmt::join(texts, ", "));
}

/// The unsplit model on the whole batch.
Status runWhole(const PipelineSetup &setup, const check::CheckOptions &options, const std::stop_token &stop)
{
    return tensor::guardTorch(ErrorCode::ModelFailed, {}, [&]() -> Status {
        Result<exec::StageProgram> program = exec::StageProgram::buildWhole(setup.model, exec::heldBy(setup.model));
        if (!program)
            return program.error();
        const check::RunScope modes(options);
        const exec::StateGuard state(setup.model);
        const auto outputs = program->run(exec::freshArguments(setup.model.graph, setup.arguments),
                                          exec::StageCall{MicrobatchId{0}, options.seed, stop, nullptr, true});
        return outputs ? Status(Success{}) : Status(outputs.error());
    });
}

Error wholeWorks(Error error, const PipelineSetup &setup, const JobContext &context)
{
    const Result<UnsplitRun> run = runUnsplit(setup, setup.chunks, context);
    if (!run)
        return error;
    if (!run->failed) {
        error.message += setup.chunks.args.size() == 1 ? "; unsplit, the model runs on the same inputs"
                                                       : "; unsplit, the model runs on the same microbatches";
        return error;
    }
    const std::size_t failed = run->failed->microbatch;
    error = run->failed->error;
    error.message += fmt::format("; the whole batch works{}, microbatch {} alone does not{}",
                                 sizesText(setup.model.graph, setup.arguments), failed,
                                 sizesText(setup.model.graph, setup.chunks.args[failed]));
    if (const std::string remedy = chunksThatWork(setup, context); !remedy.empty())
        error.message += fmt::format("; it works cut another way: {}", remedy);
    else if (!setup.unlikeRows.empty())
        error.message += fmt::format("; {}", setup.unlikeRows);
    else
        error.message += "; run it as one microbatch, or say how to cut each input: along another dimension, or "
                         "`replicate`, as in --chunk NAME=replicate";
    return error;
}

} // namespace

Error explainFailure(const Error &error, const PipelineSetup &setup, const JobContext &context)
{
    if (error.code != ErrorCode::ModelFailed || setup.chunks.args.empty())
        return error;
    tell(context, "looking for the reason");
    const check::CheckOptions options = checkOptions(setup.plan);
    const Status whole = runWhole(setup, options, context.stop);
    if (!whole)
        return whole.error().code == ErrorCode::ModelFailed
                   ? withOperands(whole.error(), setup.model, setup.arguments, options, context.stop)
                   : error;
    return wholeWorks(error, setup, context);
}

} // namespace pipescope::engine

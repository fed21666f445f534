#include "check/equivalence.h"
#include "check/run_scope.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

bool drawsRandomNumbers(const graph::ModelGraph &graph)
{
    return std::any_of(graph.order.begin(), graph.order.end(), [&](NodeId id) { return graph.node(id).random; });
}

Result<Arguments> runMethod(const import::ImportedModel &model, const Arguments &arguments, int microbatch)
{
    return tensor::guardTorch(ErrorCode::ModelFailed, fmt::format("unsplit model, microbatch {}", microbatch), [&]() {
        torch::jit::Module module = model.module;
        return Arguments{module.get_method(model.methodName)(arguments)};
    });
}

} // namespace

bool referenceIsLowered(const import::ImportedModel &model)
{
    return drawsRandomNumbers(model.graph) || !model.notes.empty();
}

Result<std::vector<Arguments>> runReference(const import::ImportedModel &model,
                                            const std::vector<Arguments> &microbatches, const CheckOptions &options,
                                            std::stop_token stop, const Progress &progress)
{
    const RunScope modes(options);
    const exec::ModelState state = exec::ModelState::capture(model);
    const bool lowered = referenceIsLowered(model);
    Result<exec::StageProgram> program = exec::StageProgram::buildWhole(model);
    if (!program)
        return program.error();
    std::vector<Arguments> outputs;
    for (std::size_t i = 0; i < microbatches.size(); ++i) {
        if (stop.stop_requested()) {
            state.restore();
            return Error{ErrorCode::Cancelled, "cancelled while running the unsplit model", {}, {}};
        }
        if (progress)
            progress("running the unsplit model", static_cast<double>(i) / static_cast<double>(microbatches.size()));
        Arguments arguments = exec::freshArguments(model.graph, microbatches[i]);
        const exec::StageCall call{MicrobatchId{static_cast<int>(i)}, options.seed, stop, nullptr};
        Result<Arguments> out =
            lowered ? program->run(std::move(arguments), call) : runMethod(model, arguments, static_cast<int>(i));
        if (!out) {
            state.restore();
            return out.error();
        }
        outputs.push_back(std::move(*out));
    }
    state.restore();
    return outputs;
}

} // namespace pipescope::check

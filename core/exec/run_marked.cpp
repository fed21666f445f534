#include "exec/run_marked.h"

#include "tensor/torch_guard.h"

#include <fmt/format.h>
#include <functional>
#include <torch/csrc/jit/runtime/graph_executor.h>

namespace pipescope::exec {

namespace {

std::string place(const MarkedNode *node, StageId stage, const StageCall &call)
{
    const bool whole = call.wholeBatch || !call.microbatch.valid();
    std::string text = whole ? "the whole batch" : fmt::format("microbatch {}", call.microbatch.value);
    if (stage.valid())
        text = fmt::format("stage {}, {}", stage.value, text);
    else if (whole)
        text = "unsplit model, " + text;
    if (node)
        text += ", " + node->text;
    return text;
}

} // namespace

Status runMarked(const torch::jit::Code &code, torch::jit::Stack &stack, MarkedRun &run, StageId stage)
{
    Status status = tensor::guardTorch(ErrorCode::ModelFailed, {}, [&] {
        const torch::jit::GraphOptimizerEnabledGuard plain(false);
        torch::jit::InterpreterState state(code, [](const std::function<void()> &task) { task(); });
        state.run(stack);
    });
    run.end();
    if (status)
        return status;
    Error error = status.error();
    const MarkedNode *const node = run.current();
    const std::string where = place(node, stage, run.call());
    error.where = node ? node->name : "";
    if (run.stopped())
        return Error{ErrorCode::Cancelled, where + ": cancelled", error.where, {}};
    error.message = where + ": " + error.message;
    return error;
}

} // namespace pipescope::exec

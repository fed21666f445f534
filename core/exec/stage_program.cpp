#include "exec/stage_program.h"

#include "exec/model_state.h"
#include "exec/run_marked.h"
#include "exec/slice_graph.h"
#include "partition/stage_copies.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace pipescope::exec {

struct StageProgram::State
{
    StageId stage;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<std::size_t> copied; // positions in `outputs`
    std::vector<c10::IValue> held;
    MarkTable marks;
    torch::jit::Code code;
};

namespace {

// What the stage is fed of `held`, in order.
Result<std::vector<ValueId>> fedValues(const import::ImportedModel &model, const partition::Stage &stage,
                                       const HeldValues &held)
{
    std::vector<ValueId> fed = stage.held;
    for (const ValueId id : fed)
        if (held.count(id) == 0)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} holds {}, and no value of it is given",
                                     stage.name.empty() ? "the model" : stage.name, model.graph.value(id).name),
                         stage.name,
                         {}};
    const std::vector<ValueId> constants = constantsUsed(model, held, stage.begin, stage.end, stage.outputs);
    fed.insert(fed.end(), constants.begin(), constants.end());
    return fed;
}

// What the method returns, where that may be a tensor the model goes on writing.
std::vector<std::size_t> copiedOutputs(const import::ImportedModel &model, const std::vector<ValueId> &outputs)
{
    std::vector<std::size_t> positions;
    if (!keepsState(model))
        return positions;
    const std::vector<ValueId> &returned = model.graph.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (std::find(returned.begin(), returned.end(), outputs[i]) != returned.end())
            positions.push_back(i);
    return positions;
}

} // namespace

StageProgram::StageProgram(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}
StageProgram::StageProgram(StageProgram &&) noexcept = default;
StageProgram &StageProgram::operator=(StageProgram &&) noexcept = default;
StageProgram::~StageProgram() = default;

Result<StageProgram> StageProgram::buildWhole(const import::ImportedModel &model, const HeldValues &held)
{
    partition::Stage whole;
    whole.end = model.graph.size();
    for (const graph::Argument &argument : model.graph.arguments)
        whole.inputs.push_back(argument.value);
    whole.outputs = model.graph.outputs;
    for (const auto &[id, value] : model.held)
        whole.held.push_back(id);
    return build(model, whole, held);
}

Result<StageProgram> StageProgram::build(const import::ImportedModel &model, const partition::Stage &stage,
                                         const HeldValues &held)
{
    const Result<std::vector<ValueId>> fed = fedValues(model, stage, held);
    if (!fed)
        return fed.error();
    return tensor::guardTorch(ErrorCode::Internal, stage.name, [&] {
        auto state = std::make_unique<State>();
        state->stage = stage.id;
        state->inputs = stage.inputs;
        state->outputs = stage.outputs;
        state->copied = copiedOutputs(model, stage.outputs);
        Slice slice{stage.begin, stage.end, stage.inputs, stage.outputs, inputsToCopy(model.graph, stage)};
        for (const ValueId id : *fed) {
            slice.inputs.push_back(id);
            state->held.push_back(held.at(id));
        }
        state->code = torch::jit::Code(markedGraph(model, slice, state->marks), stage.name);
        return StageProgram(std::move(state));
    });
}

const std::vector<ValueId> &StageProgram::inputs() const
{
    return m_state->inputs;
}

const std::vector<ValueId> &StageProgram::outputs() const
{
    return m_state->outputs;
}

StageId StageProgram::stage() const
{
    return m_state->stage;
}

Result<std::vector<c10::IValue>> StageProgram::run(std::vector<c10::IValue> inputs, const StageCall &call) const
{
    PIPESCOPE_ASSERT(inputs.size() == m_state->inputs.size());
    // The inputs themselves go onto the stack: the interpreter frees each at its last use.
    torch::jit::Stack stack = std::move(inputs);
    stack.insert(stack.end(), m_state->held.begin(), m_state->held.end());
    MarkedRun run(m_state->marks, call);
    if (auto ok = runMarked(m_state->code, stack, run, m_state->stage); !ok)
        return ok.error();
    const Status kept = tensor::guardTorch(ErrorCode::ModelFailed, {}, [&] {
        for (const std::size_t position : m_state->copied)
            stack[position] = keptOutput(stack[position]);
    });
    if (!kept)
        return kept.error();
    return stack;
}

} // namespace pipescope::exec

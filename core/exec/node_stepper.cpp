#include "exec/node_stepper.h"

#include "exec/run_marked.h"
#include "exec/slice_graph.h"
#include "ops/operator.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <chrono>
#include <torch/csrc/jit/ir/constants.h>
#include <utility>

namespace pipescope::exec {

// One top-level node made runnable.
struct RunnableNode
{
    std::optional<torch::jit::Code> code; // none for what ran with a node before it
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<ValueId> drops; // arguments and results nothing after this node uses
};

namespace {

StageCall stageCall(const StepCall &call)
{
    return {call.microbatch, call.seed, call.stop, call.observer};
}

// What an interpreter enters it must leave, so a `with` block runs as one, when its first node does.
int endOfUnit(const graph::ModelGraph &graph, int begin)
{
    int open = 0;
    for (int position = begin; position < graph.size(); ++position) {
        const ops::Role role = ops::of(graph.at(position)).role;
        open += role == ops::Role::Enters ? 1 : role == ops::Role::Exits ? -1 : 0;
        if (open <= 0)
            return position + 1;
    }
    return graph.size();
}

void append(std::vector<ValueId> &values, ValueId id)
{
    if (std::find(values.begin(), values.end(), id) == values.end())
        values.push_back(id);
}

RunnableNode makeStep(const import::ImportedModel &model, int begin, int end, MarkTable &marks)
{
    RunnableNode step;
    for (int position = begin; position < end; ++position) {
        const graph::Node &node = model.graph.at(position);
        for (const ValueId id : node.uses) {
            const auto &made = step.outputs;
            if (model.graph.value(id).kind != graph::ValueKind::Constant &&
                std::find(made.begin(), made.end(), id) == made.end())
                append(step.inputs, id);
        }
        step.outputs.insert(step.outputs.end(), node.outputs.begin(), node.outputs.end());
    }
    const Slice slice{begin, end, step.inputs, step.outputs};
    step.code.emplace(markedGraph(model, slice, marks), model.graph.at(begin).op);
    return step;
}

std::vector<RunnableNode> makeSteps(const import::ImportedModel &model, MarkTable &marks)
{
    std::vector<RunnableNode> steps;
    for (int begin = 0; begin < model.graph.size();) {
        const int end = endOfUnit(model.graph, begin);
        steps.push_back(makeStep(model, begin, end, marks));
        steps.resize(static_cast<std::size_t>(end));
        begin = end;
    }
    return steps;
}

// None for what is never read: a method that always raises returns a value that is not initialised.
c10::IValue constantOf(const torch::jit::Value &value)
{
    return torch::jit::toIValue(&value).value_or(c10::IValue());
}

bool madeInARun(const graph::Value &value)
{
    return value.kind == graph::ValueKind::Input || value.kind == graph::ValueKind::Result;
}

// Which values to drop after each node: at their last use, or where they are made if nothing uses them.
void findDrops(const graph::ModelGraph &graph, std::vector<RunnableNode> &steps)
{
    std::vector<int> last(graph.values.size(), -1);
    for (int position = 0; position < graph.size(); ++position) {
        for (const ValueId id : graph.at(position).outputs)
            last[id.index()] = position;
        for (const ValueId id : graph.at(position).uses)
            last[id.index()] = position;
    }
    for (const ValueId id : graph.outputs)
        last[id.index()] = -1;
    for (const graph::Value &value : graph.values)
        if (last[value.id.index()] >= 0 && madeInARun(value))
            steps[static_cast<std::size_t>(last[value.id.index()])].drops.push_back(value.id);
}

} // namespace

struct NodeStepper::State
{
    MarkTable marks;
    std::vector<RunnableNode> steps; // by position
    std::size_t valueCount = 0;
    std::vector<ValueId> arguments;
    std::vector<ValueId> outputs;
    std::vector<std::pair<ValueId, c10::IValue>> held; // and constants the method returns

    Status runStep(int position, Environment &values, MarkedRun &run, const StepCall &call) const;
};

NodeStepper::NodeStepper(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}
NodeStepper::NodeStepper(NodeStepper &&) noexcept = default;
NodeStepper &NodeStepper::operator=(NodeStepper &&) noexcept = default;
NodeStepper::~NodeStepper() = default;

Result<NodeStepper> NodeStepper::build(const import::ImportedModel &model)
{
    return tensor::guardTorch(ErrorCode::Internal, model.methodName, [&] {
        const graph::ModelGraph &graph = model.graph;
        auto state = std::make_unique<State>();
        state->valueCount = graph.values.size();
        state->outputs = graph.outputs;
        for (const graph::Argument &argument : graph.arguments)
            state->arguments.push_back(argument.value);
        state->held.assign(model.held.begin(), model.held.end());
        for (const ValueId id : graph.outputs)
            if (graph.value(id).kind == graph::ValueKind::Constant)
                state->held.emplace_back(id, constantOf(*model.values[id.index()]));
        state->steps = makeSteps(model, state->marks);
        findDrops(graph, state->steps);
        return NodeStepper(std::move(state));
    });
}

Environment NodeStepper::begin(const std::vector<c10::IValue> &arguments) const
{
    PIPESCOPE_ASSERT(arguments.size() == m_state->arguments.size());
    Environment values(m_state->valueCount);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        values[m_state->arguments[i].index()] = arguments[i];
    for (const auto &[id, value] : m_state->held)
        values[id.index()] = value;
    return values;
}

Status NodeStepper::State::runStep(int position, Environment &values, MarkedRun &run, const StepCall &call) const
{
    const RunnableNode &step = steps[static_cast<std::size_t>(position)];
    torch::jit::Stack stack;
    stack.reserve(step.inputs.size());
    for (const ValueId id : step.inputs) {
        PIPESCOPE_ASSERT(values[id.index()].has_value());
        stack.push_back(*values[id.index()]);
    }
    // What is used here for the last time is the stack's alone, so that it is freed inside the node as in a plain run.
    if (call.dropUnused && step.code)
        for (const ValueId id : step.drops)
            values[id.index()].reset();
    const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    if (step.code)
        if (auto ok = runMarked(*step.code, stack, run, StageId{}); !ok)
            return ok;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    for (std::size_t i = 0; i < step.outputs.size(); ++i)
        values[step.outputs[i].index()] = std::move(stack[i]);
    if (call.after)
        call.after(position, taken.count(), values);
    if (call.dropUnused)
        for (const ValueId id : step.drops)
            values[id.index()].reset();
    return Success{};
}

Status NodeStepper::runNode(int position, Environment &values, const StepCall &call) const
{
    PIPESCOPE_ASSERT(position >= 0 && static_cast<std::size_t>(position) < m_state->steps.size());
    PIPESCOPE_ASSERT(values.size() == m_state->valueCount);
    const StageCall forMarks = stageCall(call);
    MarkedRun run(m_state->marks, forMarks);
    return m_state->runStep(position, values, run, call);
}

Result<std::vector<c10::IValue>> NodeStepper::run(const std::vector<c10::IValue> &arguments, const StepCall &call) const
{
    Environment values = begin(arguments);
    const StageCall forMarks = stageCall(call);
    MarkedRun run(m_state->marks, forMarks);
    for (std::size_t position = 0; position < m_state->steps.size(); ++position)
        if (auto ok = m_state->runStep(static_cast<int>(position), values, run, call); !ok)
            return ok.error();
    std::vector<c10::IValue> outputs;
    for (const ValueId id : m_state->outputs)
        outputs.push_back(values[id.index()].value());
    return outputs;
}

} // namespace pipescope::exec

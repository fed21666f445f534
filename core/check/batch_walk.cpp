#include "check/batch_walk.h"

#include "check/rows.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "tensor/ivalue_tree.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace pipescope::check {

namespace {

// Tensors of each position's results, copied as they were when the node had just run.
using Record = std::vector<std::vector<at::Tensor>>;

Result<Record> record(const exec::NodeStepper &stepper, const import::ImportedModel &model,
                      const std::vector<c10::IValue> &arguments, MicrobatchId microbatch, const CheckOptions &options,
                      const std::stop_token &stop, std::int64_t &budget)
{
    Record result(model.graph.order.size());
    exec::StepCall call;
    call.microbatch = microbatch;
    call.seed = options.seed;
    call.stop = stop;
    call.after = [&](int position, double, const exec::Environment &values) {
        for (const ValueId output : model.graph.at(position).outputs) {
            if (!values[output.index()] || budget <= 0)
                continue;
            for (const at::Tensor &tensor : tensor::tensorsIn(*values[output.index()])) {
                budget -= static_cast<std::int64_t>(tensor.numel()) * static_cast<std::int64_t>(tensor.element_size());
                result[static_cast<std::size_t>(position)].push_back(tensor.detach().clone());
            }
        }
    };
    if (const auto out = stepper.run(exec::freshArguments(model.graph, arguments), call); !out)
        return out.error();
    return result;
}

std::optional<BatchDependence> compareAt(int position, const Record &whole, const std::vector<Record> &parts)
{
    const auto index = static_cast<std::size_t>(position);
    const bool sameCount = std::all_of(parts.begin(), parts.end(),
                                       [&](const Record &part) { return part[index].size() == whole[index].size(); });
    if (!sameCount)
        return BatchDependence{position, true, 0};
    for (std::size_t t = 0; t < whole[index].size(); ++t) {
        std::vector<at::Tensor> tensors;
        for (const Record &part : parts)
            tensors.push_back(part[index][t]);
        const Rows rows = relate(whole[index][t], tensors);
        if (rows.relation == RowRelation::Neither)
            return BatchDependence{position, true, 0};
        const std::size_t compared = rows.relation == RowRelation::Joined ? 1 : tensors.size();
        for (std::size_t p = 0; p < compared; ++p) {
            const at::Tensor &actual = rows.relation == RowRelation::Joined ? rows.joined : tensors[p];
            if (const RowDifference difference = compareRows(whole[index][t], actual); difference.real)
                return BatchDependence{position, false, difference.maxAbs};
        }
    }
    return std::nullopt;
}

// Sizes and indices made into tensors, and what is computed from these and from what the model holds, may differ from
// call to call (batch norm counts its batches) and harm nobody by
// themselves; what they are used for may. Traced models are full of them.
std::vector<bool> bookkeeping(const graph::ModelGraph &graph)
{
    std::vector<bool> is(graph.values.size(), false);
    for (const graph::Value &value : graph.values)
        is[value.id.index()] = value.kind == graph::ValueKind::Parameter || value.kind == graph::ValueKind::Buffer;
    for (const NodeId id : graph.order) {
        const graph::Node &node = graph.node(id);
        const bool size =
            node.op == "aten::size" || node.op == "aten::_shape_as_tensor" || node.op == "prim::NumToTensor";
        const bool fromSizes = std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
            const graph::Value &value = graph.value(input);
            return !value.holdsTensors || value.kind == graph::ValueKind::Constant || is[input.index()];
        });
        if (node.stateRead.empty() && !node.random && (size || fromSizes))
            for (const ValueId output : node.outputs)
                is[output.index()] = true;
    }
    return is;
}

bool contains(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

bool isDynamicQuantization(const std::string &op)
{
    return contains(op, "_dynamic") || contains(op, "choose_qparams") || contains(op, "fused_moving_avg_obs");
}

bool isBatchStatistics(const std::string &op)
{
    return contains(op, "batch_norm") || contains(op, "instance_norm");
}

// Whether a node or anything inside it satisfies a test of its operator's name.
template <class Test>
bool anyOperator(const graph::ModelGraph &graph, const graph::Node &node, Test test)
{
    return test(node.op) || std::any_of(node.children.begin(), node.children.end(),
                                        [&](NodeId child) { return anyOperator(graph, graph.node(child), test); });
}

// Whether an operand is a tensor the model holds and writes in place: state in another form than an assigned attribute.
bool readsWrittenMemory(const graph::ModelGraph &graph, const graph::Node &node)
{
    const auto isWritten = [&](ValueId id) {
        return std::any_of(graph.order.begin(), graph.order.end(), [&](NodeId other) {
            const std::vector<ValueId> &writes = graph.node(other).writes;
            return std::find(writes.begin(), writes.end(), id) != writes.end();
        });
    };
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
        const graph::ValueKind kind = graph.value(id).kind;
        const bool held = kind == graph::ValueKind::Parameter || kind == graph::ValueKind::Buffer ||
                          kind == graph::ValueKind::Attribute;
        return held && isWritten(id);
    });
}

// An argument as the node gets it: through views and casts only.
bool isCutArgument(const graph::ModelGraph &graph, ValueId value, const std::vector<bool> &argumentWasCut)
{
    for (int hops = 0; hops < 64; ++hops) {
        for (std::size_t i = 0; i < graph.arguments.size(); ++i)
            if (graph.arguments[i].value == value)
                return argumentWasCut[i];
        const graph::Value &here = graph.value(value);
        if (!here.producer.valid())
            return false;
        const graph::Node &node = graph.node(here.producer);
        const bool passes = !node.aliases.empty() || node.op == "aten::to" || node.op == "aten::masked_fill";
        if (!passes || node.inputs.empty())
            return false;
        value = node.inputs.front();
    }
    return false;
}

} // namespace

Result<std::optional<BatchDependence>> firstBatchDependence(const import::ImportedModel &model,
                                                            const std::vector<c10::IValue> &whole,
                                                            const std::vector<std::vector<c10::IValue>> &microbatches,
                                                            const CheckOptions &options, std::stop_token stop,
                                                            std::int64_t memoryLimit)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    const exec::ModelState state = exec::ModelState::capture(model);
    std::int64_t budget = memoryLimit;
    const Result<Record> expected = record(*stepper, model, whole, MicrobatchId{0}, options, stop, budget);
    state.restore();
    if (!expected)
        return expected.error();
    std::vector<Record> parts;
    for (std::size_t i = 0; i < microbatches.size(); ++i) {
        Result<Record> part =
            record(*stepper, model, microbatches[i], MicrobatchId{static_cast<int>(i)}, options, stop, budget);
        if (!part) {
            state.restore();
            return part.error();
        }
        parts.push_back(std::move(*part));
    }
    state.restore();
    if (budget <= 0)
        return std::optional<BatchDependence>{};
    const std::vector<bool> isBookkeeping = bookkeeping(model.graph);
    for (int position = 0; position < model.graph.size(); ++position) {
        const std::vector<ValueId> &results = model.graph.at(position).outputs;
        if (std::all_of(results.begin(), results.end(), [&](ValueId id) { return isBookkeeping[id.index()]; }))
            continue;
        if (const auto found = compareAt(position, *expected, parts))
            return found;
    }
    return std::optional<BatchDependence>{};
}

Cause classify(const import::ImportedModel &model, const BatchDependence &dependence,
               const std::vector<bool> &argumentWasCut)
{
    const graph::Node &node = model.graph.at(dependence.position);
    if (!node.stateRead.empty())
        return Cause::State;
    if (anyOperator(model.graph, node, isDynamicQuantization))
        return Cause::DynamicQuantization;
    if (anyOperator(model.graph, node, isBatchStatistics))
        return Cause::BatchStatistics;
    if (node.random)
        return Cause::Random;
    if (readsWrittenMemory(model.graph, node))
        return Cause::State;
    if (contains(node.op, "squeeze"))
        return Cause::Squeeze;
    if (!node.children.empty())
        return Cause::BatchBranch;
    const bool takesCutArgument = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
        return isCutArgument(model.graph, id, argumentWasCut);
    });
    const auto tensors = std::count_if(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
        const graph::Value &value = model.graph.value(id);
        return value.holdsTensors && value.kind != graph::ValueKind::Constant;
    });
    return takesCutArgument && tensors > 1 ? Cause::InputNotRows : Cause::BatchReduction;
}

} // namespace pipescope::check

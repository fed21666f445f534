#include "engine/failed_node.h"

#include "check/run_scope.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "graph/module_names.h"
#include "ops/operator.h"
#include "plan/propose_inputs.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/core/TensorBody.h>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <utility>

namespace pipescope::engine {

namespace {

using graph::ModelGraph;
using graph::ValueKind;

constexpr std::size_t MostOperands = 4;

/// The values that exist before the node that fails.
Result<exec::Environment> valuesBefore(const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                                       const check::CheckOptions &options, const std::stop_token &stop)
{
    const check::RunScope modes(options);
    const exec::StateGuard state(model);
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    exec::Environment values = stepper->begin(exec::freshArguments(model.graph, arguments));
    exec::StepCall call;
    call.seed = options.seed;
    call.stop = stop;
    call.dropUnused = false;
    for (int position = 0; position < model.graph.size(); ++position)
        if (!stepper->runNode(position, values, call))
            break;
    return values;
}

class FailedNode
{
public:
    FailedNode(const ModelGraph &graph, const graph::Node &node, const exec::Environment &values)
        : m_graph(graph)
        , m_node(node)
        , m_values(values)
    {
        for (const ValueId id : node.operands)
            if (tensorAt(id) && m_operands.size() < MostOperands &&
                std::find(m_operands.begin(), m_operands.end(), id) == m_operands.end())
                m_operands.push_back(id);
    }

    /// "x is int64, the weight of fc1 is float32" where those differ and LibTorch's text is about dtypes, else all with
    /// their shapes.
    std::string operandsText(std::string_view failure) const
    {
        if (isAboutDtypes(failure))
            if (std::string text = dtypesText(); !text.empty())
                return text;
        std::vector<std::string> texts;
        for (const ValueId id : m_operands)
            texts.push_back(fmt::format("{} is {}", nameOf(id), graph::toText(tensor::describeTensor(*tensorAt(id)))));
        return fmt::format("{}", fmt::join(texts, ", "));
    }

private:
    std::optional<at::Tensor> tensorAt(ValueId id) const
    {
        const std::optional<c10::IValue> &value = m_values[id.index()];
        return value && tensor::isDefinedTensor(*value) ? std::optional(value->toTensor()) : std::nullopt;
    }

    static bool isAboutDtypes(std::string_view failure)
    {
        for (const std::string_view words : {"dtype", "scalar type", "input type", "Input type", "FloatTensor", "Half"})
            if (failure.find(words) != std::string_view::npos)
                return true;
        return false;
    }

    bool isHeld(ValueId id) const { return heldBehind(id).value.valid(); }

    struct Held
    {
        ValueId value;
        bool transposed = false;
    };

    /// What the model holds, itself or seen in another way; nothing for what was computed.
    Held heldBehind(ValueId id) const
    {
        Held held;
        while (true) {
            const graph::Value &value = m_graph.value(id);
            if (value.kind == ValueKind::Parameter || value.kind == ValueKind::Buffer ||
                value.kind == ValueKind::Attribute) {
                held.value = id;
                return held;
            }
            if (value.kind != ValueKind::Result || m_graph.node(value.producer).operands.empty())
                return {};
            const graph::Node &producer = m_graph.node(value.producer);
            const ops::Keeps keeps = ops::of(producer).keeps;
            if (keeps == ops::Keeps::Unknown || keeps == ops::Keeps::Shape)
                return {};
            held.transposed = held.transposed != (keeps == ops::Keeps::Transposed);
            id = producer.operands.front();
        }
    }

    /// The first tensor that the model holds, beside the first of another dtype that it was given.
    std::string dtypesText() const
    {
        const auto held = std::find_if(m_operands.begin(), m_operands.end(), [&](ValueId id) { return isHeld(id); });
        if (held == m_operands.end())
            return {};
        const at::ScalarType wanted = tensorAt(*held)->scalar_type();
        const auto given = std::find_if(m_operands.begin(), m_operands.end(), [&](ValueId id) {
            return !isHeld(id) && (tensorAt(id)->scalar_type() != wanted || takesIndices());
        });
        if (given == m_operands.end())
            return {};
        const at::ScalarType got = tensorAt(*given)->scalar_type();
        if (takesIndices())
            return fmt::format("{} is {}, and the rows of {} are chosen by integers", nameOf(originOf(*given)),
                               tensor::dtypeName(got), nameOf(heldBehind(*held).value));
        return fmt::format("{} is {}, {} is {}", nameOf(originOf(*given)), tensor::dtypeName(got),
                           nameOf(heldBehind(*held).value), tensor::dtypeName(wanted));
    }

    bool takesIndices() const
    {
        const std::optional<ops::Tells> &tells = ops::of(m_node).tells;
        return tells && tells->of == ops::Tells::Of::IndexRange;
    }

    /// The argument that the value has its dtype from, else the value itself.
    ValueId originOf(ValueId value) const
    {
        const at::ScalarType dtype = tensorAt(value)->scalar_type();
        std::vector<ValueId> open{value};
        std::set<ValueId> seen{value};
        while (!open.empty()) {
            const ValueId id = open.back();
            open.pop_back();
            if (m_graph.value(id).kind == ValueKind::Input)
                return id;
            const NodeId producer = m_graph.value(id).producer;
            if (!producer.valid())
                continue;
            for (const ValueId used : m_graph.node(producer).operands)
                if (const auto tensor = tensorAt(used);
                    tensor && tensor->scalar_type() == dtype && seen.insert(used).second)
                    open.push_back(used);
        }
        return value;
    }

    /// "x", "the weight of fc1", "the transposed weight of fc1", "the result of conv/aten::conv2d".
    std::string nameOf(ValueId id) const
    {
        const graph::Value &value = m_graph.value(id);
        if (const Held held = heldBehind(id); held.value.valid()) {
            const std::string &name = m_graph.value(held.value).name;
            const std::string_view how = held.transposed ? "transposed " : "";
            const std::string_view module = graph::ModuleNames(m_graph).around(name);
            return module.empty() ? fmt::format("the model's {}{}", how, name)
                                  : fmt::format("the {}{} of {}", how, name.substr(module.size() + 1), module);
        }
        if (value.producer.valid() && value.kind != ValueKind::Input)
            return fmt::format("the result of {}", m_graph.node(value.producer).name);
        return value.name;
    }

    const ModelGraph &m_graph;
    const graph::Node &m_node;
    const exec::Environment &m_values;
    std::vector<ValueId> m_operands; // the first few tensors
};

/// The given tensor as the model takes it; nullopt where it is that already, or has too few dimensions to tell.
std::optional<plan::InputSpec> corrected(const plan::InputProposal &proposal, const at::Tensor &given)
{
    plan::InputSpec input = proposal.input;
    auto &wanted = std::get<plan::TensorSpec>(input.value.node);
    const std::vector<std::int64_t> proposed = wanted.sizes;
    wanted.sizes = given.sizes().vec();
    const std::string dtype = tensor::dtypeName(given.scalar_type());
    switch (proposal.basis) {
    case plan::InputProposal::Basis::Index: {
        const bool isIndex = dtype == "int64" || dtype == "int32";
        const bool inRange = isIndex && given.numel() > 0 && given.min().item<std::int64_t>() >= 0 &&
                             given.max().item<std::int64_t>() < wanted.high;
        return inRange ? std::nullopt : std::optional(input);
    }
    case plan::InputProposal::Basis::LastDimension: {
        const std::size_t told = proposed.size() - 1; // all but the rows
        if (wanted.sizes.size() < told)
            wanted.sizes = proposed;
        else
            std::copy(proposed.begin() + 1, proposed.end(), wanted.sizes.end() - static_cast<std::ptrdiff_t>(told));
        break;
    }
    case plan::InputProposal::Basis::Channels:
        if (wanted.sizes.size() == proposed.size())
            wanted.sizes[1] = proposed[1];
        else
            wanted.sizes = proposed;
        break;
    }
    const bool same = dtype == wanted.dtype && wanted.sizes == given.sizes().vec();
    return same ? std::nullopt : std::optional(input);
}

/// "; give it as x=float32[6,4]", for each argument that is not what the model says it takes.
std::string correction(const ModelGraph &graph, const std::vector<c10::IValue> &arguments)
{
    std::vector<std::string> texts;
    for (const plan::InputProposal &proposal : plan::proposeInputs(graph)) {
        const auto argument = std::find_if(graph.arguments.begin(), graph.arguments.end(),
                                           [&](const auto &one) { return one.name == proposal.input.name; });
        const c10::IValue &given = arguments[static_cast<std::size_t>(argument - graph.arguments.begin())];
        if (!tensor::isDefinedTensor(given))
            continue;
        if (const auto input = corrected(proposal, given.toTensor()))
            texts.push_back(plan::toText(*input));
    }
    return texts.empty() ? std::string() : fmt::format("; give it as {}", fmt::join(texts, " and "));
}

const graph::Node *nodeNamed(const ModelGraph &graph, const std::string &name)
{
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const graph::Node &node) { return node.name == name; });
    return found == graph.nodes.end() ? nullptr : &*found;
}

} // namespace

Error withOperands(Error error, const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                   const check::CheckOptions &options, const std::stop_token &stop)
{
    if (error.code != ErrorCode::ModelFailed)
        return error;
    if (!options.grad && error.message.find("does not require grad") != std::string::npos) {
        error.message += "; the model differentiates inside, so autograd has to be recorded while it runs";
        return error;
    }
    const graph::Node *const node = nodeNamed(model.graph, error.where);
    if (node == nullptr || node->operands.empty())
        return error;
    const Result<std::string> told = tensor::guardTorch(ErrorCode::ModelFailed, {}, [&]() -> Result<std::string> {
        const Result<exec::Environment> values = valuesBefore(model, arguments, options, stop);
        if (!values)
            return values.error();
        const std::string operands = FailedNode(model.graph, *node, *values).operandsText(error.message);
        return (operands.empty() ? std::string() : fmt::format(" ({})", operands)) + correction(model.graph, arguments);
    });
    if (told) // what cannot be told is left out
        error.message += *told;
    return error;
}

} // namespace pipescope::engine

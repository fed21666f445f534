#include "plan/propose_inputs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace pipescope::plan {

namespace {

constexpr std::int64_t Rows = 8;
constexpr std::int64_t Length = 16;
constexpr std::int64_t Side = 32;

/// Operators whose result stands for the argument itself, for what is asked here.
bool passesOn(std::string_view op)
{
    constexpr std::array ops{"aten::to", "aten::contiguous", "aten::view", "aten::reshape", "aten::detach"};
    return std::find(ops.begin(), ops.end(), op) != ops.end();
}

/// Reshaping changes the last dimension, but no range.
bool keepsShape(std::string_view op)
{
    return op != "aten::view" && op != "aten::reshape";
}

struct Use
{
    const graph::Node *node = nullptr;
    bool sameShape = true;
};

/// Who takes the argument, itself or passed on, in program order.
std::vector<Use> usesOf(const graph::ModelGraph &graph, ValueId argument)
{
    struct Alias
    {
        ValueId value;
        bool sameShape;
    };
    std::vector<Alias> same{{argument, true}};
    std::vector<Use> uses;
    for (const graph::Node &node : graph.nodes) {
        const auto found = std::find_if(same.begin(), same.end(), [&](const Alias &alias) {
            return std::find(node.inputs.begin(), node.inputs.end(), alias.value) != node.inputs.end();
        });
        if (found == same.end())
            continue;
        const bool sameShape = found->sameShape;
        uses.push_back({&node, sameShape});
        if (passesOn(node.op) && !node.outputs.empty() && node.inputs.front() == found->value)
            same.push_back({node.outputs.front(), sameShape && keepsShape(node.op)});
    }
    return uses;
}

/// The parameter among a node's operands at or after a place; nullptr without one.
const graph::Parameter *weightOf(const graph::ModelGraph &graph, const graph::Node &node, std::size_t from)
{
    for (std::size_t i = from; i < node.inputs.size(); ++i)
        for (const graph::Parameter &parameter : graph.parameters)
            if (parameter.value.valid() && parameter.value == node.inputs[i])
                return &parameter;
    return nullptr;
}

InputProposal proposal(const graph::Argument &argument, TensorSpec tensor, const graph::Parameter &weight,
                       InputProposal::Basis basis)
{
    InputProposal made;
    made.input.name = argument.name;
    made.input.value.node = std::move(tensor);
    made.parameter = weight.fqn;
    made.basis = basis;
    return made;
}

TensorSpec floats(const graph::Parameter &weight, std::vector<std::int64_t> sizes)
{
    TensorSpec tensor;
    tensor.dtype = weight.tensor.dtype;
    tensor.sizes = std::move(sizes);
    return tensor;
}

std::optional<InputProposal> fromIndex(const graph::ModelGraph &graph, const graph::Argument &argument, const Use &use)
{
    const graph::Parameter *weight = weightOf(graph, *use.node, 0);
    if (weight == nullptr || weight->tensor.sizes.size() != 2)
        return std::nullopt;
    TensorSpec tensor;
    tensor.dtype = "int64";
    tensor.sizes = {Rows, Length};
    tensor.high = weight->tensor.sizes[0];
    return proposal(argument, std::move(tensor), *weight, InputProposal::Basis::Index);
}

std::optional<InputProposal> fromLastDimension(const graph::Argument &argument, const graph::Parameter &weight,
                                               std::int64_t last)
{
    return proposal(argument, floats(weight, {Rows, last}), weight, InputProposal::Basis::LastDimension);
}

std::optional<InputProposal> fromChannels(const graph::Argument &argument, const graph::Parameter &weight)
{
    std::vector<std::int64_t> sizes{Rows, weight.tensor.sizes[1]};
    sizes.resize(weight.tensor.sizes.size(), Side);
    return proposal(argument, floats(weight, std::move(sizes)), weight, InputProposal::Basis::Channels);
}

std::optional<InputProposal> fromUse(const graph::ModelGraph &graph, const graph::Argument &argument, const Use &use)
{
    const std::string &op = use.node->op;
    if (op == "aten::embedding" || op == "aten::embedding_bag")
        return fromIndex(graph, argument, use);
    const graph::Parameter *weight = weightOf(graph, *use.node, 1);
    if (!use.sameShape || weight == nullptr || weight->tensor.sizes.empty())
        return std::nullopt;
    const std::vector<std::int64_t> &sizes = weight->tensor.sizes;
    if (op == "aten::linear" && sizes.size() == 2)
        return fromLastDimension(argument, *weight, sizes[1]);
    if ((op == "aten::layer_norm" || op == "aten::rms_norm") && sizes.size() == 1)
        return fromLastDimension(argument, *weight, sizes[0]);
    const bool convolves = op == "aten::conv1d" || op == "aten::conv2d" || op == "aten::conv3d" ||
                           op == "aten::_convolution" || op == "aten::convolution";
    if (convolves && sizes.size() >= 3)
        return fromChannels(argument, *weight);
    return std::nullopt;
}

} // namespace

std::vector<InputProposal> proposeInputs(const graph::ModelGraph &graph)
{
    std::vector<InputProposal> proposals;
    for (const graph::Argument &argument : graph.arguments) {
        if (argument.hasDefault || argument.type != "Tensor" || !argument.value.valid())
            continue;
        for (const Use &use : usesOf(graph, argument.value)) {
            if (std::optional<InputProposal> made = fromUse(graph, argument, use)) {
                proposals.push_back(*std::move(made));
                break;
            }
        }
    }
    return proposals;
}

} // namespace pipescope::plan

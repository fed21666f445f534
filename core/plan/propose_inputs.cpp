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

/// An operator whose weight tells of its data: where both are among its operands.
struct Teller
{
    enum class Tells { IndexRange, LastDimension, NormalizedShape, Channels, TransposedChannels };

    std::string_view op;
    std::size_t data;
    std::size_t weight;
    Tells tells;
};

using Tells = Teller::Tells;

constexpr std::array Tellers{
    Teller{"aten::embedding", 1, 0, Tells::IndexRange},
    Teller{"aten::embedding_bag", 1, 0, Tells::IndexRange},
    Teller{"aten::linear", 0, 1, Tells::LastDimension},
    Teller{"aten::layer_norm", 0, 2, Tells::NormalizedShape},
    Teller{"aten::rms_norm", 0, 2, Tells::NormalizedShape},
    Teller{"aten::conv1d", 0, 1, Tells::Channels},
    Teller{"aten::conv2d", 0, 1, Tells::Channels},
    Teller{"aten::conv3d", 0, 1, Tells::Channels},
    Teller{"aten::conv_transpose1d", 0, 1, Tells::TransposedChannels},
    Teller{"aten::conv_transpose2d", 0, 1, Tells::TransposedChannels},
    Teller{"aten::conv_transpose3d", 0, 1, Tells::TransposedChannels},
};

/// A traced convolution of either kind is one operator: only its module's class tells which.
std::optional<Teller> tracedConvolution(const graph::Node &node)
{
    if (node.op != "aten::_convolution" && node.op != "aten::convolution")
        return std::nullopt;
    if (node.className.starts_with("ConvTranspose"))
        return Teller{node.op, 0, 1, Tells::TransposedChannels};
    if (node.className == "Conv1d" || node.className == "Conv2d" || node.className == "Conv3d")
        return Teller{node.op, 0, 1, Tells::Channels};
    return std::nullopt;
}

std::optional<Teller> tellerOf(const graph::Node &node)
{
    const auto found =
        std::find_if(Tellers.begin(), Tellers.end(), [&](const Teller &one) { return one.op == node.op; });
    return found != Tellers.end() ? std::optional(*found) : tracedConvolution(node);
}

struct Use
{
    const graph::Node *node = nullptr;
    ValueId value; ///< the argument itself, or what it was passed on as
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
            return std::find(node.uses.begin(), node.uses.end(), alias.value) != node.uses.end();
        });
        if (found == same.end())
            continue;
        const Alias taken = *found;
        uses.push_back({&node, taken.value, taken.sameShape});
        if (passesOn(node.op) && !node.outputs.empty() && !node.operands.empty() &&
            node.operands.front() == taken.value)
            same.push_back({node.outputs.front(), taken.sameShape && keepsShape(node.op)});
    }
    return uses;
}

const graph::Parameter *parameterAt(const graph::ModelGraph &graph, const graph::Node &node, std::size_t operand)
{
    if (operand >= node.operands.size())
        return nullptr;
    const auto found =
        std::find_if(graph.parameters.begin(), graph.parameters.end(), [&](const graph::Parameter &parameter) {
            return parameter.value.valid() && parameter.value == node.operands[operand];
        });
    return found == graph.parameters.end() ? nullptr : &*found;
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

std::optional<InputProposal> fromRows(const graph::Argument &argument, const graph::Parameter &weight)
{
    if (weight.tensor.sizes.size() != 2)
        return std::nullopt;
    TensorSpec tensor;
    tensor.dtype = "int64";
    tensor.sizes = {Rows, Length};
    tensor.high = weight.tensor.sizes[0];
    return proposal(argument, std::move(tensor), weight, InputProposal::Basis::Index);
}

InputProposal fromLastDimensions(const graph::Argument &argument, const graph::Parameter &weight,
                                 std::vector<std::int64_t> last)
{
    last.insert(last.begin(), Rows);
    return proposal(argument, floats(weight, std::move(last)), weight, InputProposal::Basis::LastDimension);
}

std::optional<InputProposal> fromChannels(const graph::Argument &argument, const graph::Parameter &weight,
                                          std::size_t dimension)
{
    if (weight.tensor.sizes.size() < 3)
        return std::nullopt;
    std::vector<std::int64_t> sizes{Rows, weight.tensor.sizes[dimension]};
    sizes.resize(weight.tensor.sizes.size(), Side);
    return proposal(argument, floats(weight, std::move(sizes)), weight, InputProposal::Basis::Channels);
}

std::optional<InputProposal> fromUse(const graph::ModelGraph &graph, const graph::Argument &argument, const Use &use)
{
    const std::optional<Teller> teller = tellerOf(*use.node);
    if (!teller || teller->data >= use.node->operands.size() || use.node->operands[teller->data] != use.value)
        return std::nullopt;
    const graph::Parameter *weight = parameterAt(graph, *use.node, teller->weight);
    if (weight == nullptr || weight->tensor.sizes.empty() || (!use.sameShape && teller->tells != Tells::IndexRange))
        return std::nullopt;
    const std::vector<std::int64_t> &sizes = weight->tensor.sizes;
    switch (teller->tells) {
    case Tells::IndexRange:
        return fromRows(argument, *weight);
    case Tells::LastDimension:
        return sizes.size() == 2 ? std::optional(fromLastDimensions(argument, *weight, {sizes[1]})) : std::nullopt;
    case Tells::NormalizedShape:
        return fromLastDimensions(argument, *weight, sizes);
    case Tells::Channels:
        return fromChannels(argument, *weight, 1);
    case Tells::TransposedChannels:
        return fromChannels(argument, *weight, 0);
    }
    return std::nullopt;
}

/// By the first operator that tells of it; indices by the embedding with the fewest rows of all that take them.
std::optional<InputProposal> proposalFor(const graph::ModelGraph &graph, const graph::Argument &argument)
{
    std::optional<InputProposal> first;
    for (const Use &use : usesOf(graph, argument.value)) {
        std::optional<InputProposal> made = fromUse(graph, argument, use);
        if (!made)
            continue;
        const auto high = [](const InputProposal &one) { return std::get<TensorSpec>(one.input.value.node).high; };
        const bool hasFewerRows = first && first->basis == InputProposal::Basis::Index && made->basis == first->basis &&
                                  high(*made) < high(*first);
        if (!first || hasFewerRows)
            first = std::move(made);
    }
    return first;
}

} // namespace

std::vector<InputProposal> proposeInputs(const graph::ModelGraph &graph)
{
    std::vector<InputProposal> proposals;
    for (const graph::Argument &argument : graph.arguments) {
        if (argument.hasDefault || argument.type != "Tensor" || !argument.value.valid())
            continue;
        if (std::optional<InputProposal> made = proposalFor(graph, argument))
            proposals.push_back(*std::move(made));
    }
    return proposals;
}

} // namespace pipescope::plan

#include "plan/propose_inputs.h"

#include "ops/operator.h"

#include <algorithm>
#include <optional>

namespace pipescope::plan {

namespace {

constexpr std::int64_t Rows = 8;
constexpr std::int64_t Length = 16;
constexpr std::int64_t Side = 32;

using ops::Tells;

/// A traced convolution of either kind is one operator: only its module's class tells which.
std::optional<Tells> tracedConvolution(const graph::Node &node, Tells tells)
{
    if (node.className.starts_with("ConvTranspose"))
        tells.of = Tells::Of::TransposedChannels;
    else if (node.className == "Conv1d" || node.className == "Conv2d" || node.className == "Conv3d")
        tells.of = Tells::Of::Channels;
    else
        return std::nullopt;
    return tells;
}

/// Which operand of the node is told of by which, if any is.
std::optional<Tells> tellsOf(const graph::Node &node)
{
    const std::optional<Tells> &tells = ops::of(node).tells;
    return tells && tells->of == Tells::Of::ChannelsByClass ? tracedConvolution(node, *tells) : tells;
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
        const ops::Keeps keeps = ops::of(node).keeps;
        const bool passesOn = keeps == ops::Keeps::Values || keeps == ops::Keeps::All;
        if (passesOn && !node.outputs.empty() && !node.operands.empty() && node.operands.front() == taken.value)
            same.push_back({node.outputs.front(), taken.sameShape && keeps == ops::Keeps::All});
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
    const std::optional<Tells> tells = tellsOf(*use.node);
    if (!tells || tells->data >= use.node->operands.size() || use.node->operands[tells->data] != use.value)
        return std::nullopt;
    const graph::Parameter *weight = parameterAt(graph, *use.node, tells->weight);
    if (weight == nullptr || weight->tensor.sizes.empty() || (!use.sameShape && tells->of != Tells::Of::IndexRange))
        return std::nullopt;
    const std::vector<std::int64_t> &sizes = weight->tensor.sizes;
    switch (tells->of) {
    case Tells::Of::IndexRange:
        return fromRows(argument, *weight);
    case Tells::Of::LastDimension:
        return sizes.size() == 2 ? std::optional(fromLastDimensions(argument, *weight, {sizes[1]})) : std::nullopt;
    case Tells::Of::LastDimensions:
        return fromLastDimensions(argument, *weight, sizes);
    case Tells::Of::Channels:
        return fromChannels(argument, *weight, 1);
    case Tells::Of::TransposedChannels:
        return fromChannels(argument, *weight, 0);
    case Tells::Of::ChannelsByClass: // decided above
        break;
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

#include "plan/propose_inputs.h"

#include "ops/operator.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace pipescope::plan {

namespace {

constexpr std::int64_t Rows = 8;
constexpr std::int64_t Length = 16;
constexpr std::int64_t Side = 32;
constexpr std::int64_t PictureSide = 224;   // of a picture with three colours
constexpr std::int64_t SoundLength = 16000; // of one channel: a second

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
    bool sameValues = true;
};

/// Whether each element of the result is made of the element of `value` at its place: no other operand was computed.
bool isPointwiseOf(const graph::ModelGraph &graph, const graph::Node &node, ValueId value)
{
    const std::optional<ops::Flops> &flops = ops::of(node).flops;
    return flops && flops->rule == ops::FlopRule::PerOutput &&
           std::all_of(node.operands.begin(), node.operands.end(), [&](ValueId operand) {
               const graph::ValueKind kind = graph.value(operand).kind;
               return operand == value || (kind != graph::ValueKind::Result && kind != graph::ValueKind::Input);
           });
}

/// Who takes the argument, itself or passed on, in program order.
std::vector<Use> usesOf(const graph::ModelGraph &graph, ValueId argument)
{
    struct Alias
    {
        ValueId value;
        bool sameShape;
        bool sameValues;
    };
    std::vector<Alias> same{{argument, true, true}};
    std::vector<Use> uses;
    for (const graph::Node &node : graph.nodes) {
        const auto found = std::find_if(same.begin(), same.end(), [&](const Alias &alias) {
            return std::find(node.uses.begin(), node.uses.end(), alias.value) != node.uses.end();
        });
        if (found == same.end())
            continue;
        const Alias taken = *found;
        uses.push_back({&node, taken.value, taken.sameShape, taken.sameValues});
        if (node.outputs.empty() || node.operands.empty())
            continue;
        const ops::Keeps keeps = ops::of(node).keeps;
        const bool passesOn = keeps == ops::Keeps::Values || keeps == ops::Keeps::All;
        if (passesOn && node.operands.front() == taken.value)
            same.push_back({node.outputs.front(), taken.sameShape && keeps == ops::Keeps::All, taken.sameValues});
        else if (isPointwiseOf(graph, node, taken.value))
            same.push_back({node.outputs.front(), taken.sameShape, false});
    }
    return uses;
}

const graph::Parameter *parameterOf(const graph::ModelGraph &graph, ValueId value)
{
    const auto found =
        std::find_if(graph.parameters.begin(), graph.parameters.end(), [&](const graph::Parameter &parameter) {
            return parameter.value.valid() && parameter.value == value;
        });
    return found == graph.parameters.end() ? nullptr : &*found;
}

/// A parameter as a node is given it: itself, or transposed.
struct Weight
{
    const graph::Parameter *parameter = nullptr;
    std::vector<std::int64_t> sizes;
};

Weight weightAt(const graph::ModelGraph &graph, const graph::Node &node, std::size_t operand)
{
    if (operand >= node.operands.size())
        return {};
    const ValueId value = node.operands[operand];
    if (const graph::Parameter *parameter = parameterOf(graph, value))
        return {parameter, parameter->tensor.sizes};
    const NodeId producer = graph.value(value).producer;
    if (!producer.valid() || ops::of(graph.node(producer)).keeps != ops::Keeps::Transposed)
        return {};
    const graph::Parameter *parameter = parameterOf(graph, graph.node(producer).operands.front());
    if (parameter == nullptr)
        return {};
    return {parameter, {parameter->tensor.sizes.rbegin(), parameter->tensor.sizes.rend()}};
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
    const std::int64_t channels = weight.tensor.sizes[dimension];
    const std::size_t dimensions = weight.tensor.sizes.size();
    std::vector<std::int64_t> sizes{Rows, channels};
    sizes.resize(dimensions, dimensions == 4 && channels == 3   ? PictureSide
                             : dimensions == 3 && channels == 1 ? SoundLength
                                                                : Side);
    return proposal(argument, floats(weight, std::move(sizes)), weight, InputProposal::Basis::Channels);
}

std::optional<InputProposal> fromUse(const graph::ModelGraph &graph, const graph::Argument &argument, const Use &use)
{
    const std::optional<Tells> tells = tellsOf(*use.node);
    if (!tells || tells->data >= use.node->operands.size() || use.node->operands[tells->data] != use.value)
        return std::nullopt;
    const Weight weight = weightAt(graph, *use.node, tells->weight);
    const bool keepsWhatIsTold = tells->of == Tells::Of::IndexRange ? use.sameValues : use.sameShape;
    if (weight.parameter == nullptr || weight.sizes.empty() || !keepsWhatIsTold)
        return std::nullopt;
    const graph::Parameter &parameter = *weight.parameter;
    const std::vector<std::int64_t> &sizes = weight.sizes;
    switch (tells->of) {
    case Tells::Of::IndexRange:
        return fromRows(argument, parameter);
    case Tells::Of::LastDimension:
        return sizes.size() == 2 ? std::optional(fromLastDimensions(argument, parameter, {sizes[1]})) : std::nullopt;
    case Tells::Of::LastDimensions:
        return fromLastDimensions(argument, parameter, sizes);
    case Tells::Of::InnerDimension:
        return sizes.size() == 2 ? std::optional(fromLastDimensions(argument, parameter, {sizes[0]})) : std::nullopt;
    case Tells::Of::Channels:
        return fromChannels(argument, parameter, 1);
    case Tells::Of::TransposedChannels:
        return fromChannels(argument, parameter, 0);
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

std::string guessedSizes(const InputProposal &proposal)
{
    const std::vector<std::int64_t> &sizes = std::get<TensorSpec>(proposal.input.value.node).sizes;
    switch (proposal.basis) {
    case InputProposal::Basis::Index:
        return fmt::format("{}", fmt::join(sizes, " x "));
    case InputProposal::Basis::LastDimension:
        return fmt::format("{} rows", sizes.front());
    case InputProposal::Basis::Channels:
        break;
    }
    return fmt::format("{} rows and {} of {}", sizes.front(), sizes.size() > 3 ? "sides" : "a length", sizes.back());
}

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

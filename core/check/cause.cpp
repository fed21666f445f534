#include "check/cause.h"

#include "check/bookkeeping.h"
#include "exec/written_values.h"
#include "ops/operator.h"

#include <algorithm>
#include <variant>

namespace pipescope::check {

namespace {

// Whether a node or anything inside it satisfies a test of its operator.
template <class Test>
bool anyOperator(const graph::ModelGraph &graph, const graph::Node &node, Test test)
{
    return test(ops::of(node)) || std::any_of(node.children.begin(), node.children.end(), [&](NodeId child) {
               return anyOperator(graph, graph.node(child), test);
           });
}

auto dependsBy(ops::Batch batch)
{
    return [batch](const ops::Operator &op) { return op.batch == batch; };
}

// By value what it may share memory with, and what it was computed from where that is nothing but bookkeeping. A size
// tells nothing of what is in a tensor.
std::vector<std::vector<ValueId>> sourcesOf(const graph::ModelGraph &graph)
{
    const std::vector<bool> bookkeeping = bookkeepingValues(graph);
    std::vector<std::vector<ValueId>> sources(graph.values.size());
    for (const graph::Node &node : graph.nodes) {
        for (const graph::Alias &alias : node.aliases)
            sources[alias.output.index()].push_back(alias.input);
        const bool tellsSizes = ops::of(node).role == ops::Role::TellsSizes;
        for (const ValueId output : node.outputs)
            for (const ValueId input : node.uses)
                if (bookkeeping[output.index()] && !(tellsSizes && graph.value(input).holdsTensors))
                    sources[output.index()].push_back(input);
    }
    return sources;
}

// State among what a value comes from: one of `written` (ascending), or a number that was read from an attribute. A
// tensor that is read so has been compared where it was read.
std::optional<StateRead> stateBehind(const graph::ModelGraph &graph, const std::vector<std::vector<ValueId>> &sources,
                                     ValueId value, const std::vector<ValueId> &written)
{
    std::vector<bool> seen(sources.size());
    std::vector<ValueId> pending{value};
    while (!pending.empty()) {
        const graph::Value &here = graph.value(pending.back());
        pending.pop_back();
        if (seen[here.id.index()])
            continue;
        seen[here.id.index()] = true;
        if (std::binary_search(written.begin(), written.end(), here.id))
            return StateRead{here.name, {}};
        if (here.producer.valid() && !here.holdsTensors && !graph.node(here.producer).stateRead.empty())
            return StateRead{graph.node(here.producer).stateRead.front(), here.producer};
        pending.insert(pending.end(), sources[here.id.index()].begin(), sources[here.id.index()].end());
    }
    return std::nullopt;
}

// Whether it, or one of a list of them, is such a whole number.
template <class Test>
std::optional<std::int64_t> findWhole(const graph::Literal &literal, Test test)
{
    if (const auto *number = std::get_if<std::int64_t>(&literal.is); number != nullptr && test(*number))
        return *number;
    if (const auto *list = std::get_if<graph::Literal::List>(&literal.is))
        for (const graph::Literal &item : *list)
            if (const auto found = findWhole(item, test))
                return found;
    return std::nullopt;
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
        const ops::Keeps keeps = ops::of(node).keeps;
        const bool passes = !node.aliases.empty() || keeps == ops::Keeps::All || keeps == ops::Keeps::Shape;
        if (!passes || node.operands.empty() || !node.operands.front().valid())
            return false;
        value = node.operands.front();
    }
    return false;
}

} // namespace

std::optional<StateRead> stateReadBy(const import::ImportedModel &model, const graph::Node &node)
{
    if (!node.stateRead.empty())
        return StateRead{node.stateRead.front(), node.id};
    std::vector<ValueId> written = exec::writtenInPlace(model.graph);
    std::erase_if(written, [&](ValueId id) {
        const auto held = model.held.find(id);
        return held == model.held.end() || held->second.isModule();
    });
    const auto sources = sourcesOf(model.graph);
    for (const ValueId input : node.uses)
        if (std::optional<StateRead> found = stateBehind(model.graph, sources, input, written)) {
            if (!found->reader.valid())
                found->reader = node.id;
            return found;
        }
    return std::nullopt;
}

std::optional<std::int64_t> batchConstant(const graph::ModelGraph &graph, const BatchDependence &dependence,
                                          std::int64_t rows)
{
    const graph::Node &node = graph.at(dependence.position);
    if (rows < 2 || !(dependence.shapeOnly || ops::of(node).keeps == ops::Keeps::Values))
        return std::nullopt;
    const auto isRows = [rows](std::int64_t number) { return number == rows; };
    const auto isMultiple = [rows](std::int64_t number) { return number > rows && number % rows == 0; };
    const auto findIn = [&](auto test) -> std::optional<std::int64_t> {
        for (const ValueId operand : node.operands)
            if (operand.valid() && graph.value(operand).literal)
                if (const auto found = findWhole(*graph.value(operand).literal, test))
                    return found;
        return std::nullopt;
    };
    const auto exact = findIn(isRows);
    return exact ? exact : findIn(isMultiple);
}

bool quantizesDynamically(const graph::ModelGraph &graph)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const graph::Node &node) { return ops::of(node).batch == ops::Batch::DynamicRange; });
}

bool seedsBefore(const graph::ModelGraph &graph, int position)
{
    const auto isSeed = [](const ops::Operator &op) { return op.role == ops::Role::Seeds; };
    for (int before = 0; before <= position; ++before)
        if (anyOperator(graph, graph.at(before), isSeed))
            return true;
    return false;
}

report::Cause classify(const import::ImportedModel &model, const BatchDependence &dependence,
                       const std::vector<bool> &argumentWasCut)
{
    const graph::Node &node = model.graph.at(dependence.position);
    if (!node.stateRead.empty())
        return report::Cause::State;
    if (anyOperator(model.graph, node, dependsBy(ops::Batch::DynamicRange)))
        return report::Cause::DynamicQuantization;
    if (anyOperator(model.graph, node, dependsBy(ops::Batch::Statistics)))
        return report::Cause::BatchStatistics;
    if (node.random)
        return report::Cause::Random;
    if (stateReadBy(model, node))
        return report::Cause::State;
    if (ops::of(node).batch == ops::Batch::DropsOnes)
        return report::Cause::Squeeze;
    if (!node.children.empty())
        return report::Cause::BatchBranch;
    const bool takesCutArgument = std::any_of(
        node.uses.begin(), node.uses.end(), [&](ValueId id) { return isCutArgument(model.graph, id, argumentWasCut); });
    const auto tensors = std::count_if(node.uses.begin(), node.uses.end(), [&](ValueId id) {
        const graph::Value &value = model.graph.value(id);
        return value.holdsTensors && value.kind != graph::ValueKind::Constant;
    });
    return takesCutArgument && tensors > 1 ? report::Cause::InputNotRows : report::Cause::BatchReduction;
}

std::string_view causeText(report::Cause cause)
{
    switch (cause) {
    case report::Cause::State:
        return "reads state that earlier calls changed: every microbatch starts where the one before ended";
    case report::Cause::BatchReduction:
        return "mixes rows of the batch: its result for a microbatch is not those rows of the whole batch's result";
    case report::Cause::BatchBranch:
        return "goes another way, or round another number of times, for a microbatch than for the whole batch";
    case report::Cause::BatchStatistics:
        return "normalises with statistics of the rows it is given: each microbatch has its own";
    case report::Cause::DynamicQuantization:
        return "quantizes dynamically: its range is taken over all rows it is given, so each microbatch has its own "
               "scale";
    case report::Cause::Squeeze:
        return "drops dimensions of size one, the batch dimension too where a microbatch has one row";
    case report::Cause::InputNotRows:
        return "combines rows with an input that was cut and is not made of rows; give it `replicate` as chunk spec";
    case report::Cause::FixedBatch:
        return "has the number of rows of the whole batch as a constant, as tracing leaves it: a microbatch's rows "
               "become "
               "other rows; write the input's size or -1 in its place";
    case report::Cause::Random:
        return "draws random numbers, other ones for each microbatch than for the whole batch";
    case report::Cause::None:
    case report::Cause::Unknown:
        break;
    }
    return "gives another result for microbatches than for the whole batch";
}

} // namespace pipescope::check

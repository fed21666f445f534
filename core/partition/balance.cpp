#include "partition/balance.h"

#include "graph/held_tensors.h"
#include "partition/cut.h"
#include "partition/cut_path.h"
#include "partition/few_places.h"
#include "partition/part_limits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <set>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::Node;
using graph::Value;

// Costs as whole numbers, so that equal loads compare equal however they are summed. Scaling by a power of two keeps
// whole numbers (bytes, FLOPs) exact.
std::vector<std::int64_t> wholeUnits(const std::vector<double> &costs, double total)
{
    if (total == 0)
        return std::vector<std::int64_t>(costs.size(), 1);
    int exponent = 0;
    std::frexp(total, &exponent);
    std::vector<std::int64_t> units;
    units.reserve(costs.size());
    for (const double cost : costs)
        units.push_back(std::llround(std::ldexp(cost, 52 - exponent)));
    return units;
}

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

std::vector<double> nodeCosts(const ModelGraph &graph)
{
    std::vector<double> costs;
    const auto fill = [&](std::optional<double> Node::*cost) {
        const bool known = std::any_of(graph.order.begin(), graph.order.end(),
                                       [&](NodeId id) { return (graph.node(id).*cost).has_value(); });
        if (known) {
            for (const NodeId id : graph.order)
                costs.push_back((graph.node(id).*cost).value_or(0));
        }
        return known;
    };
    if (fill(&Node::seconds) || fill(&Node::flops))
        return costs;
    const std::vector<std::int64_t> bytes = graph::weightBytes(graph);
    for (const NodeId id : graph.order) {
        const std::set<ValueId> inputs(graph.node(id).uses.begin(), graph.node(id).uses.end());
        costs.push_back(std::accumulate(inputs.begin(), inputs.end(), 1.0, [&](double sum, ValueId value) {
            return sum + static_cast<double>(bytes[value.index()]);
        }));
    }
    return costs;
}

// Per value, what it takes to send it; 0 for what no stage sends another.
std::vector<std::int64_t> sentBytes(const ModelGraph &graph)
{
    const auto isSent = [](const Value &value) { return value.kind == graph::ValueKind::Result && value.holdsTensors; };
    const bool measured = std::all_of(graph.values.begin(), graph.values.end(), [&](const Value &value) {
        return !isSent(value) || value.bytes || value.tensor;
    });
    std::vector<std::int64_t> bytes(graph.values.size());
    for (const Value &value : graph.values) {
        if (isSent(value))
            bytes[value.id.index()] = !measured ? 1 : value.bytes ? *value.bytes : value.tensor->bytes;
    }
    return bytes;
}

std::vector<Receipt> receiptsOf(const ModelGraph &graph, const std::vector<int> &allowed)
{
    const auto pointAfter = [&](int position) {
        return 1 + static_cast<int>(std::upper_bound(allowed.begin(), allowed.end(), position) - allowed.begin());
    };
    const std::vector<std::int64_t> bytes = sentBytes(graph);
    std::vector<int> since(graph.values.size()); // by value: the first point after it was made or used last
    std::vector<Receipt> receipts;
    for (int position = 0; position < graph.size(); ++position) {
        const Node &node = graph.at(position);
        const int point = pointAfter(position);
        for (const ValueId input : node.uses) {
            int &known = since[input.index()];
            if (bytes[input.index()] > 0 && known < point)
                receipts.push_back({known, point, bytes[input.index()]});
            known = point;
        }
        for (const ValueId output : node.outputs)
            since[output.index()] = point;
    }
    return receipts;
}

// How many module calls each cut goes through; by position.
std::vector<int> callDepths(const ModelGraph &graph)
{
    std::vector<int> depths(static_cast<std::size_t>(graph.size()) + 2);
    for (const graph::ModuleCall &call : graph.calls) {
        if (call.inside.valid() || call.end <= call.begin)
            continue;
        ++depths[static_cast<std::size_t>(call.begin) + 1];
        --depths[static_cast<std::size_t>(call.end)];
    }
    std::partial_sum(depths.begin(), depths.end(), depths.begin());
    return depths;
}

Result<Chain> chainOf(const std::vector<double> &costs, const std::vector<int> &allowed, int stages)
{
    if (stages < 1)
        return invalid(fmt::format("{} stages are not possible: at least 1 is needed", stages));
    if (static_cast<std::size_t>(stages) > allowed.size() + 1)
        return invalid(fmt::format("{} stages are not possible: {}, so the most is {}", stages,
                                   allowed.empty()       ? std::string("there is no place to cut at")
                                   : allowed.size() == 1 ? std::string("there is 1 place to cut at")
                                                         : fmt::format("there are {} places to cut at", allowed.size()),
                                   allowed.size() + 1));
    double total = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        total += costs[i];
        if (!(costs[i] >= 0) || !std::isfinite(total))
            return invalid(
                fmt::format("the cost of node {} is {}; costs must be finite and not negative", i, costs[i]));
    }
    std::vector<std::int64_t> sums{0};
    for (const std::int64_t units : wholeUnits(costs, total))
        sums.push_back(sums.back() + units);
    Chain chain{{0}, std::vector<int>(allowed.size() + 2), {}};
    for (const int position : allowed)
        chain.loads.push_back(sums[static_cast<std::size_t>(position)]);
    chain.loads.push_back(sums.back());
    return chain;
}

Error withReason(Error error, const ModelGraph &graph, const std::vector<Cut> &cuts, int stages, std::size_t places)
{
    const std::string why = whyFewPlaces(graph, cuts);
    if (static_cast<std::size_t>(std::max(stages, 0)) > places + 1 && !why.empty())
        error.message += fmt::format("; {}", why);
    return error;
}

std::vector<int> cutsOf(const Chain &chain, const std::vector<int> &allowed, PartLimits limits, int stages)
{
    std::vector<int> cuts = cheapestPath(chain, limits, stages);
    for (int &cut : cuts)
        cut = allowed[static_cast<std::size_t>(cut) - 1];
    return cuts;
}

} // namespace

Result<std::vector<int>> balance(const std::vector<double> &costs, const std::vector<int> &allowed, int stages)
{
    const Result<Chain> chain = chainOf(costs, allowed, stages);
    if (!chain)
        return chain.error();
    return cutsOf(*chain, allowed, {0, smallestLargest(chain->loads, stages)}, stages);
}

Result<std::vector<int>> balanceStages(const ModelGraph &graph, int stages)
{
    const std::vector<Cut> cuts = allCuts(graph);
    std::vector<int> allowed;
    for (const Cut &cut : cuts) {
        if (cut.legal)
            allowed.push_back(cut.position);
    }
    Result<Chain> chain = chainOf(nodeCosts(graph), allowed, stages);
    if (!chain)
        return withReason(chain.error(), graph, cuts, stages, allowed.size());
    const std::vector<int> depths = callDepths(graph);
    for (std::size_t i = 0; i < allowed.size(); ++i)
        chain->depths[i + 1] = depths[static_cast<std::size_t>(allowed[i])];
    chain->receipts = receiptsOf(graph, allowed);
    const std::int64_t slowest = smallestLargest(chain->loads, stages);
    const std::int64_t most = slowest + slowest * balanceTolerancePercent / 100;
    const std::int64_t lightest = largestSmallest(chain->loads, most, stages);
    return cutsOf(*chain, allowed, {lightest - lightest * lightestTolerancePercent / 100, most}, stages);
}

} // namespace pipescope::partition

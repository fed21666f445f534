#include "partition/balance.h"

#include "partition/cut.h"

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

__extension__ typedef __int128 Square; // NOLINT(modernize-use-using): __extension__ takes no using

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

// The smallest limit with which `stages` parts suffice. Cutting a part in two never makes the largest one larger, so
// "at most `stages` parts" is enough to ask.
std::int64_t smallestLargest(const std::vector<std::int64_t> &prefix, int stages)
{
    std::int64_t low = 0;
    for (std::size_t i = 1; i < prefix.size(); ++i)
        low = std::max(low, prefix[i] - prefix[i - 1]);
    std::int64_t high = prefix.back();
    while (low < high) {
        const std::int64_t limit = low + (high - low) / 2;
        auto reached = prefix.begin();
        int parts = 0;
        for (; parts < stages && reached + 1 != prefix.end(); ++parts)
            reached = std::upper_bound(reached, prefix.end(), *reached + limit) - 1;
        if (reached + 1 == prefix.end())
            high = limit;
        else
            low = limit + 1;
    }
    return low;
}

// The cheapest ways to cover points 0..j with a given number of parts, for j in [first, first + cost.size()).
struct Layer
{
    int first = 0;
    std::vector<Square> cost;
    std::vector<int> from; // the last point before j on the way, the latest among equals
};

// Layer after layer, smallest sum of squares with no part above the limit. Squared loads under a limit are Monge, so
// the best `from` never goes back as j grows and the middle row halves the search of both sides.
class EvenPaths
{
public:
    EvenPaths(const std::vector<std::int64_t> &prefix, std::int64_t limit)
        : m_prefix(prefix)
        , m_limit(limit)
    {
    }

    std::vector<int> best(int stages)
    {
        m_layers.assign(1, {0, {0}, {0}});
        const int last = static_cast<int>(m_prefix.size()) - 1;
        for (int parts = 1; parts <= stages; ++parts)
            addLayer(parts, last - (stages - parts));
        std::vector<int> points;
        int point = last;
        for (int parts = stages; parts > 1; --parts) {
            const Layer &layer = m_layers[static_cast<std::size_t>(parts)];
            point = layer.from[static_cast<std::size_t>(point - layer.first)];
            points.push_back(point);
        }
        std::reverse(points.begin(), points.end());
        return points;
    }

private:
    void addLayer(int parts, int farthest)
    {
        const Layer &before = m_layers.back();
        const int lastBefore = before.first + static_cast<int>(before.cost.size()) - 1;
        int reach = lastBefore;
        while (reach < farthest && load(lastBefore, reach + 1) <= m_limit)
            ++reach;
        const auto count = static_cast<std::size_t>(reach - parts + 1);
        m_layers.push_back({parts, std::vector<Square>(count), std::vector<int>(count)});
        solve(parts, reach, parts - 1, lastBefore);
    }

    // Rows [low, high] of the newest layer, whose best points lie in [fromLow, fromHigh].
    void solve(int low, int high, int fromLow, int fromHigh)
    {
        if (low > high)
            return;
        const Layer &before = m_layers[m_layers.size() - 2];
        Layer &layer = m_layers.back();
        const int row = low + (high - low) / 2;
        int from = -1;
        Square cost = 0;
        for (int i = std::min(fromHigh, row - 1); i >= fromLow && load(i, row) <= m_limit; --i) {
            const Square through =
                before.cost[static_cast<std::size_t>(i - before.first)] + Square(load(i, row)) * load(i, row);
            if (from < 0 || through < cost) {
                from = i;
                cost = through;
            }
        }
        PIPESCOPE_ASSERT(from >= 0);
        layer.cost[static_cast<std::size_t>(row - layer.first)] = cost;
        layer.from[static_cast<std::size_t>(row - layer.first)] = from;
        solve(low, row - 1, fromLow, from);
        solve(row + 1, high, from, fromHigh);
    }

    std::int64_t load(int from, int to) const
    {
        return m_prefix[static_cast<std::size_t>(to)] - m_prefix[static_cast<std::size_t>(from)];
    }

    const std::vector<std::int64_t> &m_prefix; // by point
    std::int64_t m_limit;
    std::vector<Layer> m_layers; // by number of parts
};

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
    std::vector<std::int64_t> bytes(graph.values.size());
    for (const graph::Parameter &parameter : graph.parameters) {
        if (parameter.value.valid() && !parameter.isBuffer)
            bytes[parameter.value.index()] = parameter.tensor.bytes;
    }
    for (const NodeId id : graph.order) {
        const std::set<ValueId> inputs(graph.node(id).inputs.begin(), graph.node(id).inputs.end());
        costs.push_back(std::accumulate(inputs.begin(), inputs.end(), 1.0, [&](double sum, ValueId value) {
            return sum + static_cast<double>(bytes[value.index()]);
        }));
    }
    return costs;
}

} // namespace

Result<std::vector<int>> balance(const std::vector<double> &costs, const std::vector<int> &allowed, int stages)
{
    if (stages < 1)
        return invalid(fmt::format("{} stages are not possible: at least 1 is needed", stages));
    if (static_cast<std::size_t>(stages) > allowed.size() + 1)
        return invalid(fmt::format("{} stages are not possible: there are {} places to cut at, so the most is {}",
                                   stages, allowed.size(), allowed.size() + 1));
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
    std::vector<std::int64_t> prefix{0}; // by point: the start, each allowed position, the end
    for (const int position : allowed)
        prefix.push_back(sums[static_cast<std::size_t>(position)]);
    prefix.push_back(sums.back());
    std::vector<int> cuts = EvenPaths(prefix, smallestLargest(prefix, stages)).best(stages);
    for (int &cut : cuts)
        cut = allowed[static_cast<std::size_t>(cut) - 1];
    return cuts;
}

Result<std::vector<int>> balanceStages(const ModelGraph &graph, int stages)
{
    std::vector<int> allowed;
    for (const Cut &cut : allCuts(graph)) {
        if (cut.legal)
            allowed.push_back(cut.position);
    }
    return balance(nodeCosts(graph), allowed, stages);
}

} // namespace pipescope::partition

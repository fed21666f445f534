#include "trace/trace_feeds.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace pipescope::trace {

namespace {

using Edge = schedule::Feeds::Edge;

bool isTransfer(const Event &event)
{
    return event.kind == EventKind::Send || event.kind == EventKind::Receive;
}

/// Between two different stages of the trace, the earlier one first.
bool isEdge(const Edge &edge, int stages)
{
    return edge.from.valid() && edge.from < edge.to && edge.to.value < stages;
}

std::vector<Edge> edgesOfTransfers(const Trace &trace)
{
    std::set<Edge> edges; // few, however long the run
    for (const Event &event : trace.events) {
        const bool isInput = event.kind == EventKind::Wait && event.cause == WaitCause::Input;
        const auto [from, to] = std::minmax(event.stage, event.peer);
        if ((isTransfer(event) || isInput) && hasRank(trace, event.rank))
            if (const Edge edge{from, to}; isEdge(edge, trace.stages))
                edges.insert(edge);
    }
    return {edges.begin(), edges.end()};
}

} // namespace

bool hasTransfers(const Trace &trace)
{
    return std::any_of(trace.events.begin(), trace.events.end(),
                       [&](const Event &event) { return isTransfer(event) && hasRank(trace, event.rank); });
}

schedule::Feeds feedsOf(const Trace &trace)
{
    const int stages = std::max(0, trace.stages);
    if (trace.feeds) {
        std::vector<Edge> edges;
        std::copy_if(trace.feeds->begin(), trace.feeds->end(), std::back_inserter(edges),
                     [&](const Edge &edge) { return isEdge(edge, stages); });
        return {stages, std::move(edges)};
    }
    if (!hasTransfers(trace))
        return schedule::Feeds::chain(stages);
    return {stages, edgesOfTransfers(trace)};
}

std::vector<schedule::Feeds::Edge> edgesOf(const schedule::Feeds &feeds)
{
    std::vector<Edge> edges;
    for (StageId from{0}; from.value < feeds.stages(); ++from.value)
        for (const StageId to : feeds.consumersOf(from))
            edges.push_back({from, to});
    return edges;
}

} // namespace pipescope::trace

// Time per node from the marks of a running program: between two marks the node begun last is at work.
#pragma once

#include "base/clock.h"
#include "exec/stage_program.h"

#include <chrono>
#include <utility>
#include <vector>

namespace pipescope::exec {

/// For one run on one thread, which it is handed to as observer.
class NodeClock final : public NodeObserver
{
public:
    explicit NodeClock(const graph::ModelGraph &graph, Clock clock = std::chrono::steady_clock::now)
        : m_graph(graph)
        , m_clock(std::move(clock))
        , m_own(graph.nodes.size())
    {
    }

    void nodeBegins(NodeId node) override { turnTo(node); }
    /// To be called when the run is over.
    void stop() { turnTo(NodeId{}); }

    /// Seconds by NodeId: an if or loop takes what its blocks take, over all iterations; 0 for what did not run.
    [[nodiscard]] std::vector<double> seconds() const;

private:
    void turnTo(NodeId node);

    const graph::ModelGraph &m_graph;
    const Clock m_clock;
    NodeId m_current;
    std::chrono::steady_clock::time_point m_since;
    std::vector<std::chrono::nanoseconds> m_own;
};

} // namespace pipescope::exec

#include "exec/node_clock.h"

namespace pipescope::exec {

void NodeClock::turnTo(NodeId node)
{
    const auto now = m_clock();
    if (m_current.valid())
        m_own[m_current.index()] += now - m_since;
    m_current = node;
    m_since = now;
}

std::vector<double> NodeClock::seconds() const
{
    std::vector<double> total(m_own.size());
    for (const graph::Node &node : m_graph.nodes) {
        const double own = std::chrono::duration<double>(m_own[node.id.index()]).count();
        for (NodeId holder = node.id; holder.valid(); holder = m_graph.node(holder).parent)
            total[holder.index()] += own;
    }
    return total;
}

} // namespace pipescope::exec

// Finding nodes on the canvas: bringing one into view, and a search with its matches.
#include "graphview/graph_canvas.h"
#include "graphview/graph_search.h"

#include <QRegularExpression>

namespace pipescope::graphview {

void GraphCanvas::showNode(NodeId node)
{
    if (!m_graph || !node.valid() || node.index() >= m_graph->nodes.size())
        return;
    reveal({m_graph->node(node).children.empty() ? BoxKind::Node : BoxKind::Block, node.value});
}

// Now, or when the modules around it are open.
void GraphCanvas::reveal(const BoxKey &key)
{
    const int box = m_picture ? m_picture->find(key) : -1;
    if (box >= 0) {
        m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(box)]);
        select(box);
        return;
    }
    const NodeId node = key.kind == BoxKind::Module
                            ? m_graph->at(m_graph->calls[static_cast<std::size_t>(key.index)].begin).id
                            : NodeId{key.index};
    OpenBoxes open = m_open;
    OpenBoxes around = aroundNode(*m_graph, node);
    if (key.kind == BoxKind::Module) // those outside of it begin earlier in the list of calls
        std::erase_if(around, [&](const BoxKey &each) { return each >= key; });
    open.merge(around);
    if (open == m_open && !m_worker.busy())
        return;
    m_toReveal = key;
    setOpen(std::move(open));
}

int GraphCanvas::search(const QString &pattern)
{
    const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
    m_pattern = pattern;
    m_match = -1;
    m_matches = m_graph ? searchGraph(*m_graph, expression) : std::vector<BoxKey>();
    markMatches();
    repaintGround();
    Q_EMIT matchChanged();
    return expression.isValid() ? static_cast<int>(m_matches.size()) : -1;
}

// Where the graph is found to match as before, the walk through the matches goes on.
void GraphCanvas::searchAgain()
{
    if (m_pattern.isEmpty())
        return;
    const std::vector<BoxKey> before = m_matches;
    const int match = m_match;
    search(m_pattern);
    if (m_matches != before || match < 0)
        return;
    m_match = match;
    Q_EMIT matchChanged();
}

// Those without a box of their own are marked by the box that they are in.
void GraphCanvas::markMatches()
{
    m_matchBoxes.clear();
    if (!m_picture || m_matches.empty())
        return;
    const std::set<BoxKey> wanted(m_matches.begin(), m_matches.end());
    const BoxTree &tree = m_picture->scene.tree;
    for (std::size_t i = 0; i < tree.boxes.size(); ++i) {
        if (wanted.contains(tree.boxes[i].key))
            m_matchBoxes.insert(static_cast<int>(i));
    }
    for (const BoxKey &key : m_matches) {
        const int box = key.kind == BoxKind::Module ? 0 : tree.boxOfNode[static_cast<std::size_t>(key.index)];
        if (box > 0 && tree.boxes[static_cast<std::size_t>(box)].group < 0)
            m_matchBoxes.insert(box);
    }
}

void GraphCanvas::showMatch(int step)
{
    if (m_matches.empty())
        return;
    const int count = static_cast<int>(m_matches.size());
    m_match = m_match < 0 ? (step > 0 ? 0 : count - 1) : (m_match + step + count) % count;
    reveal(m_matches[static_cast<std::size_t>(m_match)]);
    Q_EMIT matchChanged();
}

} // namespace pipescope::graphview

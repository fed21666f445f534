#include "inspector/node_source.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "session/related.h"

namespace pipescope::inspector {

namespace {

constexpr std::size_t MostOnALine = 4;
constexpr std::size_t MostCalls = 6;

std::vector<NodeId> othersOnItsLine(const graph::Node &node, const graph::ModelGraph &graph)
{
    std::vector<NodeId> others;
    for (const graph::Node &other : graph.nodes) {
        const bool isThere = other.source.line == node.source.line && other.source.file == node.source.file;
        // Each module runs its class's lines by itself.
        if (other.id != node.id && isThere && other.fqn == node.fqn && other.call == node.call)
            others.push_back(other.id);
    }
    return others;
}

/// Calls begin in program order, so those around come from the outside in.
std::vector<Words> callsAround(const graph::Node &node, const graph::ModelGraph &graph)
{
    const int position = graph::positionOf(graph, node.id);
    std::vector<Words> words;
    for (const graph::ModuleCall &call : graph.calls) {
        const session::OrderRange range = session::orderOf(graph, call);
        const bool isOwn = call.fqn == node.fqn && call.call == node.call;
        // What is called inside of an if or a loop has its FQN only to tell by.
        const bool isAround = !call.inside.valid() || node.fqn.starts_with(call.fqn + '.');
        if (!isOwn && !call.fqn.empty() && isAround && range.begin <= position && position < range.end)
            words.push_back(moduleWords({call.fqn, call.call}));
    }
    return words;
}

} // namespace

void addSource(FactSheet &sheet, const graph::Node &node, const graph::ModelGraph &graph)
{
    if (!node.source.file.empty()) {
        std::vector<Words> words{
            plain(QStringLiteral("%1:%2").arg(QString::fromStdString(node.source.file)).arg(node.source.line))};
        for (Words &line : sourceLines(node.source))
            words.push_back(std::move(line));
        addFact(sheet, tr("source"), std::move(words));
        if (const std::vector<NodeId> others = othersOnItsLine(node, graph); !others.empty())
            addFact(sheet, tr("same line"), someNodes(graph, others, MostOnALine));
    } else {
        addFact(sheet, tr("source"), sourceLines(node.source));
    }
    addFact(sheet, tr("called in"), folded(callsAround(node, graph), MostCalls, tr("%1 more calls")));
}

} // namespace pipescope::inspector

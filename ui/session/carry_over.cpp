#include "session/carry_over.h"

#include "session/related.h"

#include <algorithm>

namespace pipescope::session {

NodeId sameNode(const graph::ModelGraph &from, NodeId node, const graph::ModelGraph &to)
{
    const graph::Node &known = from.node(node);
    const auto isLike = [&](const graph::Node &other) { return other.op == known.op && other.fqn == known.fqn; };
    const auto same = std::find_if(to.nodes.begin(), to.nodes.end(),
                                   [&](const graph::Node &other) { return other.name == known.name; });
    const bool isCertain = std::count_if(from.nodes.begin(), from.nodes.end(), isLike) ==
                           std::count_if(to.nodes.begin(), to.nodes.end(), isLike);
    return same != to.nodes.end() && isCertain ? same->id : NodeId();
}

void carryOver(Selection &selection, const graph::ModelGraph &from, const graph::ModelGraph &to)
{
    const Selected &current = selection.current();
    if (std::holds_alternative<SelectedParameter>(current))
        return;
    if (const auto *module = std::get_if<SelectedModule>(&current); module != nullptr && callOf(to, *module) != nullptr)
        return;
    const NodeId selected = idIn<NodeId>(current);
    if (!selected.valid() || selected.index() >= from.nodes.size() || from.method != to.method)
        return selection.clear();
    const NodeId same = sameNode(from, selected, to);
    if (same.valid())
        selection.select(same);
    else
        selection.clear();
}

void carryOver(Selection &selection, const trace::Trace &to, RunId run)
{
    const Selected &selected = selection.current();
    if (std::holds_alternative<SelectedSpan>(selected) || idIn<RankId>(selected).value >= to.ranks)
        return selection.clear();
    const auto *action = std::get_if<SelectedAction>(&selected);
    if (action == nullptr)
        return;
    const schedule::ActionKey key = action->key;
    const bool isThere = std::any_of(to.events.begin(), to.events.end(), [&](const trace::Event &event) {
        return event.kind == trace::EventKind::Compute && keyOf(event) == key;
    });
    selection.select(isThere ? Selected(SelectedAction{run, key}) : Selected());
}

} // namespace pipescope::session

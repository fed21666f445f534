#include "session/carry_over.h"

#include "session/related.h"

#include <algorithm>

namespace pipescope::session {

void carryOver(Selection &selection, const graph::ModelGraph &from, const graph::ModelGraph &to)
{
    const NodeId selected = selection.current().node;
    if (!selection.current().parameter.empty())
        return;
    if (const auto &module = selection.current().module; module && callOf(to, *module) != nullptr)
        return;
    if (!selected.valid() || selected.index() >= from.nodes.size())
        return selection.clear();
    const graph::Node &node = from.node(selected);
    const auto isLike = [&](const graph::Node &other) { return other.op == node.op && other.fqn == node.fqn; };
    const auto same = std::find_if(to.nodes.begin(), to.nodes.end(),
                                   [&](const graph::Node &other) { return other.name == node.name; });
    const bool isCertain = std::count_if(from.nodes.begin(), from.nodes.end(), isLike) ==
                           std::count_if(to.nodes.begin(), to.nodes.end(), isLike);
    if (same != to.nodes.end() && isCertain)
        selection.selectNode(same->id);
    else
        selection.clear();
}

void carryOver(Selection &selection, const trace::Trace &to)
{
    const Selected &selected = selection.current();
    const auto isThere = [&](const SelectedAction &action) {
        return std::any_of(to.events.begin(), to.events.end(), [&](const trace::Event &event) {
            return event.kind == trace::EventKind::Compute && event.stage == action.stage &&
                   event.microbatch == action.microbatch;
        });
    };
    const bool isGone = selected.span || selected.rank.value >= to.ranks;
    if (isGone || (selected.action && !isThere(*selected.action)))
        selection.clear();
}

} // namespace pipescope::session

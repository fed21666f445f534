#include "session/selection.h"

namespace pipescope::session {

void Selection::selectNode(NodeId node)
{
    Selected selected;
    selected.node = node;
    set(selected);
}

void Selection::selectModule(const SelectedModule &module)
{
    Selected selected;
    selected.module = module;
    set(selected);
}

void Selection::selectValue(ValueId value)
{
    Selected selected;
    selected.value = value;
    set(selected);
}

void Selection::selectStage(StageId stage)
{
    Selected selected;
    selected.stage = stage;
    set(selected);
}

void Selection::selectRank(RankId rank)
{
    Selected selected;
    selected.rank = rank;
    set(selected);
}

void Selection::selectAction(const SelectedAction &action)
{
    Selected selected;
    selected.stage = action.stage;
    selected.action = action;
    set(selected);
}

void Selection::selectCut(int position)
{
    Selected selected;
    selected.cut = position;
    set(selected);
}

void Selection::selectSpan(const SelectedSpan &span)
{
    Selected selected;
    selected.rank = span.rank;
    selected.span = span;
    set(selected);
}

void Selection::selectParameter(const std::string &fqn)
{
    Selected selected;
    selected.parameter = fqn;
    set(selected);
}

void Selection::follow(const Selected &link)
{
    if (link == Selected())
        return;
    Selected to = link; // a copy: what is told of it may write anew what the link is part of
    if (to.action)
        to.stage = to.action->stage;
    if (to.span)
        to.rank = to.span->rank;
    Q_EMIT followed(to);
    set(to);
}

void Selection::set(const Selected &selected)
{
    if (selected == m_current)
        return;
    m_current = selected;
    Q_EMIT changed();
}

} // namespace pipescope::session

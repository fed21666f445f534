#include "session/follow.h"

namespace pipescope::session {

void follow(Selection &selection, const Selected &selected)
{
    if (selected.node.valid())
        selection.selectNode(selected.node);
    else if (selected.value.valid())
        selection.selectValue(selected.value);
    else if (!selected.parameter.empty())
        selection.selectParameter(selected.parameter);
    else if (selected.action)
        selection.selectAction(*selected.action);
    else if (selected.cut)
        selection.selectCut(*selected.cut);
    else if (selected.span)
        selection.selectSpan(*selected.span);
    else if (selected.stage.valid())
        selection.selectStage(selected.stage);
    else if (selected.rank.valid())
        selection.selectRank(selected.rank);
}

} // namespace pipescope::session

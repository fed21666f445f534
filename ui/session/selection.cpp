#include "session/selection.h"

namespace pipescope::session {

namespace {

template <class Tag>
bool isNothing(Id<Tag> id)
{
    return !id.valid();
}
bool isNothing(std::monostate)
{
    return true;
}
template <class Thing>
bool isNothing(const Thing &)
{
    return false;
}

/// Of all ways to select nothing the one.
Selected thingIn(const Selected &selected)
{
    const bool nothing = std::visit([](const auto &thing) { return isNothing(thing); }, selected);
    return nothing ? Selected() : selected;
}

} // namespace

StageId stageIn(const Selected &selected)
{
    const auto *action = std::get_if<SelectedAction>(&selected);
    return action == nullptr ? idIn<StageId>(selected) : action->key.stage;
}

RunId runIn(const Selected &selected)
{
    if (const auto *action = std::get_if<SelectedAction>(&selected))
        return action->run;
    const auto *span = std::get_if<SelectedSpan>(&selected);
    return span == nullptr ? RunId() : span->run;
}

void Selection::follow(const Selected &link)
{
    const Selected to = thingIn(link); // a copy: a listener may rewrite the text that holds the link
    if (to == Selected())
        return;
    Q_EMIT followed(to);
    select(to);
}

void Selection::select(const Selected &selected)
{
    const Selected thing = thingIn(selected);
    if (thing == m_current)
        return;
    m_current = thing;
    Q_EMIT changed();
}

} // namespace pipescope::session

#include "schedule/action_key.h"

namespace pipescope::schedule {

ActionKey keyOf(const Action &action)
{
    return {action.kind, action.stage, action.microbatch};
}

std::string toText(const ActionKey &key)
{
    return toText(Action{key.stage, key.kind, key.microbatch, {}});
}

} // namespace pipescope::schedule

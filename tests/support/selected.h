// Things to select written in few words, and whether they are.
#pragma once

#include "session/selection.h"

namespace pipescope::tests {

/// In whichever run is shown.
inline session::SelectedAction forwardOf(int stage, int microbatch)
{
    return {{}, {schedule::ActionKind::Forward, StageId{stage}, MicrobatchId{microbatch}}};
}

/// In the run of that id.
inline session::SelectedAction forwardOf(int stage, int microbatch, session::RunId run)
{
    return {run, {schedule::ActionKind::Forward, StageId{stage}, MicrobatchId{microbatch}}};
}

/// In whatever run.
inline bool isForward(const session::Selected &selected, int stage, int microbatch)
{
    const auto *action = std::get_if<session::SelectedAction>(&selected);
    return action != nullptr && action->key == forwardOf(stage, microbatch).key;
}

} // namespace pipescope::tests

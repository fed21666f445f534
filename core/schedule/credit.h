// When microbatches begin and end, for a limit on how many are under way: validation and runs ask here. Stage 0 alone
// begins one, so that only the order of one rank decides what the limit lets in, and a schedule found free of deadlock
// stays so. A microbatch ends at all stages that feed none or, in training, at all that none feeds.
#pragma once

#include "schedule/action_key.h"
#include "schedule/feeds.h"

#include <vector>

namespace pipescope::schedule {

/// The action that begins a microbatch: its forward on stage 0.
[[nodiscard]] ActionKey beginOf(MicrobatchId microbatch);
[[nodiscard]] bool beginsMicrobatch(const ActionKey &action);

/// The stages that no other feeds, ascending, without stage 0. With a limit they wait until stage 0 has begun their
/// microbatch, or they would run ahead of it.
[[nodiscard]] std::vector<StageId> stagesThatFollow(int stages, const Feeds &feeds);
/// Whether it is a forward of such a stage.
[[nodiscard]] bool followsBegin(const ActionKey &action, const Feeds &feeds);

/// Whether a microbatch has not ended before `action`: without training a forward of a stage that feeds none; in
/// training the backward of a stage that none feeds, its weight part where it is split.
[[nodiscard]] bool endsMicrobatch(const ActionKey &action, const Feeds &feeds, bool trains);
/// How many such actions each microbatch has; it has ended when all of them are done.
[[nodiscard]] int endsOfMicrobatch(int stages, const Feeds &feeds, bool trains);

} // namespace pipescope::schedule

// Which stages of a run feed which: as its trace says it, or read off its transfers.
#pragma once

#include "schedule/feeds.h"
#include "trace/event.h"

#include <vector>

namespace pipescope::trace {

/// Whether the trace has any send or receive of its ranks. A trace has none where nobody noted them, and where no stage
/// feeds another.
[[nodiscard]] bool hasTransfers(const Trace &trace);

/// Trace::feeds. Where that is absent, as sends, receives and waits for inputs show it: of two stages between which
/// something went, the earlier one feeds the later, as gradients go the ways of the values back; a chain where the
/// trace has no transfers either. Any trace will do; stages that it does not have are left out.
[[nodiscard]] schedule::Feeds feedsOf(const Trace &trace);

/// For Trace::feeds.
[[nodiscard]] std::vector<schedule::Feeds::Edge> edgesOf(const schedule::Feeds &feeds);

} // namespace pipescope::trace

// Which stages of a run fed which, read off its trace.
#pragma once

#include "schedule/feeds.h"
#include "trace/event.h"

namespace pipescope::trace {

/// Whether the trace has any send or receive of its ranks. One without was not asked to note them.
[[nodiscard]] bool hasTransfers(const Trace &trace);

/// As sends, receives and waits for inputs show it: of two stages between which something went, the earlier one feeds
/// the later, as gradients go the ways of the values back. A chain where the trace has no transfers. Any trace will do;
/// what names stages that it does not have is left out.
[[nodiscard]] schedule::Feeds feedsOf(const Trace &trace);

} // namespace pipescope::trace

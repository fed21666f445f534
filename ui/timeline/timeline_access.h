// What screen readers are told of the timeline: that it is a chart, and what is current in it.
#pragma once

namespace pipescope::timeline {

/// For every TimelineView from now on; again does nothing.
void installTimelineAccess();

} // namespace pipescope::timeline

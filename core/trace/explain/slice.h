// The pieces of a rank's time: slices, in which something happened, and bubbles, in which nothing did, each with its
// cause. Plain values; explanation.h makes them of a trace.
#pragma once

#include "base/ids.h"
#include "trace/event.h"

#include <cstdint>

namespace pipescope::trace {

/// Nanoseconds since the run's start. A range may be empty, its end never stands before its begin.
struct TimeRange
{
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    /// A double: the ends of a foreign trace may lie further apart than an int64 can say.
    [[nodiscard]] double spanNs() const { return static_cast<double>(endNs) - static_cast<double>(beginNs); }
    friend bool operator==(const TimeRange &, const TimeRange &) = default;
};

struct Slice
{
    TimeRange time;
    EventKind kind = EventKind::Compute;
    schedule::ActionKind action = schedule::ActionKind::Forward; ///< of a compute; of all other slices Forward
    StageId stage;
    MicrobatchId microbatch;
    std::uint32_t event = 0; ///< index in Trace::events, which has the rest

    friend bool operator==(const Slice &, const Slice &) = default;
};

[[nodiscard]] inline bool isCompute(const Slice &slice)
{
    return slice.kind == EventKind::Compute;
}

/// Why a rank did nothing.
enum class BubbleCause : std::uint8_t {
    WarmUp,     ///< before its first compute: the pipeline fills
    CoolDown,   ///< after its last compute: the pipeline drains
    Input,      ///< a stage had not finished what it needs
    Credit,     ///< too many microbatches were under way
    Device,     ///< another rank held the device
    NotRunning, ///< all it needed was there, and its thread had not started or woken yet; see LateStarts
    Runtime,    ///< none of these: between two actions
};

struct Bubble
{
    TimeRange time;
    BubbleCause cause = BubbleCause::Runtime;
    StageId stage;           ///< what was waited for, an input or the end that gave a credit; invalid where not known
    MicrobatchId microbatch; ///< that it was waited for with; invalid where not known
    int wait = -1;           ///< index in Trace::events of the wait that says so, or -1

    friend bool operator==(const Bubble &, const Bubble &) = default;
};

/// A slice by its place.
struct SliceRef
{
    int lane = 0;
    int slice = 0; ///< index in Lane::slices

    friend auto operator<=>(const SliceRef &, const SliceRef &) = default;
};

} // namespace pipescope::trace

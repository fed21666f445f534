// The numbers people read off a timeline.
#pragma once

#include "trace/event.h"

#include <vector>

namespace pipescope::trace {

class Explanation;

/// All runs of one kind of action.
struct KindStats
{
    schedule::ActionKind kind = schedule::ActionKind::Forward;
    double seconds = 0;       ///< of all of them
    double medianSeconds = 0; ///< of one
    int runs = 0;

    friend bool operator==(const KindStats &, const KindStats &) = default;
};

struct RankStats
{
    double busySeconds = 0;       ///< computing
    std::vector<KindStats> kinds; ///< that it computed, in the order of ComputeKinds; together busySeconds
    double sendSeconds = 0;
    double receiveSeconds = 0;
    double waitSeconds = 0; ///< all its bubbles, which explain/bubbles.h tells apart: the next seven add up to it
    /// Before its first compute; of the whole makespan where it computes nothing.
    double warmUpSeconds = 0;
    double coolDownSeconds = 0;  ///< after its last compute
    double waitInputSeconds = 0; ///< between its first and last compute, by cause
    double waitCreditSeconds = 0;
    double waitDeviceSeconds = 0;
    double notRunningSeconds = 0;     ///< it could have begun an action and did not; see LateStarts
    double betweenActionsSeconds = 0; ///< what it needed was there before it was done with the action before
    double spanSeconds = 0;           ///< first begin to last end of what it did, waits not counted
    std::int64_t peakBytes = 0;

    friend bool operator==(const RankStats &, const RankStats &) = default;
};

struct StageStats
{
    double seconds = 0; ///< computing, all microbatches
    int runs = 0;
    std::vector<KindStats> kinds; ///< that it was computed in, in the order of ComputeKinds

    friend bool operator==(const StageStats &, const StageStats &) = default;
};

struct Stats
{
    double makespanSeconds = 0; ///< first begin to last end of all events
    /// The critical path through the run's own measured action durations: each compute after the one before it on its
    /// rank and after all it needs (schedule/needs.h), transfers free. What a runtime without any cost of its own would
    /// have needed. feedsOf tells which stages feed which.
    double boundSeconds = 0;
    double bubbleShare = 0;       ///< 1 - sum of busy / (ranks * makespan)
    double bubbleShareOfSpan = 0; ///< 1 - sum of busy / (ranks * longest rank span): the zero-bubble papers' measure
    double imbalance = 0;         ///< largest rank's busy time over the mean, minus 1
    std::vector<RankStats> ranks;
    std::vector<StageStats> stages;
    std::int64_t sentBytes = 0;

    friend bool operator==(const Stats &, const Stats &) = default;
};

/// Whether the ranks computed in more than one kind of action: else their busy times tell all.
[[nodiscard]] bool hasSeveralKinds(const Stats &stats);
/// Of all runs of the kind, and of one; 0 where there is none.
[[nodiscard]] double seconds(const std::vector<KindStats> &kinds, schedule::ActionKind kind);
[[nodiscard]] double medianSeconds(const std::vector<KindStats> &kinds, schedule::ActionKind kind);

/// First begin to last end of all events; those of ranks that the trace does not have are left out. 0 without any.
[[nodiscard]] double makespanSeconds(const Trace &trace);

/// Any trace will do: events of ranks or stages that the trace does not have are left out. All is 0 for an empty one.
[[nodiscard]] Stats traceStats(const Trace &trace);
/// The same, of a trace that is explained already.
[[nodiscard]] Stats traceStats(const Explanation &explained);

} // namespace pipescope::trace

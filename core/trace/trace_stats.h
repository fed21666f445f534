// The numbers people read off a timeline.
#pragma once

#include "trace/event.h"

#include <vector>

namespace pipescope::trace {

struct RankStats {
    double busySeconds = 0;      ///< computing
    double sendSeconds = 0;
    double receiveSeconds = 0;
    double waitSeconds = 0;      ///< makespan - busy - send - receive: waits, warm-up and cool-down
    double warmUpSeconds = 0;    ///< before its first compute
    double coolDownSeconds = 0;  ///< after its last compute
    double waitInputSeconds = 0; ///< between its first and last compute, by cause
    double waitCreditSeconds = 0;
    double waitDeviceSeconds = 0;
    double spanSeconds = 0;      ///< first begin to last end
    std::int64_t peakBytes = 0;
};

struct StageStats {
    double seconds = 0;          ///< computing, all microbatches
    double medianSeconds = 0;    ///< of one microbatch
    int runs = 0;
};

struct Stats {
    double makespanSeconds = 0;
    /// The critical path through the run's own measured action durations: each action after its predecessor on its rank
    /// and after the actions that feed it, transfers free. What a runtime without any cost of its own would have needed.
    double boundSeconds = 0;
    double bubbleShare = 0;       ///< 1 - sum of busy / (ranks * makespan)
    double bubbleShareOfSpan = 0; ///< the same over each rank's own span (zero-bubble papers' measure)
    double imbalance = 0;         ///< largest rank's busy time over the mean, minus 1
    std::vector<RankStats> ranks;
    std::vector<StageStats> stages;
    std::int64_t sentBytes = 0;
};

[[nodiscard]] Stats traceStats(const Trace &trace);

} // namespace pipescope::trace

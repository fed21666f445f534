// A trace as lanes, one per rank: what each rank did, by time, and the bubbles between. Knows nothing of pixels; is
// never changed once built, so that views and threads may share it.
#pragma once

#include "timeline/dependencies.h"
#include "timeline/lane_totals.h"
#include "timeline/length_set.h"
#include "timeline/memory_curve.h"
#include "timeline/slice.h"
#include "timeline/slice_pyramid.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::timeline {

struct Lane
{
    RankId rank;
    std::string name;
    std::vector<Slice> slices;        ///< by begin
    std::vector<std::int64_t> latest; ///< as long as slices: the last end of all up to this one
    std::vector<Bubble> bubbles;      ///< by begin; no two overlap, and none overlaps a compute or a transfer
    std::vector<StageId> stages;      ///< that it computes, ascending
    double busyNs = 0;                ///< computing
    std::size_t computes = 0;
    std::size_t longestAction = 0; ///< of its computes, in letters
    LengthSet lengths;             ///< of its computes
    SlicePyramid work;             ///< computes, and waits until what was waited for had come
    SlicePyramid transfers;        ///< sends and receives
    LaneTotals totals;
    MemoryCurve memory;
};

class LaneModel
{
public:
    /// Any trace will do: events of ranks it does not have are left out. `trace` must not be null.
    explicit LaneModel(std::shared_ptr<const trace::Trace> trace);

    [[nodiscard]] const trace::Trace &trace() const { return *m_trace; }
    [[nodiscard]] const std::vector<Lane> &lanes() const { return m_lanes; }
    /// First begin to last end of all slices; empty at 0 where there is none.
    [[nodiscard]] TimeRange run() const { return m_run; }

    [[nodiscard]] const Slice &at(SliceRef ref) const;
    [[nodiscard]] const trace::Event &eventOf(const Slice &slice) const { return m_trace->events[slice.event]; }

    [[nodiscard]] const Dependencies &dependencies() const { return m_dependencies; }
    /// The first compute of a stage and microbatch.
    [[nodiscard]] std::optional<SliceRef> computeOf(StageId stage, MicrobatchId microbatch) const;

private:
    std::shared_ptr<const trace::Trace> m_trace;
    std::vector<Lane> m_lanes;
    TimeRange m_run;
    Dependencies m_dependencies;
};

} // namespace pipescope::timeline

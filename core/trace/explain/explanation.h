// A trace explained: what each rank did, by time, and why it did nothing between. Any trace will do, measured or
// simulated. Never changed once made, so that views and threads may share it.
#pragma once

#include "trace/explain/dependencies.h"
#include "trace/explain/lane_totals.h"
#include "trace/explain/slice.h"
#include "trace/trace_index.h"

#include <optional>
#include <vector>

namespace pipescope::trace {

struct Lane
{
    RankId rank;
    std::vector<Slice> slices;        ///< by begin; a wait ends when all it was for had come
    std::vector<std::int64_t> latest; ///< as long as slices: the last end of all up to this one
    std::vector<Bubble> bubbles;      ///< by begin; no two overlap, and none overlaps a compute or a transfer
    std::vector<StageId> stages;      ///< that it computes, ascending
    double busyNs = 0;                ///< computing
    std::size_t computes = 0;
    LaneTotals totals;
};

class Explanation
{
public:
    /// Events of ranks that the trace does not have are left out. `trace` outlives what is made of it.
    explicit Explanation(const Trace &trace);

    [[nodiscard]] const Trace &trace() const { return *m_trace; }
    [[nodiscard]] const std::vector<Lane> &lanes() const { return m_lanes; }
    [[nodiscard]] const Lane &of(SliceRef ref) const { return m_lanes[static_cast<std::size_t>(ref.lane)]; }
    /// First begin to last end of all events; empty at 0 where there is none.
    [[nodiscard]] TimeRange run() const { return m_run; }

    [[nodiscard]] const Slice &at(SliceRef ref) const { return of(ref).slices[static_cast<std::size_t>(ref.slice)]; }
    [[nodiscard]] const Event &eventOf(const Slice &slice) const { return m_trace->events[slice.event]; }

    [[nodiscard]] const Dependencies &dependencies() const { return m_dependencies; }
    [[nodiscard]] const TraceIndex &index() const { return m_index; }
    /// Of an event of a rank that the trace has.
    [[nodiscard]] SliceRef refOf(std::uint32_t event) const { return m_refs[event]; }
    /// The first compute of an action, or of a stage and microbatch.
    [[nodiscard]] std::optional<SliceRef> computeOf(const schedule::ActionKey &action) const;
    [[nodiscard]] std::optional<SliceRef> computeOf(StageId stage, MicrobatchId microbatch) const;
    /// What a compute ran, what made what is sent, what received or waited. Of what no compute is known for, a forward.
    [[nodiscard]] schedule::ActionKey actionOf(SliceRef ref) const;

private:
    [[nodiscard]] std::optional<SliceRef> firstCompute(TraceIndex::Events events) const;

    const Trace *m_trace; // not owned
    TraceIndex m_index;
    std::vector<SliceRef> m_refs; // by event; -1, -1 where its rank is none of the trace's
    std::vector<Lane> m_lanes;
    TimeRange m_run;
    Dependencies m_dependencies;
};

} // namespace pipescope::trace

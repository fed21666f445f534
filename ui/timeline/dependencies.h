// Which compute waited for which: an input is followed back through its receive and the send of the same value and
// microbatch to the compute that made it. Where a trace has no transfers at all, stages are taken as a chain.
#pragma once

#include "timeline/slice.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pipescope::timeline {

struct Lane;
class LaneModel;

class Dependencies
{
public:
    Dependencies() = default;
    /// `lanes` as LaneModel has them, all slices sorted. Time n log n.
    Dependencies(const trace::Trace &trace, const std::vector<Lane> &lanes);

    /// All slices but waits that a stage has for a microbatch, by begin.
    [[nodiscard]] std::span<const SliceRef> slicesOf(StageId stage, MicrobatchId microbatch) const;

    /// The computes whose results `compute` needs, each once. Empty for what is no compute.
    [[nodiscard]] std::vector<SliceRef> producersOf(const LaneModel &model, SliceRef compute) const;
    /// The computes that need the results of `compute`, each once.
    [[nodiscard]] std::vector<SliceRef> consumersOf(const LaneModel &model, SliceRef compute) const;

private:
    std::vector<std::uint64_t> m_keys; // stage and microbatch, ascending; as long as m_refs
    std::vector<SliceRef> m_refs;
    bool m_hasTransfers = false;
};

} // namespace pipescope::timeline

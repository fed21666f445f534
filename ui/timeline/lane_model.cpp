#include "timeline/lane_model.h"

#include "base/error.h"

#include <algorithm>

namespace pipescope::timeline {

namespace {

const trace::Trace &given(const std::shared_ptr<const trace::Trace> &trace)
{
    PIPESCOPE_ASSERT(trace != nullptr);
    return *trace;
}

LaneLook lookOf(const trace::Lane &lane, const trace::Trace &trace)
{
    LaneLook look;
    const std::size_t rank = lane.rank.index();
    look.name = rank < trace.rankNames.size() ? trace.rankNames[rank] : "rank " + std::to_string(rank);
    MicrobatchId last;
    for (const trace::Slice &slice : lane.slices)
        if (slice.kind == trace::EventKind::Compute) {
            look.lengths.add(slice.time.spanNs());
            last = std::max(last, slice.microbatch);
        }
    // All kinds of compute have one letter. Of a million actions not each need be written out.
    if (!lane.stages.empty())
        look.longestAction = schedule::toText({schedule::ActionKind::Forward, lane.stages.back(), last}).size();
    look.work = SlicePyramid(lane.slices, Track::Work);
    look.transfers = SlicePyramid(lane.slices, Track::Transfer);
    return look;
}

void addMemory(const trace::Trace &trace, std::vector<LaneLook> &looks)
{
    std::vector<std::vector<MemoryCurve::Sample>> samples(looks.size());
    for (const trace::MemorySample &sample : trace.memory)
        if (sample.rank.valid() && sample.rank.index() < looks.size())
            samples[sample.rank.index()].push_back({sample.timeNs, sample.bytes});
    for (std::size_t i = 0; i < looks.size(); ++i)
        looks[i].memory = MemoryCurve(std::move(samples[i]));
}

} // namespace

LaneModel::LaneModel(std::shared_ptr<const trace::Trace> trace)
    : trace::Explanation(given(trace))
    , m_kept(std::move(trace))
{
    m_looks.reserve(lanes().size());
    for (const trace::Lane &lane : lanes())
        m_looks.push_back(lookOf(lane, *m_kept));
    addMemory(*m_kept, m_looks);
}

} // namespace pipescope::timeline

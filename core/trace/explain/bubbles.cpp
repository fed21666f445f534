#include "trace/explain/bubbles.h"

#include "trace/explain/explanation.h"
#include "trace/late_starts.h"

#include <algorithm>
#include <limits>

namespace pipescope::trace {

namespace {

class BubbleFinder
{
public:
    BubbleFinder(const Explanation &explained, const Lane &lane, std::span<const std::int64_t> lateSince)
        : m_explained(explained)
        , m_lane(lane)
        , m_lateSince(lateSince)
        , m_computeFrom(lane.slices.size() + 1, lane.slices.size())
    {
        for (std::size_t i = lane.slices.size(); i-- > 0;)
            m_computeFrom[i] = isCompute(lane.slices[i]) ? i : m_computeFrom[i + 1];
        for (const Slice &slice : lane.slices)
            if (slice.kind == EventKind::Compute) {
                m_firstBegin = std::min(m_firstBegin, slice.time.beginNs);
                m_lastEnd = std::max(m_lastEnd, slice.time.endNs);
            }
    }

    std::vector<Bubble> find()
    {
        std::int64_t done = m_explained.run().beginNs;
        for (std::size_t i = 0; i < m_lane.slices.size(); ++i) {
            const Slice &slice = m_lane.slices[i];
            if (slice.kind == EventKind::Wait)
                continue;
            if (slice.time.beginNs > done)
                addGap({done, slice.time.beginNs}, i);
            done = std::max(done, slice.time.endNs);
        }
        if (m_explained.run().endNs > done)
            addGap({done, m_explained.run().endNs}, m_lane.slices.size());
        return std::move(m_bubbles);
    }

private:
    /// `next` is the slice that ends the gap.
    void addGap(TimeRange gap, std::size_t next)
    {
        const std::int64_t late = std::clamp(lateSince(next), gap.beginNs, gap.endNs);
        if (late > gap.beginNs)
            addWaited({gap.beginNs, late}, next);
        if (late < gap.endNs)
            m_bubbles.push_back({{late, gap.endNs}, BubbleCause::NotRunning, {}, {}, -1});
    }

    /// Of the first compute from this slice on.
    [[nodiscard]] std::int64_t lateSince(std::size_t slice) const
    {
        const std::size_t compute = m_computeFrom[slice];
        return compute < m_lane.slices.size() ? m_lateSince[m_lane.slices[compute].event] : LateStarts::Never;
    }

    void addWaited(TimeRange gap, std::size_t next)
    {
        std::int64_t done = gap.beginNs;
        for (; m_wait < m_lane.slices.size() && m_lane.slices[m_wait].time.beginNs < gap.endNs; ++m_wait) {
            const Slice &wait = m_lane.slices[m_wait];
            const TimeRange part{std::max(done, wait.time.beginNs), std::min(gap.endNs, wait.time.endNs)};
            if (wait.kind != EventKind::Wait || part.endNs <= part.beginNs)
                continue;
            // The moments between a wait and the action it was for belong to it.
            const bool joins = TimeRange{done, part.beginNs}.spanNs() < part.spanNs();
            if (!joins && part.beginNs > done)
                add(guess({done, part.beginNs}, next));
            add(told({joins ? done : part.beginNs, part.endNs}, wait));
            done = part.endNs;
        }
        if (done == gap.endNs)
            return;
        const TimeRange rest{done, gap.endNs};
        const bool joins = done > gap.beginNs && rest.spanNs() < m_bubbles.back().time.spanNs();
        if (joins)
            m_bubbles.back().time.endNs = gap.endNs;
        else
            add(guess(rest, next));
    }

    [[nodiscard]] Bubble told(TimeRange time, const Slice &wait) const
    {
        const Event &event = m_explained.eventOf(wait);
        Bubble bubble{time, BubbleCause::Runtime, event.peer, event.microbatch, static_cast<int>(wait.event)};
        switch (event.cause) {
        case WaitCause::Input:
            bubble.cause = BubbleCause::Input;
            break;
        case WaitCause::Credit:
            bubble.cause = BubbleCause::Credit;
            bubble.microbatch = event.peerMicrobatch;
            break;
        case WaitCause::Device:
            bubble.cause = BubbleCause::Device;
            break;
        case WaitCause::None:
            break;
        }
        return bubble;
    }

    /// Without a wait that says it: what the next action needed, if that was made meanwhile.
    [[nodiscard]] Bubble guess(TimeRange time, std::size_t next)
    {
        Bubble bubble{time, BubbleCause::Runtime, {}, {}, -1};
        next = m_computeFrom[next];
        if (next == m_lane.slices.size())
            return bubble;
        std::int64_t latest = time.beginNs;
        const SliceRef compute{m_lane.rank.value, static_cast<int>(next)};
        // An action has a gap before each of its transfers.
        if (compute.slice != m_asked) {
            m_asked = compute.slice;
            m_producers = m_explained.dependencies().producersOf(m_explained, compute);
        }
        for (const SliceRef ref : m_producers)
            if (const Slice &producer = m_explained.at(ref); producer.time.endNs > latest && ref.lane != compute.lane) {
                latest = producer.time.endNs;
                bubble.cause = BubbleCause::Input;
                bubble.stage = producer.stage;
                bubble.microbatch = producer.microbatch;
            }
        return bubble;
    }

    void add(Bubble bubble)
    {
        if (bubble.time.endNs <= m_firstBegin)
            bubble.cause = BubbleCause::WarmUp;
        else if (bubble.time.beginNs >= m_lastEnd)
            bubble.cause = BubbleCause::CoolDown;
        m_bubbles.push_back(bubble);
    }

    const Explanation &m_explained;
    const Lane &m_lane;
    std::span<const std::int64_t> m_lateSince; // by event
    std::vector<std::size_t> m_computeFrom; // by slice: the first compute from there on, or as many as there are slices
    // Of its computes. Where it has none, all is warm-up.
    std::int64_t m_firstBegin = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_lastEnd = std::numeric_limits<std::int64_t>::min();
    std::size_t m_wait = 0;
    int m_asked = -1;
    std::vector<SliceRef> m_producers; // of m_asked
    std::vector<Bubble> m_bubbles;
};

} // namespace

std::vector<Bubble> bubblesOf(const Explanation &explained, const Lane &lane, std::span<const std::int64_t> lateSince)
{
    return BubbleFinder(explained, lane, lateSince).find();
}

} // namespace pipescope::trace

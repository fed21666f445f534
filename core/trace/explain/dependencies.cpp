#include "trace/explain/dependencies.h"

#include "schedule/needs.h"
#include "trace/explain/explanation.h"
#include "trace/trace_feeds.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace pipescope::trace {

namespace {

// A stage has a handful of slices for a microbatch. A trace that gives one pair a million of them is not worth
// looking through: only those nearest in time are.
constexpr std::ptrdiff_t NearOnes = 64;

/// One question about one compute.
class Search
{
public:
    Search(const Explanation &explained, SliceRef compute)
        : m_explained(explained)
        , m_ref(compute)
        , m_slice(explained.at(compute))
    {
    }

    [[nodiscard]] std::vector<SliceRef> near(StageId stage) const { return near(stage, m_slice.microbatch); }
    [[nodiscard]] std::vector<SliceRef> near(StageId stage, MicrobatchId microbatch) const
    {
        return nearest(m_explained.index().of(stage, microbatch));
    }
    /// Of `all`, by begin, those not far from the compute that are on a lane.
    [[nodiscard]] std::vector<SliceRef> nearest(TraceIndex::Events all) const
    {
        if (std::ssize(all) > 2 * NearOnes) {
            const std::vector<Event> &events = m_explained.trace().events;
            const auto middle =
                std::lower_bound(all.begin(), all.end(), m_slice.time.beginNs,
                                 [&](std::uint32_t event, std::int64_t ns) { return events[event].beginNs < ns; });
            const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, middle - all.begin() - NearOnes);
            all = all.subspan(static_cast<std::size_t>(first),
                              static_cast<std::size_t>(std::min(2 * NearOnes, std::ssize(all) - first)));
        }
        std::vector<SliceRef> refs;
        for (const std::uint32_t event : all)
            if (const SliceRef ref = m_explained.refOf(event); ref.lane >= 0)
                refs.push_back(ref);
        return refs;
    }

    /// The receives that brought its inputs: those since the compute before it of the same stage and microbatch.
    [[nodiscard]] std::vector<SliceRef> receives() const
    {
        std::vector<SliceRef> found;
        for (const SliceRef ref : near(m_slice.stage)) {
            if (ref.lane != m_ref.lane)
                continue;
            if (ref.slice >= m_ref.slice)
                break;
            if (at(ref).kind == EventKind::Compute)
                found.clear();
            if (at(ref).kind == EventKind::Receive)
                found.push_back(ref);
        }
        return found;
    }

    /// The compute that made what a receive brought.
    [[nodiscard]] std::optional<SliceRef> makerOf(SliceRef receive) const
    {
        const Event &got = m_explained.eventOf(at(receive));
        const std::vector<SliceRef> makers = near(got.peer);
        std::optional<SliceRef> send;
        for (const SliceRef ref : makers) {
            const Event &event = m_explained.eventOf(at(ref));
            if (event.kind == EventKind::Send && event.peer == got.stage && event.value == got.value &&
                event.beginNs <= got.endNs)
                send = ref;
        }
        std::optional<SliceRef> maker;
        for (const SliceRef ref : makers)
            if (at(ref).kind == EventKind::Compute &&
                (send ? ref.lane == send->lane && ref.slice <= send->slice : at(ref).time.beginNs < got.endNs))
                maker = ref;
        return maker;
    }

    /// The last compute with this result that began before this one.
    [[nodiscard]] std::optional<SliceRef> lastOf(const schedule::ActionKey &result) const
    {
        std::optional<SliceRef> last;
        for (const SliceRef ref : near(result.stage, result.microbatch))
            if (at(ref).kind == EventKind::Compute &&
                schedule::resultOf(keyOf(m_explained.eventOf(at(ref)))) == result && ref != m_ref &&
                at(ref).time.beginNs < m_slice.time.endNs &&
                std::tuple(at(ref).time.beginNs, ref) < std::tuple(m_slice.time.beginNs, m_ref))
                last = ref;
        return last;
    }

    /// The wait for credit before it.
    [[nodiscard]] const Event *creditWait() const
    {
        const std::vector<Slice> &slices = m_explained.lanes()[static_cast<std::size_t>(m_ref.lane)].slices;
        const int end = std::max(0, m_ref.slice - static_cast<int>(2 * NearOnes));
        for (int i = m_ref.slice - 1; i >= end; --i) {
            const Event &event = m_explained.eventOf(slices[static_cast<std::size_t>(i)]);
            if (event.kind == EventKind::Compute)
                break;
            if (isCreditWait(event) && event.stage == m_slice.stage && event.microbatch == m_slice.microbatch)
                return &event;
        }
        return nullptr;
    }

    /// The compute that gave what was waited for.
    [[nodiscard]] std::optional<SliceRef> giverOf(const Event &wait) const
    {
        std::optional<SliceRef> giver;
        for (const SliceRef ref : near(wait.peer, wait.peerMicrobatch))
            if (at(ref).kind == EventKind::Compute && ref != m_ref && at(ref).time.beginNs < wait.endNs)
                giver = ref;
        return giver;
    }

private:
    [[nodiscard]] const Slice &at(SliceRef ref) const { return m_explained.at(ref); }

    const Explanation &m_explained;
    SliceRef m_ref;
    const Slice &m_slice;
};

void addOnce(std::vector<SliceRef> &refs, std::optional<SliceRef> ref)
{
    if (ref && std::find(refs.begin(), refs.end(), *ref) == refs.end())
        refs.push_back(*ref);
}

} // namespace

Dependencies::Dependencies(const Trace &trace)
    : m_feeds(feedsOf(trace))
    , m_hasTransfers(hasTransfers(trace))
{
}

std::vector<SliceRef> Dependencies::producersOf(const Explanation &explained, SliceRef compute) const
{
    const Slice &slice = explained.at(compute);
    if (slice.kind != EventKind::Compute)
        return {};
    const Search search(explained, compute);
    std::vector<SliceRef> producers;
    for (const SliceRef receive : search.receives())
        addOnce(producers, search.makerOf(receive));
    const schedule::Keys needed = schedule::needs({slice.action, slice.stage, slice.microbatch}, m_feeds);
    const auto addLast = [&](bool ofOwnStage) {
        for (const schedule::ActionKey &need : needed)
            if ((need.stage == slice.stage) == ofOwnStage)
                addOnce(producers, search.lastOf(need));
    };
    if (!m_hasTransfers)
        addLast(false);
    addLast(true); // what a forward kept for the backward, and the backward for the weights
    return producers;
}

std::vector<SliceRef> Dependencies::consumersOf(const Explanation &explained, SliceRef compute) const
{
    const Slice &slice = explained.at(compute);
    if (slice.kind != EventKind::Compute)
        return {};
    const Search search(explained, compute);
    std::vector<StageId> stages{slice.stage};
    for (const auto neighbours : {m_feeds.producersOf(slice.stage), m_feeds.consumersOf(slice.stage)})
        stages.insert(stages.end(), neighbours.begin(), neighbours.end());
    // Asked the other way round, so that both directions always agree.
    std::vector<SliceRef> consumers;
    for (const StageId stage : stages)
        for (const SliceRef ref : search.near(stage)) {
            const std::vector<SliceRef> producers = producersOf(explained, ref);
            if (std::find(producers.begin(), producers.end(), compute) != producers.end())
                addOnce(consumers, ref);
        }
    return consumers;
}

std::optional<SliceRef> Dependencies::giverOf(const Explanation &explained, SliceRef compute) const
{
    if (explained.at(compute).kind != EventKind::Compute)
        return std::nullopt;
    const Search search(explained, compute);
    const Event *wait = search.creditWait();
    return wait == nullptr ? std::nullopt : search.giverOf(*wait);
}

std::vector<SliceRef> Dependencies::takersOf(const Explanation &explained, SliceRef compute) const
{
    const Slice &slice = explained.at(compute);
    if (slice.kind != EventKind::Compute)
        return {};
    std::vector<SliceRef> takers;
    for (const SliceRef wait :
         Search(explained, compute).nearest(explained.index().creditWaitsFor(slice.stage, slice.microbatch))) {
        const std::vector<Slice> &slices = explained.lanes()[static_cast<std::size_t>(wait.lane)].slices;
        const auto begin = slices.begin() + wait.slice;
        const auto next = std::find_if(begin, begin + std::min(2 * NearOnes, slices.end() - begin), isCompute);
        const SliceRef ref{wait.lane, static_cast<int>(next - slices.begin())};
        // Asked the other way round, so that both directions always agree.
        if (next != slices.end() && giverOf(explained, ref) == compute)
            addOnce(takers, ref);
    }
    return takers;
}

std::vector<SliceRef> Dependencies::causesOf(const Explanation &explained, SliceRef compute) const
{
    std::vector<SliceRef> causes = producersOf(explained, compute);
    addOnce(causes, giverOf(explained, compute));
    return causes;
}

std::vector<SliceRef> Dependencies::effectsOf(const Explanation &explained, SliceRef compute) const
{
    std::vector<SliceRef> effects = consumersOf(explained, compute);
    for (const SliceRef taker : takersOf(explained, compute))
        addOnce(effects, taker);
    return effects;
}

} // namespace pipescope::trace

#include "trace/explain/dependencies.h"

#include "schedule/needs.h"
#include "trace/explain/explanation.h"

#include <algorithm>
#include <iterator>
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
    /// Of `all`, by begin, those not far from the compute.
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
            refs.push_back(m_explained.refOf(event));
        return refs;
    }

    /// The receives that brought its inputs: those since the compute before it of the same stage and microbatch.
    [[nodiscard]] std::vector<std::uint32_t> receives() const
    {
        std::vector<std::uint32_t> found;
        for (const std::uint32_t event : eventsBefore())
            if (m_explained.trace().events[event].kind == EventKind::Receive)
                found.push_back(event);
        return found;
    }

    /// The compute that made what a receive brought.
    [[nodiscard]] std::optional<SliceRef> makerOf(std::uint32_t receive) const
    {
        const std::vector<Event> &events = m_explained.trace().events;
        const TraceIndex &index = m_explained.index();
        const Event &got = events[receive];
        const TraceIndex::Events sends = index.sendsOf({got.value, got.microbatch, got.peer, got.stage});
        const auto later = std::partition_point(sends.begin(), sends.end(),
                                                [&](std::uint32_t send) { return events[send].beginNs <= got.endNs; });
        if (later != sends.begin())
            return refOf(index.computeFor(*std::prev(later)));
        std::optional<SliceRef> maker;
        for (const SliceRef ref : near(got.peer))
            if (isCompute(at(ref)) && at(ref).time.beginNs < got.endNs)
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

    /// The compute that gave the credit it waited for.
    [[nodiscard]] std::optional<SliceRef> giver() const
    {
        const TraceIndex::Events events = eventsBefore();
        const auto wait = std::find_if(events.rbegin(), events.rend(), [&](std::uint32_t event) {
            return isCreditWait(m_explained.trace().events[event]);
        });
        return wait == events.rend() ? std::nullopt : refOf(m_explained.index().giverOf(*wait));
    }

private:
    [[nodiscard]] const Slice &at(SliceRef ref) const { return m_explained.at(ref); }

    [[nodiscard]] std::optional<SliceRef> refOf(std::optional<std::uint32_t> event) const
    {
        return event ? std::optional(m_explained.refOf(*event)) : std::nullopt;
    }

    /// The last of those that TraceIndex::before has.
    [[nodiscard]] TraceIndex::Events eventsBefore() const
    {
        const TraceIndex::Events events = m_explained.index().before(m_slice.event);
        return events.last(std::min(events.size(), static_cast<std::size_t>(2 * NearOnes)));
    }

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

Dependencies::Dependencies(const TraceIndex &index)
    : m_feeds(index.feeds())
    , m_hasTransfers(index.hasTransfers())
{
}

std::vector<SliceRef> Dependencies::producersOf(const Explanation &explained, SliceRef compute) const
{
    const Slice &slice = explained.at(compute);
    if (slice.kind != EventKind::Compute)
        return {};
    const Search search(explained, compute);
    std::vector<SliceRef> producers;
    for (const std::uint32_t receive : search.receives())
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
    return Search(explained, compute).giver();
}

std::vector<SliceRef> Dependencies::takersOf(const Explanation &explained, SliceRef compute) const
{
    const Slice &slice = explained.at(compute);
    if (slice.kind != EventKind::Compute)
        return {};
    std::vector<SliceRef> takers;
    const TraceIndex &index = explained.index();
    const schedule::ActionKey action{slice.action, slice.stage, slice.microbatch};
    for (const SliceRef wait : Search(explained, compute).nearest(index.creditWaitsFor(action))) {
        const std::optional<std::uint32_t> taker = index.computeFor(explained.at(wait).event);
        // Asked the other way round, so that both directions always agree.
        if (taker && giverOf(explained, explained.refOf(*taker)) == compute)
            addOnce(takers, explained.refOf(*taker));
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

#include "schedule/validate/order_walk.h"

#include "schedule/credit.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::schedule {

namespace {

bool begins(const Action &action)
{
    return beginsMicrobatch(keyOf(action));
}

} // namespace

OrderWalk::OrderWalk(const Schedule &schedule, const Feeds &feeds, const Feeds &neighbours, int maxInFlight)
    : m_schedule(schedule)
    , m_feeds(feeds)
    , m_neighbours(neighbours)
    , m_maxInFlight(maxInFlight)
    , m_next(schedule.ranks.size(), 0)
    , m_waitsWith(schedule.ranks.size())
{
    const std::size_t slots = awaitedKinds().size() * static_cast<std::size_t>(schedule.stages) *
                              static_cast<std::size_t>(schedule.microbatches);
    m_done.resize(slots, 0);
    m_waiter.resize(slots);
    for (const Row &row : schedule.ranks)
        for (const Cell &cell : row)
            if (cell)
                for (const Action &action : partsOf(*cell))
                    m_trains = m_trains || resultOf(keyOf(action)).kind == ActionKind::BackwardInput;
    m_endsLeft.assign(static_cast<std::size_t>(schedule.microbatches),
                      endsOfMicrobatch(schedule.stages, feeds, m_trains));
}

void OrderWalk::run()
{
    for (std::size_t rank = 0; rank < m_next.size(); ++rank)
        m_ready.push_back(RankId{static_cast<int>(rank)});
    while (!m_ready.empty()) {
        const RankId rank = m_ready.back();
        m_ready.pop_back();
        advance(rank);
    }
}

bool OrderWalk::isStuck(RankId rank) const
{
    return m_next[rank.index()] < m_schedule.ranks[rank.index()].size();
}

void OrderWalk::advance(RankId rank)
{
    const Row &row = m_schedule.ranks[rank.index()];
    for (std::size_t &step = m_next[rank.index()]; step < row.size(); ++step) {
        const Cell &cell = row[step];
        if (!cell)
            continue;
        if (const auto need = missing(*cell)) {
            m_waitsWith[rank.index()] = std::exchange(m_waiter[*slotOf(*need)], rank);
            return;
        }
        if (mustHoldBack(*cell)) {
            m_heldBack = rank;
            return;
        }
        for (const Action &action : partsOf(*cell))
            finish(action);
    }
}

std::optional<ActionKey> OrderWalk::missing(const Action &action) const
{
    const auto firstOpen = [this](const auto &keys) {
        const auto found = std::find_if(keys.begin(), keys.end(), [this](const ActionKey &key) { return isOpen(key); });
        return found == keys.end() ? std::nullopt : std::optional<ActionKey>(*found);
    };
    // Transfers that are spelled out go between neighbours: torch's lowering knows no others.
    const Feeds &feeds = isCompute(action.kind) ? m_feeds : m_neighbours;
    if (const auto open = action.kind == ActionKind::OverlapFB ? firstOpen(needs(action, feeds))
                                                               : firstOpen(needs(keyOf(action), feeds)))
        return open;
    if (m_maxInFlight > 0)
        for (const Action &part : partsOf(action))
            if (const ActionKey first = beginOf(part.microbatch); followsBegin(keyOf(part), m_feeds) && isOpen(first))
                return first;
    return std::nullopt;
}

std::optional<MicrobatchId> OrderWalk::oldestUnderWay() const
{
    const auto found =
        std::find_if(m_begun.begin(), m_begun.end(), [this](MicrobatchId id) { return m_endsLeft[id.index()] > 0; });
    return found == m_begun.end() ? std::nullopt : std::optional(*found);
}

bool OrderWalk::ends(const Action &action) const
{
    return endsMicrobatch(keyOf(action), m_feeds, m_trains);
}

bool OrderWalk::mustHoldBack(const Action &action) const
{
    const auto parts = partsOf(action);
    const auto more = static_cast<std::size_t>(std::count_if(parts.begin(), parts.end(), begins));
    return m_maxInFlight > 0 && more > 0 &&
           m_begun.size() + more > m_endedCount + static_cast<std::size_t>(m_maxInFlight);
}

void OrderWalk::finish(const Action &action)
{
    if (begins(action))
        m_begun.push_back(action.microbatch);
    if (ends(action) && --m_endsLeft[action.microbatch.index()] == 0) {
        ++m_endedCount;
        if (m_heldBack.valid())
            m_ready.push_back(std::exchange(m_heldBack, RankId{}));
    }
    if (const auto slot = slotOf(resultOf(keyOf(action)))) {
        m_done[*slot] = 1;
        for (RankId rank = std::exchange(m_waiter[*slot], RankId{}); rank.valid();
             rank = std::exchange(m_waitsWith[rank.index()], RankId{}))
            m_ready.push_back(rank);
    }
}

bool OrderWalk::isOpen(const ActionKey &result) const
{
    const auto slot = slotOf(result);
    return slot && m_done[*slot] == 0;
}

std::optional<std::size_t> OrderWalk::slotOf(const ActionKey &result) const
{
    const auto awaited = awaitedKinds();
    const auto kind = std::find(awaited.begin(), awaited.end(), result.kind);
    if (kind == awaited.end())
        return std::nullopt;
    const auto row = static_cast<std::size_t>(kind - awaited.begin());
    return (row * static_cast<std::size_t>(m_schedule.stages) + result.stage.index()) *
               static_cast<std::size_t>(m_schedule.microbatches) +
           (hasMicrobatch(result.kind) ? result.microbatch.index() : 0);
}

} // namespace pipescope::schedule

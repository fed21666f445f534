#include "schedule/validate/order_walk.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::schedule {

namespace {

// The kinds that other stages wait for, numbered; full and input backward are one.
std::optional<std::size_t> awaitedKind(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
        return 0;
    case ActionKind::FullBackward:
    case ActionKind::BackwardInput:
        return 1;
    case ActionKind::SendF:
        return 2;
    case ActionKind::RecvF:
        return 3;
    case ActionKind::SendB:
        return 4;
    case ActionKind::RecvB:
        return 5;
    default:
        return std::nullopt;
    }
}
constexpr std::size_t AwaitedKinds = 6;

// What an action needs of another stage. Its needs of its own stage (F before B, I before W) are the row's order.
std::optional<Action> feederOf(const Action &action, int stages)
{
    const StageId before{action.stage.value - 1};
    const StageId after{action.stage.value + 1};
    const auto of = [&](StageId stage, ActionKind kind) { return Action{stage, kind, action.microbatch, {}}; };
    switch (action.kind) {
    case ActionKind::Forward:
        return before.valid() ? std::optional(of(before, ActionKind::Forward)) : std::nullopt;
    case ActionKind::FullBackward:
    case ActionKind::BackwardInput:
        return after.value < stages ? std::optional(of(after, ActionKind::BackwardInput)) : std::nullopt;
    case ActionKind::RecvF:
        return of(before, ActionKind::SendF);
    case ActionKind::RecvB:
        return of(after, ActionKind::SendB);
    case ActionKind::WaitSendF:
        return of(after, ActionKind::RecvF);
    case ActionKind::WaitSendB:
        return of(before, ActionKind::RecvB);
    default:
        return std::nullopt;
    }
}

bool begins(const Action &action)
{
    return action.kind == ActionKind::Forward && action.stage.value == 0;
}

} // namespace

bool givesGradient(ActionKind kind)
{
    return kind == ActionKind::FullBackward || kind == ActionKind::BackwardInput;
}

OrderWalk::OrderWalk(const Schedule &schedule, int maxInFlight)
    : m_schedule(schedule)
    , m_maxInFlight(maxInFlight)
    , m_next(schedule.ranks.size(), 0)
    , m_ended(static_cast<std::size_t>(schedule.microbatches), 0)
{
    const std::size_t slots =
        AwaitedKinds * static_cast<std::size_t>(schedule.stages) * static_cast<std::size_t>(schedule.microbatches);
    m_done.resize(slots, 0);
    m_waiter.resize(slots);
    for (const Row &row : schedule.ranks)
        for (const Cell &cell : row)
            if (cell)
                for (const Action &action : partsOf(*cell))
                    m_trains = m_trains || givesGradient(action.kind);
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
            m_waiter[*slotOf(*need)] = rank;
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

std::optional<Action> OrderWalk::missing(const Action &action) const
{
    const auto parts = partsOf(action);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto need = feederOf(parts[i], m_schedule.stages);
        if (!need || m_done[*slotOf(*need)] != 0)
            continue;
        const auto gives = [&](const Action &part) { return slotOf(part) == slotOf(*need); };
        if (std::none_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i), gives))
            return need;
    }
    return std::nullopt;
}

std::optional<MicrobatchId> OrderWalk::oldestUnderWay() const
{
    const auto found =
        std::find_if(m_begun.begin(), m_begun.end(), [this](MicrobatchId id) { return m_ended[id.index()] == 0; });
    return found == m_begun.end() ? std::nullopt : std::optional(*found);
}

bool OrderWalk::ends(const Action &action) const
{
    if (m_trains)
        return action.stage.value == 0 &&
               (action.kind == ActionKind::FullBackward || action.kind == ActionKind::BackwardWeight);
    return action.kind == ActionKind::Forward && action.stage.value == m_schedule.stages - 1;
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
    if (ends(action)) {
        m_ended[action.microbatch.index()] = 1;
        ++m_endedCount;
        if (m_heldBack.valid())
            m_ready.push_back(std::exchange(m_heldBack, RankId{}));
    }
    if (const auto slot = slotOf(action)) {
        m_done[*slot] = 1;
        if (m_waiter[*slot].valid())
            m_ready.push_back(std::exchange(m_waiter[*slot], RankId{}));
    }
}

std::optional<std::size_t> OrderWalk::slotOf(const Action &action) const
{
    const auto kind = awaitedKind(action.kind);
    if (!kind)
        return std::nullopt;
    return (*kind * static_cast<std::size_t>(m_schedule.stages) + action.stage.index()) *
               static_cast<std::size_t>(m_schedule.microbatches) +
           action.microbatch.index();
}

} // namespace pipescope::schedule

#include "schedule/validate/seen_actions.h"

#include <numeric>

namespace pipescope::schedule {

namespace {

constexpr std::size_t SlotsForAnAction = 16;

std::uint16_t bitOf(ActionKind kind)
{
    static_assert(static_cast<int>(ActionKind::WaitReduceGrad) < 16);
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(kind));
}

} // namespace

SeenActions::SeenActions(const Schedule &schedule)
    : m_microbatches(static_cast<std::size_t>(schedule.microbatches))
{
    const std::size_t cells = std::accumulate(schedule.ranks.begin(), schedule.ranks.end(), std::size_t{0},
                                              [](std::size_t sum, const Row &row) { return sum + row.size(); });
    const std::size_t slots = static_cast<std::size_t>(schedule.stages) * m_microbatches;
    if (slots / SlotsForAnAction <= cells)
        m_kinds.resize(slots, 0);
}

bool SeenActions::insert(const ActionKey &action)
{
    if (m_kinds.empty())
        return m_actions.insert(action).second;
    std::uint16_t &kinds = m_kinds[slotOf(action)];
    const bool isNew = (kinds & bitOf(action.kind)) == 0;
    kinds = static_cast<std::uint16_t>(kinds | bitOf(action.kind));
    return isNew;
}

bool SeenActions::contains(const ActionKey &action) const
{
    return m_kinds.empty() ? m_actions.contains(action) : (m_kinds[slotOf(action)] & bitOf(action.kind)) != 0;
}

std::size_t SeenActions::slotOf(const ActionKey &action) const
{
    return action.stage.index() * m_microbatches + action.microbatch.index();
}

} // namespace pipescope::schedule

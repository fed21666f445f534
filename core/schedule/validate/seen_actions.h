// The actions of a schedule that were seen so far, in little memory for as many as a million microbatches have. Private
// to schedule/.
#pragma once

#include "schedule/action_key.h"
#include "schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace pipescope::schedule {

class SeenActions
{
public:
    /// For the actions of this schedule that name a microbatch, of its stages and microbatches.
    explicit SeenActions(const Schedule &schedule);

    /// False where it was seen before.
    bool insert(const ActionKey &action);
    [[nodiscard]] bool contains(const ActionKey &action) const;

private:
    [[nodiscard]] std::size_t slotOf(const ActionKey &action) const;

    std::size_t m_microbatches;
    std::vector<std::uint16_t> m_kinds; ///< by stage and microbatch, a bit for each kind; empty where few are there
    std::unordered_set<ActionKey> m_actions; ///< of a file that has few actions and counts them high
};

} // namespace pipescope::schedule

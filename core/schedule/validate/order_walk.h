// Runs a complete schedule without time, to see whether its ranks' orders go together. Private to schedule/; the rules
// are in order_check.h.
#pragma once

#include "schedule/schedule.h"

#include <optional>
#include <vector>

namespace pipescope::schedule {

/// Whether it is a backward that gives gradients: a full one gives what an input backward gives.
[[nodiscard]] bool givesGradient(ActionKind kind);

class OrderWalk
{
public:
    OrderWalk(const Schedule &schedule, int maxInFlight);

    /// Goes on until every rank has reached its end or waits.
    void run();

    [[nodiscard]] bool isStuck(RankId rank) const;
    /// The step that a rank has reached.
    [[nodiscard]] std::size_t step(RankId rank) const { return m_next[rank.index()]; }
    /// What the action still needs of another stage; a gradient is named as input backward. nullopt: nothing.
    [[nodiscard]] std::optional<Action> missing(const Action &action) const;
    /// The microbatch that began first of those that have begun and not ended.
    [[nodiscard]] std::optional<MicrobatchId> oldestUnderWay() const;
    /// Whether this action ends its microbatch.
    [[nodiscard]] bool ends(const Action &action) const;

private:
    void advance(RankId rank);
    [[nodiscard]] bool mustHoldBack(const Action &action) const;
    void finish(const Action &action);
    [[nodiscard]] std::optional<std::size_t> slotOf(const Action &action) const;

    const Schedule &m_schedule;
    int m_maxInFlight;
    bool m_trains = false;
    std::vector<std::size_t> m_next; // step, by rank
    std::vector<RankId> m_ready;
    std::vector<char> m_done;          // by slot
    std::vector<RankId> m_waiter;      // by slot; one at most, as only one action needs what a slot stands for
    RankId m_heldBack;                 // the rank of stage 0, where it may not begin another microbatch
    std::vector<MicrobatchId> m_begun; // in order
    std::vector<char> m_ended;         // by microbatch
    std::size_t m_endedCount = 0;
};

} // namespace pipescope::schedule

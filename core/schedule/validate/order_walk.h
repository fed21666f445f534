// Runs a complete schedule without time, to see whether its ranks' orders go together. Private to schedule/; the rules
// are in order_check.h.
#pragma once

#include "schedule/needs.h"
#include "schedule/schedule.h"

#include <optional>
#include <vector>

namespace pipescope::schedule {

class OrderWalk
{
public:
    /// Refers to all three, which must outlive it. Computations wait as `feeds` says, transfers as `neighbours` does.
    OrderWalk(const Schedule &schedule, const Feeds &feeds, const Feeds &neighbours, int maxInFlight);

    /// Goes on until every rank has reached its end or waits.
    void run();

    [[nodiscard]] bool isStuck(RankId rank) const;
    /// The step that a rank has reached.
    [[nodiscard]] std::size_t step(RankId rank) const { return m_next[rank.index()]; }
    /// The first result that the action still waits for; nullopt: none.
    [[nodiscard]] std::optional<ActionKey> missing(const Action &action) const;
    /// The microbatch that began first of those that have begun and not ended.
    [[nodiscard]] std::optional<MicrobatchId> oldestUnderWay() const;
    /// Whether its microbatch has not ended before this action.
    [[nodiscard]] bool ends(const Action &action) const;

private:
    void advance(RankId rank);
    [[nodiscard]] bool mustHoldBack(const Action &action) const;
    void finish(const Action &action);
    [[nodiscard]] bool isOpen(const ActionKey &result) const;
    [[nodiscard]] std::optional<std::size_t> slotOf(const ActionKey &result) const;

    const Schedule &m_schedule;
    const Feeds &m_feeds;
    const Feeds &m_neighbours;
    int m_maxInFlight;
    bool m_trains = false;
    std::vector<std::size_t> m_next; // step, by rank
    std::vector<RankId> m_ready;
    std::vector<char> m_done;          // by slot
    std::vector<RankId> m_waiter;      // by slot: one of the ranks that wait for it
    std::vector<RankId> m_waitsWith;   // by rank that waits: another one that waits for the same
    RankId m_heldBack;                 // the rank of stage 0, where it may not begin another microbatch
    std::vector<MicrobatchId> m_begun; // in order
    std::vector<int> m_endsLeft;       // by microbatch: actions without which it has not ended
    std::size_t m_endedCount = 0;
};

} // namespace pipescope::schedule

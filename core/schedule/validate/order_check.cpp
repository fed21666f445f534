#include "schedule/validate/order_check.h"

#include "schedule/validate/order_walk.h"
#include "schedule/validate/schedule_fault.h"

#include <algorithm>
#include <unordered_map>

namespace pipescope::schedule {

namespace {

constexpr std::size_t MostRanksNamed = 16;

// Who waits for whom, after a walk that got stuck. All that is waited for stands in the schedule, on a rank that has
// not reached it and so waits itself: following the waits from any rank ends in a circle.
class Waits
{
public:
    Waits(const Schedule &schedule, const OrderWalk &walk, int maxInFlight)
        : m_schedule(schedule)
        , m_walk(walk)
        , m_maxInFlight(maxInFlight)
    {
        const auto oldest = walk.oldestUnderWay();
        for (std::size_t r = 0; r < schedule.ranks.size(); ++r) {
            const RankId rank{static_cast<int>(r)};
            for (std::size_t step = walk.step(rank); step < schedule.ranks[r].size(); ++step) {
                if (!schedule.ranks[r][step])
                    continue;
                for (const Action &action : partsOf(*schedule.ranks[r][step])) {
                    const Coming coming{&action, {rank, static_cast<int>(step)}};
                    m_coming.emplace(resultOf(keyOf(action)), coming);
                    if (walk.ends(action) && oldest == action.microbatch)
                        m_endOfOldest = coming;
                }
            }
        }
    }

    // Each rank of it waits for the next, the last for the first.
    [[nodiscard]] std::vector<RankId> circle(RankId stuck) const
    {
        std::vector<RankId> path;
        std::vector<char> seen(m_schedule.ranks.size(), 0);
        RankId rank = stuck;
        for (; seen[rank.index()] == 0; rank = awaited(rank).place.rank) {
            seen[rank.index()] = 1;
            path.push_back(rank);
        }
        path.erase(path.begin(), std::find(path.begin(), path.end(), rank));
        std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
        return path;
    }

    // "rank 0 waits at 0B0 (step 1) for 1B0 of rank 1 (step 2)"
    [[nodiscard]] std::string text(RankId rank) const
    {
        const Action &action = actionAt(rank);
        const std::string begin =
            fmt::format("rank {} waits at {} (step {})", rank.value, toText(action), m_walk.step(rank));
        const Coming what = awaited(rank);
        if (what.action == &action)
            return begin +
                   fmt::format(", which begins more microbatches than the {} that may be under way", m_maxInFlight);
        const std::string where = what.place.rank == rank
                                      ? fmt::format(", which comes later (step {})", what.place.step)
                                      : fmt::format(" of rank {} (step {})", what.place.rank.value, what.place.step);
        const std::string limit =
            m_walk.missing(action) ? "" : fmt::format(", as at most {} may be under way", m_maxInFlight);
        return begin + " for " + toText(*what.action) + where + limit;
    }

private:
    // An action that has not run yet.
    struct Coming
    {
        const Action *action = nullptr;
        Place place;
    };

    [[nodiscard]] const Action &actionAt(RankId rank) const
    {
        return *m_schedule.ranks[rank.index()][m_walk.step(rank)];
    }

    [[nodiscard]] Coming awaited(RankId rank) const
    {
        if (const auto need = m_walk.missing(actionAt(rank)))
            return m_coming.at(*need);
        if (m_endOfOldest.action)
            return m_endOfOldest;
        // A compound that begins more microbatches than may ever be under way waits for itself.
        return {&actionAt(rank), {rank, static_cast<int>(m_walk.step(rank))}};
    }

    const Schedule &m_schedule;
    const OrderWalk &m_walk;
    int m_maxInFlight;
    std::unordered_map<ActionKey, Coming> m_coming; // by result
    Coming m_endOfOldest;
};

} // namespace

Status checkOrder(const Schedule &schedule, const Feeds &feeds, const Feeds &neighbours, int maxInFlight)
{
    OrderWalk walk(schedule, feeds, neighbours, maxInFlight);
    walk.run();
    RankId stuck{0};
    while (stuck.index() < schedule.ranks.size() && !walk.isStuck(stuck))
        ++stuck.value;
    if (stuck.index() == schedule.ranks.size())
        return Success{};

    const Waits waits(schedule, walk, maxInFlight);
    const std::vector<RankId> circle = waits.circle(stuck);
    std::string text = "Schedule is not progressing: ";
    for (std::size_t i = 0; i < std::min(circle.size(), MostRanksNamed); ++i)
        text += (i > 0 ? "; " : "") + waits.text(circle[i]);
    if (circle.size() > MostRanksNamed)
        text += fmt::format("; and so on, {} ranks in all", circle.size());
    const Place first{circle.front(), static_cast<int>(walk.step(circle.front()))};
    return faultAt(schedule, ErrorCode::Deadlock, std::move(text), first);
}

} // namespace pipescope::schedule

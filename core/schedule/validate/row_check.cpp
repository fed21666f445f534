#include "schedule/validate/row_check.h"

#include "schedule/needs.h"
#include "schedule/validate/schedule_fault.h"
#include "schedule/validate/seen_actions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace pipescope::schedule {

namespace {

// Above what an action's text can name: ids one beyond a count still fit in an int.
constexpr int CountLimit = 1 << 30;

// How many actions of each kind of computation a stage has.
struct Counts
{
    int forward = 0;
    int full = 0;
    int input = 0;
    int weight = 0;
};

std::string_view spelledOut(ActionKind kind)
{
    switch (kind) {
    case ActionKind::FullBackward:
        return "Full Backward";
    case ActionKind::BackwardInput:
        return "Backward Input";
    case ActionKind::BackwardWeight:
        return "Backward Weight";
    default:
        return "Forward";
    }
}

class RowCheck
{
public:
    explicit RowCheck(const Schedule &schedule)
        : m_schedule(schedule)
        , m_rankOf(static_cast<std::size_t>(schedule.stages))
        , m_counts(static_cast<std::size_t>(schedule.stages))
        , m_seen(schedule)
    {
    }

    Status checkRow(RankId rank)
    {
        const Row &row = m_schedule.ranks[rank.index()];
        bool any = false;
        for (std::size_t step = 0; step < row.size(); ++step) {
            if (!row[step])
                continue;
            any = true;
            const Place place{rank, static_cast<int>(step)};
            if (row[step]->kind == ActionKind::OverlapFB && row[step]->parts.empty())
                return invalidAt(m_schedule, place, "Got an invalid action: a compound without parts");
            for (const Action &action : partsOf(*row[step]))
                if (const std::string fault = faultOf(action, rank, row[step]->kind); !fault.empty())
                    return invalidAt(m_schedule, place, fault);
        }
        if (!any)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("Schedule is missing actions for rank {}", rank.value),
                         fmt::format("Rank {}", rank.value),
                         {}};
        return Success{};
    }

    [[nodiscard]] Status checkCounts(bool needsBackward) const
    {
        const bool backward = needsBackward || std::any_of(m_counts.begin(), m_counts.end(), [](const Counts &counts) {
                                  return counts.full + counts.input + counts.weight > 0;
                              });
        for (std::size_t stage = 0; stage < m_counts.size(); ++stage) {
            const Counts &counts = m_counts[stage];
            const std::string prefix = fmt::format("Invalid backward microbatches for stage {}: ", stage);
            if (counts.forward != m_schedule.microbatches)
                return incomplete(stage, fmt::format("Got {} FORWARD microbatches for stage {}, expected {}",
                                                     counts.forward, stage, m_schedule.microbatches));
            if (counts.input != counts.weight)
                return incomplete(stage, prefix + fmt::format("I and W must have equal counts, but got I={}, W={}",
                                                              counts.input, counts.weight));
            if (backward && counts.full + counts.input != m_schedule.microbatches)
                return incomplete(stage, prefix + fmt::format("expected {} total backwards, but got B={}, I={}, W={}",
                                                              m_schedule.microbatches, counts.full, counts.input,
                                                              counts.weight));
        }
        return Success{};
    }

private:
    // What is wrong with an action that stands in a cell of that kind, or "".
    std::string faultOf(const Action &action, RankId rank, ActionKind cellKind)
    {
        const std::string text = toText(action);
        if (cellKind == ActionKind::OverlapFB && (!isCompute(action.kind) || action.kind == ActionKind::OverlapFB))
            return fmt::format("Got an invalid action: {} cannot be part of a compound", text);
        if (action.stage.value < 0 || action.stage.value >= m_schedule.stages)
            return fmt::format("Got an invalid action: {}, but stages are 0 to {}", text, m_schedule.stages - 1);
        if (hasMicrobatch(action.kind) &&
            (action.microbatch.value < 0 || action.microbatch.value >= m_schedule.microbatches))
            return fmt::format("Got an invalid action: {}, but microbatches are 0 to {}", text,
                               m_schedule.microbatches - 1);
        RankId &owner = m_rankOf[action.stage.index()];
        if (owner.valid() && owner != rank)
            return fmt::format("Stage {} is assigned to both rank {} and rank {}", action.stage.value, owner.value,
                               rank.value);
        owner = rank;
        if (!hasMicrobatch(action.kind))
            return reductionFault(action, rank);
        std::string order = isCompute(action.kind) ? orderFault(action) : waitFault(action, rank);
        if (order.empty() && !m_seen.insert(keyOf(action)))
            return fmt::format("{} appears twice", text);
        return order;
    }

    [[nodiscard]] bool seen(ActionKind kind, const Action &action) const
    {
        return m_seen.contains(ActionKey{kind, action.stage, action.microbatch});
    }

    std::string orderFault(const Action &action)
    {
        count(action);
        if ((action.kind == ActionKind::FullBackward && seen(ActionKind::BackwardInput, action)) ||
            (action.kind == ActionKind::BackwardInput && seen(ActionKind::FullBackward, action)))
            return bothBackwards(action);
        const std::optional<ActionKey> open = missing(action);
        if (!open)
            return {};
        return fmt::format("Running {} for stage {}, microbatch {} without first running {}", spelledOut(action.kind),
                           action.stage.value, action.microbatch.value, spelledOut(open->kind));
    }

    void count(const Action &action)
    {
        Counts &counts = m_counts[action.stage.index()];
        counts.forward += action.kind == ActionKind::Forward ? 1 : 0;
        counts.full += action.kind == ActionKind::FullBackward ? 1 : 0;
        counts.input += action.kind == ActionKind::BackwardInput ? 1 : 0;
        counts.weight += action.kind == ActionKind::BackwardWeight ? 1 : 0;
    }

    // What the action needs of its own stage and has not run yet. A weight backward belongs to an input backward: a
    // full one will not do.
    [[nodiscard]] std::optional<ActionKey> missing(const Action &action) const
    {
        const Keys own = needs(keyOf(action), m_none);
        const auto found =
            std::find_if(own.begin(), own.end(), [this](const ActionKey &key) { return !m_seen.contains(key); });
        return found == own.end() ? std::nullopt : std::optional<ActionKey>(*found);
    }

    static std::string bothBackwards(const Action &action)
    {
        return fmt::format("stage {}, microbatch {} has a full backward and an input backward", action.stage.value,
                           action.microbatch.value);
    }

    [[nodiscard]] std::string waitFault(const Action &action, RankId rank) const
    {
        const bool waits = action.kind == ActionKind::WaitSendF || action.kind == ActionKind::WaitSendB;
        if (!waits || !missing(action))
            return {};
        return fmt::format("Pipeline wait {} at rank {} has no pending send", toText(action), rank.value);
    }

    // Such actions may come again: each wait ends one that is under way.
    std::string reductionFault(const Action &action, RankId rank)
    {
        const ActionKey key = keyOf(action);
        for (const ActionKey &need : needs(key, m_none))
            if (m_pending.erase(need) == 0)
                return fmt::format("Rank {} has {} for stage {} without a pending reduction", rank.value,
                                   kindName(action.kind), action.stage.value);
        m_pending.insert(key);
        return {};
    }

    [[nodiscard]] Error incomplete(std::size_t stage, std::string message) const
    {
        return {ErrorCode::InvalidArgument, std::move(message), fmt::format("stage {}", stage),
                "Full pipeline schedule:\n" + toGrid(m_schedule)};
    }

    const Schedule &m_schedule;
    std::vector<RankId> m_rankOf; // by stage
    const Feeds m_none;           // a row knows its own stages only
    std::vector<Counts> m_counts; // by stage
    SeenActions m_seen;
    std::unordered_set<ActionKey> m_pending; // of kinds without a microbatch: begun, and not waited for
};

} // namespace

Status checkRows(const Schedule &schedule, bool needsBackward)
{
    if (schedule.stages < 1 || schedule.microbatches < 1 || schedule.ranks.empty())
        return Error{ErrorCode::InvalidArgument,
                     "the schedule is empty: it needs a rank, a stage and a microbatch",
                     schedule.name,
                     {}};
    if (std::max(schedule.stages, schedule.microbatches) >= CountLimit)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a schedule has fewer than {} stages and microbatches", CountLimit),
                     schedule.name,
                     {}};
    RowCheck check(schedule);
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
        if (Status row = check.checkRow(RankId{static_cast<int>(rank)}); !row)
            return row;
    return check.checkCounts(needsBackward);
}

} // namespace pipescope::schedule

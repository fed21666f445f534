// The way from one layout to another as places to stop at: the whole way, where it has several steps, then each step.
#pragma once

#include "shard/redistribution.h"

#include <QString>
#include <optional>

namespace pipescope::shardview {

class StepWalk
{
public:
    /// Plans the way anew, and stops at its first place. Without a target there is one place and no way.
    void set(std::optional<shard::Layout> from, std::optional<shard::Layout> to);
    /// Cheapest at first. Stops at the first place of its plan.
    void setPlanner(shard::Planner planner);
    [[nodiscard]] shard::Planner planner() const { return m_planner; }

    /// Of the planner; nullptr where there is no way: no target, or one that this planner refuses.
    [[nodiscard]] const shard::Redistribution *plan() const;
    /// Why this planner has no way; "" where it has, or nobody asks for one.
    [[nodiscard]] QString refusal() const;
    /// What is to be said of the plan: that it is not the planner's own, what PyTorch warns of. "" mostly.
    [[nodiscard]] QString remarks() const;
    /// In which the planners differ: "What PyTorch 2.15 would do: S(0)->R, one collective, ...", or what would be
    /// cheaper. "" where they do not.
    [[nodiscard]] QString difference() const;

    [[nodiscard]] int places() const;
    [[nodiscard]] int place() const { return m_place; }
    /// Within the places there are.
    void goTo(int place);
    /// To the place of a step of the plan.
    void goToStep(int index);

    /// What is there before and after; nullptr for none.
    [[nodiscard]] const shard::Layout *before() const;
    [[nodiscard]] const shard::Layout *after() const;
    /// The step that leads from one to the other; nullptr for the whole way, and where nothing changes.
    [[nodiscard]] const shard::Step *step() const;
    /// Of the step in the plan; -1 where step() has none.
    [[nodiscard]] int stepIndex() const;

private:
    using Planned = std::optional<Result<shard::Redistribution>>;

    [[nodiscard]] const Planned &planned() const
    {
        return m_planner == shard::Planner::Cheapest ? m_cheapest : m_upstream;
    }
    [[nodiscard]] bool hasOverview() const;

    shard::Planner m_planner = shard::Planner::Cheapest;
    std::optional<shard::Layout> m_from;
    std::optional<shard::Layout> m_to;
    Planned m_upstream;
    Planned m_cheapest;
    int m_place = 0;
};

} // namespace pipescope::shardview

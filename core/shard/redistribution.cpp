#include "shard/redistribution.h"

#include "shard/check_redistribution.h"
#include "shard/equal_forms.h"
#include "shard/geometry.h"
#include "shard/plans.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace pipescope::shard {

namespace {

template <class Held>
bool holds(const Layout &layout)
{
    return std::any_of(layout.placements().begin(), layout.placements().end(),
                       [](const Placement &placement) { return std::holds_alternative<Held>(placement); });
}

bool mixesPartials(const PlanSpace &space, const PlanState &state)
{
    int first = -1;
    for (int dim = 0; dim < space.meshDims(); ++dim) {
        if (!space.isPartial(kindAt(state, dim)))
            continue;
        if (first >= 0 && !space.reduceTogether(kindAt(state, first), kindAt(state, dim)))
            return true;
        first = dim;
    }
    return false;
}

bool mixesPartials(const PlanSpace &space, const Plan &plan)
{
    return std::any_of(plan.moves.begin(), plan.moves.end(),
                       [&](const Move &move) { return mixesPartials(space, move.after); });
}

Plan rightInstead(PlanSpace &space, const Layout &from, const Layout &to, std::string note)
{
    Plan plan = planDirect(space, space.state(from), space.state(to));
    plan.note = std::move(note);
    return plan;
}

Plan upstreamGreedy(PlanSpace &space, const Layout &from, const Layout &to)
{
    const PlanState end = space.state(to);
    Plan plan = planGreedy(space, space.state(from), end);
    const bool fromLeft = from.order().empty() && to.order().empty();
    if (!fromLeft || !greedyIsRight(space, plan, end))
        return rightInstead(
            space, from, to,
            fmt::format("PyTorch 2.15 cannot tell the order of the cuts from the split factors in {} and "
                        "moves wrong elements or fails; these steps are right.",
                        holds<StridedShard>(from) ? from.text() : to.text()));
    if (mixesPartials(space, plan))
        return rightInstead(
            space, from, to,
            "PyTorch 2.15 has Partials of two kinds side by side on the way; here one is reduced first.");
    return plan;
}

Plan upstreamSearch(PlanSpace &space, const Layout &from, const Layout &to)
{
    std::optional<Layout> start = asOrder(from);
    std::optional<Layout> end = asOrder(to);
    if (!start || !end)
        return upstreamGreedy(space, from, to);
    if (!holdTheSame(from, *start) || !holdTheSame(to, *end))
        return rightInstead(space, from, to,
                            "PyTorch 2.15 takes the split factors for an order of cuts, which holds other elements for "
                            "these uneven sizes, and moves wrong ones; these steps are right.");
    std::optional<Plan> plan = planSearch(space, space.state(*start), space.state(*end));
    if (!plan)
        return rightInstead(
            space, from, to,
            "PyTorch 2.15 searches too many plans for this mesh to be followed; these steps are right.");
    return *std::move(plan);
}

Plan planUpstream(PlanSpace &space, const Layout &from, const Layout &to)
{
    if (from.placements() == to.placements() && from.order() == to.order())
        return {space.state(from), {}, {}, {}};
    const bool fromLeft = from.order().empty() && to.order().empty();
    const bool strided = holds<StridedShard>(from) || holds<StridedShard>(to);
    Plan plan = fromLeft && !strided ? upstreamGreedy(space, from, to) : upstreamSearch(space, from, to);
    if (plan.note.empty())
        mergeByFlattenings(plan, space, from, to);
    return plan;
}

// The layout with Replicate along mesh dimensions of one rank: there all placements are the same.
Layout withoutSingles(const Layout &layout)
{
    LayoutRequest request{layout.mesh(),  layout.placements(), layout.shape(),
                          layout.order(), layout.stride(),     layout.dtype()};
    const auto isSingle = [&](int dim) { return layout.mesh().size(dim) == 1; };
    for (int dim = 0; dim < layout.mesh().ndim(); ++dim)
        if (isSingle(dim))
            request.placements[slot(dim)] = Replicate{};
    for (ShardOrderEntry &entry : request.order)
        std::erase_if(entry.meshDims, isSingle);
    std::erase_if(request.order, [](const ShardOrderEntry &entry) { return entry.meshDims.empty(); });
    Result<Layout> made = Layout::make(std::move(request));
    return *std::move(made);
}

std::vector<PlanState> formsOf(PlanSpace &space, const Layout &layout)
{
    std::vector<PlanState> states;
    for (const Layout &form : equalForms(withoutSingles(layout)))
        states.push_back(space.state(form));
    return states;
}

Plan cheapest(PlanSpace &space, const Layout &from, const Layout &to)
{
    const std::vector<PlanState> start = formsOf(space, from);
    const std::vector<PlanState> end = formsOf(space, to);
    return planCheapest(space, start, end);
}

// The states on the way become layouts; those at the ends are written as they were given.
Redistribution redistributionOf(const PlanSpace &space, Plan plan, const Layout &from, const Layout &to)
{
    Redistribution result;
    result.note = std::move(plan.note);
    result.warnings = std::move(plan.warnings);
    const PlanState *state = &plan.start;
    for (std::size_t i = 0; i < plan.moves.size(); ++i) {
        const Move &move = plan.moves[i];
        const int ranks = space.links().ranks(move.dims);
        Step step{dimsOf(move.dims),
                  ranks == 1 ? Collective::None : move.collective,
                  i == 0 ? from : result.steps.back().after,
                  i + 1 == plan.moves.size() ? to : space.layout(move.after),
                  {},
                  0};
        step.bytes = stepBytes(step.before, step.after, step.collective, ranks);
        step.microseconds = ranks == 1 ? 0 : space.microseconds(*state, move);
        result.microseconds += step.microseconds;
        result.steps.push_back(std::move(step));
        state = &move.after;
    }
    return result;
}

} // namespace

Result<Redistribution> planRedistribution(const Layout &from, const Layout &to, Planner planner, const CostModel &costs,
                                          AskedBy askedBy)
{
    if (Status ok = checkRedistribution(from, to, askedBy); !ok)
        return ok.error();
    if (Status ok = checkCosts(costs); !ok)
        return ok.error();
    PlanSpace space(from, costs);
    Plan plan = planner == Planner::Upstream ? planUpstream(space, from, to) : cheapest(space, from, to);
    return redistributionOf(space, std::move(plan), from, to);
}

double redistributeCost(const Layout &from, const Layout &to, const CostModel &costs)
{
    constexpr double Infinite = std::numeric_limits<double>::infinity();
    if (!(from.mesh() == to.mesh()) || !checkCosts(costs))
        return Infinite;
    const auto replicates = [](const Placement &placement) { return std::holds_alternative<Replicate>(placement); };
    if (std::all_of(from.placements().begin(), from.placements().end(), replicates))
        return 0;
    if (from.placements() == to.placements() && from.order() == to.order())
        return 0;
    if (holds<StridedShard>(from) || holds<StridedShard>(to))
        return Infinite;
    PlanSpace space(from, costs);
    const PlanState start = space.state(from);
    const PlanState end = space.state(to);
    const bool fromLeft = from.order().empty() && to.order().empty();
    const std::optional<Plan> plan = fromLeft ? planGreedy(space, start, end) : planSearch(space, start, end);
    if (!plan)
        return Infinite;
    const PlanState *before = &plan->start;
    double sum = 0;
    for (const Move &move : plan->moves) {
        const int dim = dimsOf(move.dims).front();
        if (move.collective == Collective::LocalPartial && kindAt(*before, dim) != 0)
            return Infinite; // of a Shard, or of another Partial
        sum += space.microseconds(*before, move);
        before = &move.after;
    }
    return sum;
}

} // namespace pipescope::shard

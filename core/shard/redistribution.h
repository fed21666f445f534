// How a tensor gets from one layout to another on the same mesh: steps, each one collective over one mesh dimension or
// several at once, with the bytes that it moves and the time that it is expected to take.
#pragma once

#include "base/result.h"
#include "shard/cost_model.h"
#include "shard/layout.h"
#include "shard/step_bytes.h"

#include <string>
#include <vector>

namespace pipescope::shard {

/// All ranks of a line along `meshDims` take part in it together. `before` and `after` say which elements each of them
/// has, and in which order; that is all that is needed to carry it out:
/// - LocalChunk: a rank keeps those of its elements that `after` gives it.
/// - LocalPartial: along `meshDims`, a Replicate becomes shares of the Partial in `after`, a Shard lies in zeros.
/// - AllGather, AllToAll: a rank takes what `after` gives it from the ranks of its line.
/// - AllReduce, ReduceScatter: the Partials that `before` has along `meshDims` are reduced; a rank keeps what `after`
///   gives it. Sums and averages may stand side by side: the sum is then divided by the ranks of the averages.
/// - None: a mesh dimension of one rank; the placement changes and nothing else.
struct Step
{
    std::vector<int> meshDims; ///< one, or several that one collective runs over together, ascending
    Collective collective = Collective::None;
    Layout before;
    Layout after;
    StepBytes bytes;
    double microseconds = 0; ///< by the cost model

    friend bool operator==(const Step &, const Step &) = default;
};

/// Who asks for a redistribution: operators may have what users may not, a Partial made of a Replicate.
enum class AskedBy { User, Operator };

enum class Planner {
    /// As PyTorch 2.15 plans: its greedy walk, or its search where cuts of a tensor dimension are strided or do not
    /// come
    /// from the left. Collectives over several mesh dimensions become one where the mesh has such a flattening. Where
    /// that moves wrong elements, the steps are right ones and the note says so.
    Upstream,
    /// The least time by the cost model over all moves between cuts in any order; collectives over several mesh
    /// dimensions are one wherever that is quicker, whether or not the mesh has a flattening.
    Cheapest,
};

/// The first step begins with the layout that was given, the last one ends with the one that was asked for, and each
/// begins with what the one before it ends with.
struct Redistribution
{
    std::vector<Step> steps; ///< empty where both layouts hold the same already, though perhaps written differently
    double microseconds = 0; ///< of all steps
    /// Why the plan is not the one that the planner stands for, in a sentence or two; else empty.
    std::string note;
    /// What PyTorch logs once per mesh and dimensions for such a plan: several collectives that a flattening of the
    /// mesh could make one. Planner::Upstream only.
    std::vector<std::string> warnings;

    friend bool operator==(const Redistribution &, const Redistribution &) = default;
};

/// The steps from one layout to another of the same mesh, shape and dtype. `to` may hold a Partial only where `from`
/// holds the same, or a plain Shard for a Partial(sum), as upstream allows; an operator may also turn a Replicate into
/// a Partial. Errors in upstream's words: "Cross device mesh comm not supported yet!" for two meshes, also where
/// upstream ignores the other one because the placements are the same; "Can not redistribute from R to P(sum), only
/// Shard to Partial(sum) redistribution is supported!"; "Replicate to Partial(product) conversion is not supported.";
/// InvalidArgument for another shape or dtype, or constants of the cost model that are none.
Result<Redistribution> planRedistribution(const Layout &from, const Layout &to, Planner planner,
                                          const CostModel &costs = {}, AskedBy askedBy = AskedBy::User);

/// Upstream's redistribute_cost, microseconds, by which it ranks operators' strategies: the sum over the steps of its
/// own plan, none of them merged. Infinite where it has no plan or no price: for another mesh, a StridedShard, a Shard
/// that becomes a Partial, constants that are none. Mesh dimensions of one rank cost what others do.
[[nodiscard]] double redistributeCost(const Layout &from, const Layout &to, const CostModel &costs = {});

/// "S(0)[0]S(0)[1]->S(0)R->RR"; "-->" marks a step over several mesh dimensions at once. Upstream's trace string:
/// strided shards that stand for an order are written as that order, and the two steps that lead to strided shards or
/// away from them as one.
[[nodiscard]] std::string traceText(const Layout &from, const Redistribution &plan);

} // namespace pipescope::shard

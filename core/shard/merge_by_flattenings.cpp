#include "shard/cut_lengths.h"
#include "shard/plans.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::shard {

namespace {

bool mayMerge(Collective collective)
{
    return collective == Collective::AllGather || collective == Collective::AllReduce ||
           collective == Collective::ReduceScatter;
}

// "(Partial(sum), Replicate())", as Python writes a tuple.
std::string placementsTuple(const Placements &placements)
{
    std::vector<std::string> texts;
    for (const Placement &placement : placements)
        texts.push_back(text(placement));
    return fmt::format("({}{})", fmt::join(texts, ", "), texts.size() == 1 ? "," : "");
}

std::string dimsText(const DeviceMesh &mesh, DimSet dims)
{
    std::vector<std::string> texts;
    for (const int dim : dimsOf(dims))
        texts.push_back(mesh.names().empty() ? std::to_string(dim) : fmt::format("\"{}\"", mesh.names()[slot(dim)]));
    if (mesh.names().empty())
        return fmt::format("dims {} of {}", fmt::join(texts, ", "), mesh.text());
    return fmt::format("{}", fmt::join(texts, ", "));
}

class Merger
{
public:
    Merger(Plan &plan, const PlanSpace &space, const Layout &from, const Layout &to)
        : m_plan(plan)
        , m_space(space)
        , m_from(from)
        , m_to(to)
    {
    }

    void run()
    {
        for (std::size_t first = 0; first < m_plan.moves.size();) {
            const std::size_t end = endOfGroup(first);
            if (end - first < 2 || !merge(first, end))
                m_merged.insert(m_merged.end(), m_plan.moves.begin() + static_cast<std::ptrdiff_t>(first),
                                m_plan.moves.begin() + static_cast<std::ptrdiff_t>(end));
            first = end;
        }
        m_plan.moves = std::move(m_merged);
    }

private:
    const PlanState &before(std::size_t move) const { return move == 0 ? m_plan.start : m_plan.moves[move - 1].after; }
    int dimOf(std::size_t move) const { return std::countr_zero(m_plan.moves[move].dims); }
    Kind source(std::size_t move) const { return kindAt(before(move), dimOf(move)); }
    Kind target(std::size_t move) const { return kindAt(m_plan.moves[move].after, dimOf(move)); }

    std::size_t endOfGroup(std::size_t first) const
    {
        std::size_t end = first + 1;
        if (!mayMerge(m_plan.moves[first].collective) || isOnTheWayToStrides(first) || isStrided(source(first)))
            return end;
        while (end < m_plan.moves.size() && isLike(end, first) && !isOnTheWayToStrides(end))
            ++end;
        return end;
    }

    bool isStrided(Kind kind) const { return m_space.isCut(kind) && !m_space.isPlainCut(kind); }

    // Upstream goes there in one step of its own kind, which it never merges.
    bool isOnTheWayToStrides(std::size_t move) const
    {
        const std::size_t next = move + 1;
        return next < m_plan.moves.size() && m_plan.moves[next].dims == m_plan.moves[move].dims &&
               m_plan.moves[next].collective == Collective::LocalChunk && isStrided(target(next));
    }

    bool isLike(std::size_t move, std::size_t first) const
    {
        return m_plan.moves[move].collective == m_plan.moves[first].collective && target(move) == target(first) &&
               (source(move) == source(first) ||
                (m_space.isPartial(source(move)) && m_space.reduceTogether(source(move), source(first))));
    }

    bool merge(std::size_t first, std::size_t end)
    {
        const Move &last = m_plan.moves[end - 1];
        DimSet dims = 0;
        bool ascends = true;
        bool descends = true;
        for (std::size_t move = first; move < end; ++move) {
            dims |= m_plan.moves[move].dims;
            ascends = ascends && (move == first || dimOf(move - 1) < dimOf(move));
            descends = descends && (move == first || dimOf(move - 1) > dimOf(move));
        }
        const bool inOrder =
            last.collective == Collective::AllReduce || (last.collective == Collective::AllGather ? descends : ascends);
        if (!inOrder)
            return refuse(first, end,
                          fmt::format("it is not possible to merge non-ascending order {} operations.",
                                      collectiveName(last.collective)));
        if (!isFlattened(dims))
            return refuse(first, end,
                          fmt::format("To optimize, flatten mesh dimensions [{}] so DTensor can use a single operation "
                                      "instead.",
                                      dimsText(m_from.mesh(), dims)));
        if (last.collective == Collective::ReduceScatter && !dividesEvenly(first, dims))
            return refuse(first, end,
                          " Unfortunately, because the tensor dimension is not evenly divisible by the product of the "
                          "mesh dim sizes that would need to be flattened for the optimization to work, it can not be "
                          "optimized.");
        if (last.collective == Collective::AllGather && !gathersRight(first, end)) {
            m_plan.note = "PyTorch 2.15 gathers these uneven nested shards over the flattened mesh dimension in one "
                          "step and gets wrong elements; here they are gathered one mesh dimension at a time.";
            return false;
        }
        m_merged.push_back({dims, last.collective, last.after});
        return true;
    }

    bool refuse(std::size_t first, std::size_t end, const std::string &reason)
    {
        const Collective collective = m_plan.moves[first].collective;
        m_plan.warnings.push_back(
            fmt::format("While redistributing from {} to {}, {} sequential {} operations will be performed. This is "
                        "suboptimal: multiple collective operations have higher latency (separate kernel launches and "
                        "synchronization points) and may give inconsistent results between ranks due to different "
                        "reduction orders. {}",
                        placementsTuple(m_from.placements()), placementsTuple(m_to.placements()), end - first,
                        collectiveName(collective), reason));
        return false;
    }

    bool isFlattened(DimSet dims) const
    {
        const std::vector<int> wanted = dimsOf(dims);
        const std::vector<Flattening> &known = m_from.mesh().flattenings();
        return std::any_of(known.begin(), known.end(),
                           [&](const Flattening &flattening) { return flattening.dims == wanted; });
    }

    bool dividesEvenly(std::size_t first, DimSet dims) const
    {
        const int tensorDim = m_space.tensorDim(target(first));
        const Layout layout = m_space.layout(before(first));
        for (const std::int64_t length : lengthsAfter(layout, tensorDim, layout.cuts(tensorDim).size()))
            if (length % m_space.links().ranks(dims) != 0)
                return false;
        return true;
    }

    bool gathersRight(std::size_t first, std::size_t end) const
    {
        return lastCutsAreOne(m_space.layout(before(first)), m_space.tensorDim(source(first)), end - first);
    }

    Plan &m_plan;
    const PlanSpace &m_space;
    const Layout &m_from;
    const Layout &m_to;
    std::vector<Move> m_merged;
};

} // namespace

void mergeByFlattenings(Plan &plan, const PlanSpace &space, const Layout &from, const Layout &to)
{
    Merger(plan, space, from, to).run();
}

} // namespace pipescope::shard

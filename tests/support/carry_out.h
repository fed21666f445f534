// Carries out the steps of a redistribution on numbers, rank by rank, knowing only what a step says: its lines, its
// collective, and what each rank holds before and after. Elements are found index by index (layouts.h), by no code of
// core/shard.
#pragma once

#include "shard/redistribution.h"
#include "support/layouts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::tests {

/// The values of one rank, in the order in which it holds them.
using Values = std::vector<std::int64_t>;

/// The whole tensor's value of an element. Shares of it are whole numbers on meshes of up to 8 ranks.
inline std::int64_t wholeValue(std::int64_t element)
{
    constexpr std::int64_t Unit = 840;
    return Unit * (element + 1);
}

/// The elements of the place, numbered row by row over the whole tensor, in the order in which it holds them.
inline Indices heldElements(const shard::Layout &layout, const shard::Coordinate &place)
{
    Indices elements{0};
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        const Indices along = heldIndices(layout, place, dim);
        Indices finer;
        for (const std::int64_t element : elements)
            for (const std::int64_t index : along)
                finer.push_back(element * layout.shape()[static_cast<std::size_t>(dim)] + index);
        elements = std::move(finer);
    }
    return elements;
}

/// One rank's share of a value that `partial` puts together from `ranks` shares; all different, where they can be.
inline std::int64_t shareOf(std::int64_t value, const shard::Placement &partial, int ranks, int rank)
{
    constexpr std::int64_t Unit = 840;
    const auto *known = std::get_if<shard::Partial>(&partial);
    const shard::ReduceOp op = known ? known->op : shard::ReduceOp::Sum;
    const bool isLast = rank == ranks - 1;
    switch (op) {
    case shard::ReduceOp::Sum: // 1, 2, 3, ... units, and what is left
        return isLast ? value - Unit * (ranks - 1) * ranks / 2 : Unit * (rank + 1);
    case shard::ReduceOp::Avg: // off by 1, 2, 3, ... units, and back
        return isLast ? value - Unit * (ranks - 1) * ranks / 2 : value + Unit * (rank + 1);
    case shard::ReduceOp::Max:
        return value - Unit * rank;
    case shard::ReduceOp::Min:
        return value + Unit * rank;
    case shard::ReduceOp::Product:
        return isLast ? value : 1;
    }
    return value;
}

/// What each rank holds of a tensor with that layout, in the order of DeviceMesh::ranks().
inline std::vector<Values> valuesOf(const shard::Layout &layout)
{
    std::vector<Values> all;
    for (const shard::Coordinate &place : placesOf(layout.mesh())) {
        Values values;
        for (const std::int64_t element : heldElements(layout, place)) {
            std::int64_t value = wholeValue(element);
            for (std::size_t dim = 0; dim < place.size(); ++dim)
                if (shard::isPartial(layout.placements()[dim]))
                    value =
                        shareOf(value, layout.placements()[dim], layout.mesh().size(static_cast<int>(dim)), place[dim]);
            values.push_back(value);
        }
        all.push_back(std::move(values));
    }
    return all;
}

/// The value that the shares of a line make, reduced along all its mesh dimensions at once.
class Reduction
{
public:
    Reduction(const shard::Layout &layout, const std::vector<int> &meshDims)
    {
        for (const int dim : meshDims) {
            const auto *partial = std::get_if<shard::Partial>(&layout.placements()[static_cast<std::size_t>(dim)]);
            m_op = partial ? partial->op : shard::ReduceOp::Sum;
            if (m_op == shard::ReduceOp::Avg)
                m_divisor *= layout.mesh().size(dim);
        }
    }

    std::int64_t of(const Values &shares) const
    {
        std::int64_t result = shares.front();
        for (std::size_t i = 1; i < shares.size(); ++i)
            switch (m_op) {
            case shard::ReduceOp::Sum:
            case shard::ReduceOp::Avg:
                result += shares[i];
                break;
            case shard::ReduceOp::Max:
                result = std::max(result, shares[i]);
                break;
            case shard::ReduceOp::Min:
                result = std::min(result, shares[i]);
                break;
            case shard::ReduceOp::Product:
                result *= shares[i];
                break;
            }
        return result / m_divisor;
    }

private:
    shard::ReduceOp m_op = shard::ReduceOp::Sum;
    std::int64_t m_divisor = 1;
};

/// The ranks of one line while it carries out a step.
class LineRun
{
public:
    LineRun(const shard::Step &step, const shard::Line &line, std::vector<Values> &values)
        : m_step(step)
        , m_values(values)
    {
        const shard::DeviceMesh &mesh = step.before.mesh();
        for (const RankId rank : line) {
            const auto place = std::find(mesh.ranks().begin(), mesh.ranks().end(), rank) - mesh.ranks().begin();
            m_members.push_back(static_cast<std::size_t>(place));
            m_places.push_back(mesh.coordinateAt(static_cast<int>(place)));
            m_before.push_back(heldElements(step.before, m_places.back()));
            m_after.push_back(heldElements(step.after, m_places.back()));
        }
    }

    /// What cannot be done as the step says; empty where it was done.
    std::string run()
    {
        for (std::size_t i = 0; i < m_members.size(); ++i)
            if (m_values[m_members[i]].size() != m_before[i].size())
                return "a rank does not hold as much as the step expects";
        switch (m_step.collective) {
        case shard::Collective::None:
            return m_members.size() == 1 && m_before == m_after ? "" : "a step of nothing changes something";
        case shard::Collective::LocalChunk:
            return forEachAlone([&](std::size_t i) { return take(i, storeOf({i})); });
        case shard::Collective::LocalPartial:
            return forEachAlone([&](std::size_t i) { return makeShare(i); });
        case shard::Collective::AllGather:
        case shard::Collective::AllToAll:
            return exchange();
        case shard::Collective::AllReduce:
        case shard::Collective::ReduceScatter:
            return reduce();
        case shard::Collective::Broadcast:
        case shard::Collective::Scatter:
            break;
        }
        return "no such step belongs in a redistribution";
    }

private:
    struct Store
    {
        std::vector<bool> known;
        Values values;
        std::size_t count = 0;
        bool heldTwice = false;
    };

    template <class Act>
    std::string forEachAlone(Act act)
    {
        for (std::size_t i = 0; i < m_members.size(); ++i)
            if (std::string wrong = act(i); !wrong.empty())
                return wrong;
        return {};
    }

    Store storeOf(const std::vector<std::size_t> &members) const
    {
        const auto numel = static_cast<std::size_t>(m_step.before.numel());
        Store store{std::vector<bool>(numel), Values(numel), 0, false};
        for (const std::size_t i : members)
            for (std::size_t j = 0; j < m_before[i].size(); ++j) {
                const auto element = static_cast<std::size_t>(m_before[i][j]);
                store.heldTwice = store.heldTwice || store.known[element];
                store.known[element] = true;
                store.values[element] = m_values[m_members[i]][j];
                ++store.count;
            }
        return store;
    }

    std::string take(std::size_t i, const Store &store)
    {
        Values taken;
        for (const std::int64_t element : m_after[i]) {
            if (!store.known[static_cast<std::size_t>(element)])
                return "nobody of the line holds an element that a rank shall have";
            taken.push_back(store.values[static_cast<std::size_t>(element)]);
        }
        m_taken.push_back(std::move(taken));
        if (m_taken.size() == m_members.size())
            for (std::size_t member = 0; member < m_members.size(); ++member)
                m_values[m_members[member]] = std::move(m_taken[member]);
        return {};
    }

    std::string makeShare(std::size_t i)
    {
        const auto dim = static_cast<std::size_t>(m_step.meshDims.front());
        const shard::Placement &partial = m_step.after.placements()[dim];
        if (m_step.meshDims.size() != 1 || !shard::isPartial(partial))
            return "a step of one mesh dimension makes a Partial";
        Store store = storeOf({i});
        if (std::holds_alternative<shard::Replicate>(m_step.before.placements()[dim])) {
            const auto *known = std::get_if<shard::Partial>(&partial);
            if (!known || known->op == shard::ReduceOp::Sum)
                for (std::int64_t &value : store.values)
                    value /= static_cast<std::int64_t>(m_members.size());
        } else if (partial != shard::Placement(shard::Partial{})) {
            return "zeros make a sum only";
        } else {
            store.known.assign(store.known.size(), true);
        }
        return take(i, store);
    }

    std::string exchange()
    {
        std::vector<std::size_t> all(m_members.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const Store store = storeOf(all);
        if (store.heldTwice)
            return "two ranks of the line hold the same element";
        return forEachAlone([&](std::size_t i) {
            const bool takesAll = m_after[i].size() == store.count;
            if (m_step.collective == shard::Collective::AllGather && !takesAll)
                return std::string("an all-gather leaves a rank with less than all of its line");
            return take(i, store);
        });
    }

    std::string reduce()
    {
        for (const int dim : m_step.meshDims)
            if (!shard::isPartial(m_step.before.placements()[static_cast<std::size_t>(dim)]))
                return "only Partials can be reduced";
        const Reduction reduction(m_step.before, m_step.meshDims);
        Store store = storeOf({0});
        for (std::size_t j = 0; j < m_before[0].size(); ++j) {
            Values shares;
            for (std::size_t i = 0; i < m_members.size(); ++i) {
                if (m_before[i] != m_before[0])
                    return "the ranks of the line hold different elements";
                shares.push_back(m_values[m_members[i]][j]);
            }
            store.values[static_cast<std::size_t>(m_before[0][j])] = reduction.of(shares);
        }
        return forEachAlone([&](std::size_t i) {
            if (m_step.collective == shard::Collective::AllReduce && m_after[i] != m_before[i])
                return std::string("an all-reduce leaves a rank with other elements");
            return take(i, store);
        });
    }

    const shard::Step &m_step;
    std::vector<Values> &m_values;
    std::vector<std::size_t> m_members;
    std::vector<shard::Coordinate> m_places;
    std::vector<Indices> m_before;
    std::vector<Indices> m_after;
    std::vector<Values> m_taken;
};

/// What is wrong with values that shall be a tensor of that layout; empty where they are one.
inline std::string wrongIn(std::vector<Values> values, const shard::Layout &layout)
{
    const shard::DeviceMesh &mesh = layout.mesh();
    for (int dim = 0; dim < mesh.ndim(); ++dim) {
        if (!shard::isPartial(layout.placements()[static_cast<std::size_t>(dim)]))
            continue;
        for (const shard::Line &line : mesh.lines(std::vector{dim})) {
            const shard::Step whole{{dim}, shard::Collective::AllReduce, layout, layout, {}, 0};
            if (std::string wrong = LineRun(whole, line, values).run(); !wrong.empty())
                return "at the end, " + wrong;
        }
    }
    for (int i = 0; i < mesh.size(); ++i) {
        Values expected;
        for (const std::int64_t element : heldElements(layout, mesh.coordinateAt(i)))
            expected.push_back(wholeValue(element));
        if (values[static_cast<std::size_t>(i)] != expected)
            return "rank " + std::to_string(i) + " ends with other values than the layout says";
    }
    return {};
}

/// What goes wrong when the plan is carried out; empty where every rank ends with what `to` gives it.
inline std::string wrongIn(const shard::Redistribution &plan, const shard::Layout &from, const shard::Layout &to)
{
    std::vector<Values> values = valuesOf(from);
    const shard::Layout *before = &from;
    for (const shard::Step &step : plan.steps) {
        if (!(step.before == *before))
            return "a step does not begin where the one before it ends";
        for (const shard::Line &line : step.before.mesh().lines(step.meshDims))
            if (std::string wrong = LineRun(step, line, values).run(); !wrong.empty())
                return "in " + step.before.text() + " -> " + step.after.text() + ", " + wrong;
        before = &step.after;
    }
    if (!plan.steps.empty() && !(*before == to))
        return "the last step does not end with the target";
    return wrongIn(values, to);
}

} // namespace pipescope::tests

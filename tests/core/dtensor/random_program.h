// Random programs for four ranks: collectives on random lines, some of them awaited later, and one fault at most. The
// right results are worked out on one thread, with none of the code under test.
#pragma once

#include "core/dtensor/on_ranks.h"

#include <algorithm>
#include <random>

namespace pipescope::tests {

struct RandomStep
{
    dtensor::CollectiveKind kind = dtensor::CollectiveKind::Barrier;
    std::vector<int> line;
    shard::ReduceOp op = shard::ReduceOp::Sum;
    int root = 0; ///< a rank of the line
    int rows = 0;
    int columns = 0;
    bool later = false; ///< the result is awaited when the program ends
};

enum class RandomFault { None, Throws, Leaves, CallsAnother };

struct RandomProgram
{
    std::vector<RandomStep> steps; ///< each rank does those whose line it is on
    RandomFault fault = RandomFault::None;
    int faultyRank = 0;
    std::size_t faultyStep = 0; ///< one of that rank's, as a place in `steps`

    [[nodiscard]] bool has(int rank, std::size_t step) const
    {
        const std::vector<int> &line = steps[step].line;
        return std::find(line.begin(), line.end(), rank) != line.end();
    }
};

constexpr int RandomRanks = 4;

class ProgramMaker
{
public:
    explicit ProgramMaker(unsigned seed)
        : m_random(seed)
    {
    }

    RandomProgram make()
    {
        RandomProgram program;
        for (int count = pick(1, 8); count > 0; --count)
            program.steps.push_back(step());
        program.faultyStep = static_cast<std::size_t>(pick(0, static_cast<int>(program.steps.size()) - 1));
        const std::vector<int> &line = program.steps[program.faultyStep].line;
        program.faultyRank = line[static_cast<std::size_t>(pick(0, static_cast<int>(line.size()) - 1))];
        const int fault = pick(0, 9);
        program.fault = fault == 0   ? RandomFault::Throws
                        : fault == 1 ? RandomFault::Leaves
                        : fault == 2 ? RandomFault::CallsAnother
                                     : RandomFault::None;
        return program;
    }

private:
    int pick(int from, int to) { return std::uniform_int_distribution(from, to)(m_random); }

    RandomStep step()
    {
        using dtensor::CollectiveKind;
        using shard::ReduceOp;
        constexpr CollectiveKind kinds[] = {CollectiveKind::AllGather,     CollectiveKind::AllReduce,
                                            CollectiveKind::ReduceScatter, CollectiveKind::AllToAll,
                                            CollectiveKind::Broadcast,     CollectiveKind::Scatter,
                                            CollectiveKind::Barrier};
        constexpr ReduceOp ops[] = {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Max, ReduceOp::Min, ReduceOp::Product};
        RandomStep step;
        step.kind = kinds[pick(0, 6)];
        step.op = ops[pick(0, 4)];
        for (int rank = 0; rank < RandomRanks; ++rank) {
            if (pick(0, 2) > 0)
                step.line.push_back(rank);
        }
        if (step.line.empty())
            step.line.push_back(pick(0, RandomRanks - 1));
        std::shuffle(step.line.begin(), step.line.end(), m_random);
        step.root = step.line.front();
        step.rows = pick(0, 6);
        step.columns = pick(1, 5);
        step.later = pick(0, 3) == 0;
        return step;
    }

    std::mt19937 m_random;
};

/// What a rank brings to a step.
inline at::Tensor broughtTo(const RandomStep &step, std::size_t number, int rank)
{
    using dtensor::CollectiveKind;
    const bool uneven = step.kind == CollectiveKind::AllGather || step.kind == CollectiveKind::AllToAll;
    const std::int64_t rows = uneven ? (step.rows + rank) % 4 : step.rows;
    return counted(rank + static_cast<int>(number), {rows, step.columns}, at::kDouble);
}

inline dtensor::CollectiveRequest requestOf(const RandomStep &step, std::size_t number, int rank)
{
    using dtensor::CollectiveKind;
    const at::Tensor x = broughtTo(step, number, rank);
    switch (step.kind) {
    case CollectiveKind::AllGather:
        return dtensor::allGather(x, 0);
    case CollectiveKind::AllReduce:
        return dtensor::allReduce(x, step.op);
    case CollectiveKind::ReduceScatter:
        return dtensor::reduceScatter(x, 0, step.op);
    case CollectiveKind::AllToAll:
        return dtensor::allToAll(x, 0, 1);
    case CollectiveKind::Broadcast:
        return dtensor::broadcast(x, RankId{step.root});
    case CollectiveKind::Scatter:
        return dtensor::scatter(x, 0, RankId{step.root});
    case CollectiveKind::Barrier:
        break;
    }
    return dtensor::barrier();
}

/// The rank's chunk along a dimension: torch.chunk gives less than as many pieces where later ones are empty.
inline at::Tensor chunkOf(const at::Tensor &whole, std::int64_t dim, std::size_t place, std::size_t ranks)
{
    const std::vector<at::Tensor> chunks = at::chunk(whole, static_cast<std::int64_t>(ranks), dim);
    return place < chunks.size() ? chunks[place] : whole.narrow(dim, 0, 0);
}

/// What the rank at this place of the line must get; undefined for a barrier.
inline at::Tensor expectedOf(const RandomStep &step, std::size_t number, std::size_t place)
{
    using dtensor::CollectiveKind;
    using shard::ReduceOp;
    std::vector<at::Tensor> inputs;
    for (const int rank : step.line)
        inputs.push_back(broughtTo(step, number, rank));
    const auto count = inputs.size();
    const at::Tensor stacked = step.kind == CollectiveKind::AllReduce || step.kind == CollectiveKind::ReduceScatter
                                   ? at::stack(inputs)
                                   : at::Tensor();
    const auto reduced = [&] { // whole numbers: the order does not matter
        switch (step.op) {
        case ReduceOp::Sum:
            return stacked.sum(0);
        case ReduceOp::Avg:
            return stacked.sum(0) / static_cast<double>(count);
        case ReduceOp::Max:
            return stacked.amax(0);
        case ReduceOp::Min:
            return stacked.amin(0);
        case ReduceOp::Product:
            return stacked.prod(0);
        }
        return at::Tensor();
    };
    switch (step.kind) {
    case CollectiveKind::AllGather:
        return at::cat(inputs);
    case CollectiveKind::AllReduce:
        return reduced();
    case CollectiveKind::ReduceScatter:
        return chunkOf(reduced(), 0, place, count);
    case CollectiveKind::AllToAll:
        return chunkOf(at::cat(inputs), 1, place, count);
    case CollectiveKind::Broadcast:
        return inputs.front(); // the root is the first of the line
    case CollectiveKind::Scatter:
        return chunkOf(inputs.front(), 0, place, count);
    case CollectiveKind::Barrier:
        break;
    }
    return {};
}

} // namespace pipescope::tests

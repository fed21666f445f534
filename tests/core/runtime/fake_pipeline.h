// Pipelines without models for the tests of runtime/: graphs, schedules and stages written by hand.
#pragma once

#include "comm/rank_threads.h"
#include "runtime/step.h"

#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::runtime::fake {

/// A graph that is only names: arguments first, then results.
struct Names
{
    graph::ModelGraph graph;

    ValueId argument(const std::string &name)
    {
        const ValueId id = add(name, graph::ValueKind::Input);
        graph.arguments.push_back({name, "Tensor", id, false, {}});
        return id;
    }
    ValueId result(const std::string &name) { return add(name, graph::ValueKind::Result); }

private:
    ValueId add(const std::string &name, graph::ValueKind kind)
    {
        graph::Value value;
        value.id = ValueId{static_cast<int>(graph.values.size())};
        value.kind = kind;
        value.name = name;
        graph.values.push_back(value);
        return value.id;
    }
};

/// The rows of a schedule: `{{{0, 1}, {0, 0}}}` is one rank that runs 0F1, then 0F0.
using Rows = std::vector<std::vector<std::pair<int, int>>>;

inline schedule::Schedule scheduleOf(const Rows &rows, int stages, int microbatches)
{
    schedule::Schedule schedule{"fake", stages, microbatches, {}};
    for (const auto &row : rows) {
        schedule::Row &cells = schedule.ranks.emplace_back();
        for (const auto &[stage, microbatch] : row)
            cells.push_back(
                schedule::Action{StageId{stage}, schedule::ActionKind::Forward, MicrobatchId{microbatch}, {}});
    }
    return schedule;
}

/// Stage s on rank s, microbatches in order.
inline Rows inOrder(int stages, int microbatches)
{
    Rows rows;
    for (int stage = 0; stage < stages; ++stage) {
        auto &row = rows.emplace_back();
        for (int microbatch = 0; microbatch < microbatches; ++microbatch)
            row.emplace_back(stage, microbatch);
    }
    return rows;
}

inline StepPlan planOf(const Names &names, const std::vector<StageEnds> &ends, const Rows &rows, int microbatches,
                       int maxInFlight = 0)
{
    auto routes = makeStageRoutes(names.graph, ends);
    PIPESCOPE_ASSERT(routes);
    std::vector<std::string> rankNames;
    for (std::size_t rank = 0; rank < rows.size(); ++rank)
        rankNames.push_back(fmt::format("rank {} (cpu:{})", rank, rank));
    const int stages = static_cast<int>(ends.size());
    std::vector<schedule::Feeds::Edge> edges;
    for (std::size_t stage = 0; stage < routes->size(); ++stage)
        for (const Inlet &inlet : (*routes)[stage].inlets)
            if (inlet.from.valid())
                edges.push_back({inlet.from, StageId{static_cast<int>(stage)}});
    return makeStepPlan(scheduleOf(rows, stages, microbatches), schedule::Feeds(stages, edges), *std::move(routes),
                        rankNames, names.graph.outputs.size(), maxInFlight);
}

/// x -> stage 0 -> h0 -> stage 1 -> h1 ... ; the last stage's result is returned.
inline StepPlan chain(int stages, int microbatches, const Rows &rows, int maxInFlight = 0)
{
    Names names;
    std::vector<StageEnds> ends;
    ValueId last = names.argument("x");
    for (int stage = 0; stage < stages; ++stage) {
        const ValueId next = names.result(fmt::format("h{}", stage));
        ends.push_back({{last}, {next}});
        last = next;
    }
    names.graph.outputs = {last};
    return planOf(names, ends, rows, microbatches, maxInFlight);
}

inline StepPlan chain(int stages, int microbatches)
{
    return chain(stages, microbatches, inOrder(stages, microbatches));
}

/// One argument per microbatch: its number.
inline MicrobatchValues numbers(int microbatches)
{
    MicrobatchValues values;
    for (int i = 0; i < microbatches; ++i)
        values.push_back({c10::IValue(static_cast<std::int64_t>(i))});
    return values;
}

/// Gives the sum of its inputs plus 10, as often as it has outputs.
inline StageRunner addTen(const StepPlan &plan)
{
    return [&plan](StageId stage, MicrobatchId, const std::vector<c10::IValue> &inputs,
                   const std::stop_token &) -> Result<std::vector<c10::IValue>> {
        std::int64_t sum = 10;
        for (const c10::IValue &input : inputs)
            sum += input.toInt();
        return std::vector<c10::IValue>(plan.routes[stage.index()].outlets.size(), c10::IValue(sum));
    };
}

/// Runs a step on threads of its own and waits for its end.
inline void runStep(Step &step, comm::RankThreads &threads)
{
    threads.start({[&step] { step.start(); }, [&step](RankId rank) { step.runRank(rank); }});
    while (!threads.waitFor(std::chrono::seconds(1))) {
    }
}

inline void runStep(Step &step, int ranks)
{
    comm::RankThreads threads(ranks, [](RankId) {});
    runStep(step, threads);
}

} // namespace pipescope::runtime::fake

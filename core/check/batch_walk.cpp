#include "check/batch_walk.h"

#include "check/bookkeeping.h"
#include "check/rows.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "tensor/ivalue_tree.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <limits>
#include <utility>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;
using Tensors = std::vector<at::Tensor>; // in one node's results

// One walk of the model for the whole batch (walk 0) and each microbatch (walk i + 1), a node at a time.
class Walks
{
public:
    Walks(const import::ImportedModel &model, const exec::NodeStepper &stepper, const Arguments &whole,
          const std::vector<Arguments> &microbatches, const CheckOptions &options, std::stop_token stop)
        : m_graph(model.graph)
        , m_stepper(stepper)
        , m_seed(options.seed)
        , m_stop(std::move(stop))
        , m_arguments{&whole}
        , m_values(microbatches.size() + 1)
    {
        for (const Arguments &arguments : microbatches)
            m_arguments.push_back(&arguments);
    }

    std::size_t count() const { return m_arguments.size(); }

    void begin(std::size_t walk)
    {
        m_values[walk] = m_stepper.begin(exec::freshArguments(m_graph, *m_arguments[walk]));
    }

    Result<Tensors> step(std::size_t walk, int position)
    {
        Tensors results;
        exec::StepCall call;
        call.microbatch = MicrobatchId{walk == 0 ? 0 : static_cast<int>(walk - 1)};
        call.seed = m_seed;
        call.stop = m_stop;
        call.after = [&](int, double, const exec::Environment &values) {
            for (const ValueId output : m_graph.at(position).outputs)
                if (const auto &value = values[output.index()])
                    for (const at::Tensor &tensor : tensor::tensorsIn(*value))
                        results.push_back(tensor.detach());
        };
        if (auto ok = m_stepper.runNode(position, m_values[walk], call); !ok)
            return ok.error();
        return results;
    }

    // Frees what a walk that has come to its end still holds.
    void end(std::size_t walk) { m_values[walk].clear(); }

private:
    const graph::ModelGraph &m_graph;
    const exec::NodeStepper &m_stepper;
    const std::uint64_t m_seed;
    const std::stop_token m_stop;
    std::vector<const Arguments *> m_arguments;
    std::vector<exec::Environment> m_values;
};

std::optional<BatchDependence> compareAt(int position, const Tensors &whole, const std::vector<Tensors> &parts)
{
    if (std::any_of(parts.begin(), parts.end(), [&](const Tensors &part) { return part.size() != whole.size(); }))
        return BatchDependence{position, true, 0};
    for (std::size_t t = 0; t < whole.size(); ++t) {
        Tensors tensors;
        for (const Tensors &part : parts)
            tensors.push_back(part[t]);
        const Rows rows = relate(whole[t], tensors);
        if (rows.relation == RowRelation::Neither)
            return BatchDependence{position, true, 0};
        std::optional<BatchDependence> worst;
        for (const at::Tensor &actual : rows.compared)
            if (const RowDifference difference = compareRows(whole[t], actual); difference.real)
                worst = {position, false, std::max(difference.maxAbs, worst ? worst->maxAbs : 0)};
        if (worst)
            return worst;
    }
    return std::nullopt;
}

// Positions at which nothing is compared. What the method returns always is.
std::vector<bool> skippedPositions(const graph::ModelGraph &graph)
{
    std::vector<bool> bookkeeping = bookkeepingValues(graph);
    for (const ValueId output : graph.outputs)
        bookkeeping[output.index()] = false;
    std::vector<bool> skipped;
    for (int position = 0; position < graph.size(); ++position) {
        const std::vector<ValueId> &results = graph.at(position).outputs;
        skipped.push_back(
            std::all_of(results.begin(), results.end(), [&](ValueId id) { return bookkeeping[id.index()]; }));
    }
    return skipped;
}

Result<std::optional<BatchDependence>> walkInStep(Walks &walks, const std::vector<bool> &skipped)
{
    for (std::size_t walk = 0; walk < walks.count(); ++walk)
        walks.begin(walk);
    for (std::size_t index = 0; index < skipped.size(); ++index) {
        const int position = static_cast<int>(index);
        const Result<Tensors> whole = walks.step(0, position);
        if (!whole)
            return whole.error();
        std::vector<Tensors> parts;
        for (std::size_t walk = 1; walk < walks.count(); ++walk) {
            Result<Tensors> part = walks.step(walk, position);
            if (!part)
                return part.error();
            parts.push_back(std::move(*part));
        }
        if (skipped[index])
            continue;
        if (const auto found = compareAt(position, *whole, parts))
            return found;
    }
    return std::optional<BatchDependence>{};
}

// Copies of what a walk gives at the positions from `begin` to `end`, fewer where they would take more than `bytes`.
// The walk is taken to its end: the next one goes on from the state it leaves.
Result<std::vector<Tensors>> record(Walks &walks, std::size_t walk, const std::vector<bool> &skipped, std::size_t begin,
                                    std::size_t end, std::int64_t bytes)
{
    std::vector<Tensors> copies;
    walks.begin(walk);
    for (std::size_t index = 0; index < skipped.size(); ++index) {
        const Result<Tensors> results = walks.step(walk, static_cast<int>(index));
        if (!results)
            return results.error();
        if (index < begin || index >= end || (bytes <= 0 && !copies.empty()))
            continue;
        Tensors &copy = copies.emplace_back();
        if (skipped[index])
            continue;
        for (const at::Tensor &tensor : *results) {
            bytes -= static_cast<std::int64_t>(tensor.numel()) * static_cast<std::int64_t>(tensor.element_size());
            copy.push_back(tensor.clone());
        }
    }
    walks.end(walk);
    return copies;
}

Result<std::optional<BatchDependence>> walkInTurn(Walks &walks, const std::vector<bool> &skipped,
                                                  const exec::StateGuard &state, std::int64_t memoryLimit)
{
    constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    // Each microbatch's copies may be as large as the whole batch's, where values are replicated.
    const std::int64_t share = memoryLimit / static_cast<std::int64_t>(walks.count());
    for (std::size_t begin = 0; begin < skipped.size();) {
        const auto whole = record(walks, 0, skipped, begin, skipped.size(), share);
        state.restore();
        if (!whole)
            return whole.error();
        const std::size_t end = begin + whole->size();
        std::vector<std::vector<Tensors>> records;
        for (std::size_t walk = 1; walk < walks.count(); ++walk) {
            auto part = record(walks, walk, skipped, begin, end, unlimited);
            if (!part)
                return part.error();
            records.push_back(std::move(*part));
        }
        state.restore();
        for (std::size_t index = begin; index < end; ++index) {
            std::vector<Tensors> parts;
            for (const std::vector<Tensors> &part : records)
                parts.push_back(part[index - begin]);
            if (const auto found = compareAt(static_cast<int>(index), (*whole)[index - begin], parts))
                return found;
        }
        begin = end;
    }
    return std::optional<BatchDependence>{};
}

} // namespace

Result<std::optional<BatchDependence>> firstBatchDependence(const import::ImportedModel &model,
                                                            const std::vector<c10::IValue> &whole,
                                                            const std::vector<std::vector<c10::IValue>> &microbatches,
                                                            const CheckOptions &options, std::stop_token stop,
                                                            std::int64_t memoryLimit)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    Walks walks(model, *stepper, whole, microbatches, options, std::move(stop));
    const std::vector<bool> skipped = skippedPositions(model.graph);
    if (!exec::keepsState(model))
        return walkInStep(walks, skipped);
    const exec::StateGuard state(model);
    return walkInTurn(walks, skipped, state, memoryLimit);
}

} // namespace pipescope::check

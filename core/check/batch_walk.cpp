#include "check/batch_walk.h"

#include "check/bookkeeping.h"
#include "check/rows.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "ops/operator.h"
#include "tensor/compare.h"
#include "tensor/difference/compare_tensors.h"
#include "tensor/ivalue_tree.h"
#include "tensor/opened_value.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;
using Leaves = std::vector<c10::IValue>; // of one node's results: all tensors, and other values that are returned

// Values the method returns, and what they are packed from. A number among these may not differ from call to call; one
// on the way to a tensor may, as long as the tensor does not.
std::vector<bool> returnedValues(const graph::ModelGraph &graph)
{
    std::vector<bool> returned(graph.values.size(), false);
    for (const ValueId output : graph.outputs)
        returned[output.index()] = true;
    for (int position = graph.size() - 1; position >= 0; --position) {
        const graph::Node &node = graph.at(position);
        if (ops::packs(ops::of(node).role) && returned[node.outputs.front().index()])
            for (const ValueId input : node.uses)
                returned[input.index()] = true;
    }
    return returned;
}

// One walk of the model for the whole batch (walk 0) and each microbatch (walk i + 1), a node at a time.
class Walks
{
public:
    Walks(const import::ImportedModel &model, const exec::NodeStepper &stepper, const Arguments &whole,
          const std::vector<Arguments> &microbatches, const CheckOptions &options, std::stop_token stop)
        : m_graph(model.graph)
        , m_stepper(stepper)
        , m_returned(returnedValues(model.graph))
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

    Result<Leaves> step(std::size_t walk, int position)
    {
        Leaves results;
        exec::StepCall call;
        call.microbatch = MicrobatchId{walk == 0 ? 0 : static_cast<int>(walk - 1)};
        call.seed = m_seed;
        call.stop = m_stop;
        call.after = [&](int, double, const exec::Environment &values) {
            for (const ValueId output : m_graph.at(position).outputs)
                if (const auto &value = values[output.index()])
                    add(*value, m_returned[output.index()], results);
        };
        if (auto ok = m_stepper.runNode(position, m_values[walk], call); !ok)
            return ok.error();
        return results;
    }

    // Frees what a walk that has come to its end still holds.
    void end(std::size_t walk) { m_values[walk].clear(); }

private:
    static void add(const c10::IValue &result, bool isReturned, Leaves &results)
    {
        const c10::IValue value = tensor::opened(result);
        for (const at::Tensor &tensor : tensor::tensorsIn(value))
            results.emplace_back(tensor.detach());
        const Result<Leaves> leaves = tensor::leaves(value);
        if (!isReturned || !leaves)
            return;
        for (const c10::IValue &leaf : *leaves)
            if (!leaf.isTensor())
                results.push_back(leaf);
    }

    const graph::ModelGraph &m_graph;
    const exec::NodeStepper &m_stepper;
    const std::vector<bool> m_returned;
    const std::uint64_t m_seed;
    const std::stop_token m_stop;
    std::vector<const Arguments *> m_arguments;
    std::vector<exec::Environment> m_values;
};

std::optional<BatchDependence> comparePlain(int position, const at::Tensor &whole, const std::vector<at::Tensor> &parts)
{
    const Rows rows = relate(whole, parts);
    if (rows.relation == RowRelation::Neither)
        return BatchDependence{position, true, 0};
    std::optional<BatchDependence> worst;
    for (const at::Tensor &actual : rows.compared)
        if (const RowDifference difference = compareRows(whole, actual); difference.real)
            worst = {position, false, std::max(difference.maxAbs, worst ? worst->maxAbs : 0)};
    return worst;
}

// What LibTorch cannot read as dense numbers, or join, blames no node.
std::optional<BatchDependence> compareTensors(int position, const at::Tensor &whole,
                                              const std::vector<at::Tensor> &parts)
{
    const auto found = tensor::guardTorch(ErrorCode::ModelFailed, "comparing", [&] {
        std::vector<at::Tensor> plainParts;
        std::transform(parts.begin(), parts.end(), std::back_inserter(plainParts), tensor::plain);
        return comparePlain(position, tensor::plain(whole), plainParts);
    });
    return found ? *found : std::nullopt;
}

std::optional<BatchDependence> compareAt(int position, const Leaves &whole, const std::vector<Leaves> &parts)
{
    if (std::any_of(parts.begin(), parts.end(), [&](const Leaves &part) { return part.size() != whole.size(); }))
        return BatchDependence{position, true, 0};
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::vector<at::Tensor> tensors;
        for (const Leaves &part : parts) {
            if (whole[i].isTensor() && part[i].isTensor())
                tensors.push_back(part[i].toTensor());
            else if (const auto compared = tensor::compare(whole[i], part[i]);
                     compared.difference > tensor::Difference::Rounding && compared.unknown.empty())
                return BatchDependence{position, false, compared.maxAbsError};
        }
        if (tensors.empty())
            continue;
        if (const auto found = compareTensors(position, whole[i].toTensor(), tensors))
            return found;
    }
    return std::nullopt;
}

// Positions at which nothing is compared. What the method returns always is.
std::vector<bool> skippedPositions(const graph::ModelGraph &graph)
{
    const std::vector<bool> bookkeeping = bookkeepingValues(graph);
    const std::vector<bool> returned = returnedValues(graph);
    std::vector<bool> skipped;
    for (int position = 0; position < graph.size(); ++position) {
        const std::vector<ValueId> &results = graph.at(position).outputs;
        skipped.push_back(std::all_of(results.begin(), results.end(),
                                      [&](ValueId id) { return bookkeeping[id.index()] && !returned[id.index()]; }));
    }
    return skipped;
}

Result<std::optional<BatchDependence>> walkInStep(Walks &walks, const std::vector<bool> &skipped)
{
    for (std::size_t walk = 0; walk < walks.count(); ++walk)
        walks.begin(walk);
    for (std::size_t index = 0; index < skipped.size(); ++index) {
        const int position = static_cast<int>(index);
        const Result<Leaves> whole = walks.step(0, position);
        if (!whole)
            return whole.error();
        std::vector<Leaves> parts;
        for (std::size_t walk = 1; walk < walks.count(); ++walk) {
            Result<Leaves> part = walks.step(walk, position);
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
Result<std::vector<Leaves>> record(Walks &walks, std::size_t walk, const std::vector<bool> &skipped, std::size_t begin,
                                   std::size_t end, std::int64_t bytes)
{
    std::vector<Leaves> copies;
    walks.begin(walk);
    for (std::size_t index = 0; index < skipped.size(); ++index) {
        const Result<Leaves> results = walks.step(walk, static_cast<int>(index));
        if (!results)
            return results.error();
        if (index < begin || index >= end || (bytes <= 0 && !copies.empty()))
            continue;
        Leaves &copy = copies.emplace_back();
        if (skipped[index])
            continue;
        for (const c10::IValue &leaf : *results) {
            bytes -= tensor::tensorBytes(leaf);
            copy.push_back(leaf.isTensor() ? c10::IValue(leaf.toTensor().clone()) : leaf);
        }
    }
    walks.end(walk);
    return copies;
}

// Microbatches carry the state on in the order in which the run took them.
Result<std::optional<BatchDependence>> walkInTurn(Walks &walks, const std::vector<bool> &skipped,
                                                  const std::vector<MicrobatchId> &order, const exec::StateGuard &state,
                                                  std::int64_t memoryLimit)
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
        std::vector<std::vector<Leaves>> records(order.size());
        for (const MicrobatchId microbatch : order) {
            auto part = record(walks, microbatch.index() + 1, skipped, begin, end, unlimited);
            if (!part)
                return part.error();
            records[microbatch.index()] = std::move(*part);
        }
        state.restore();
        for (std::size_t index = begin; index < end; ++index) {
            std::vector<Leaves> parts;
            parts.reserve(records.size());
            for (const std::vector<Leaves> &part : records)
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
    return walkInTurn(walks, skipped, orderOf(options, microbatches.size()), state, memoryLimit);
}

Result<bool> joinsAt(const import::ImportedModel &model, int position, const std::vector<c10::IValue> &whole,
                     const std::vector<std::vector<c10::IValue>> &microbatches, const CheckOptions &options,
                     std::stop_token stop)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    Walks walks(model, *stepper, whole, microbatches, options, std::move(stop));
    // Copies at this position only; without state nothing needs to run beyond it.
    std::vector<bool> skipped(static_cast<std::size_t>(exec::keepsState(model) ? model.graph.size() : position + 1));
    const auto at = static_cast<std::size_t>(position);
    const exec::StateGuard state(model);
    std::vector<Leaves> results(walks.count());
    std::vector<std::size_t> order{0};
    for (const MicrobatchId microbatch : orderOf(options, microbatches.size()))
        order.push_back(microbatch.index() + 1);
    for (const std::size_t walk : order) {
        auto copies = record(walks, walk, skipped, at, at + 1, std::numeric_limits<std::int64_t>::max());
        if (!copies && copies.error().code != ErrorCode::ModelFailed)
            return copies.error();
        if (!copies)
            return false;
        results[walk] = std::move(copies->front());
        if (walk == 0)
            state.restore();
    }
    const std::vector<Leaves> parts(results.begin() + 1, results.end());
    const auto isPart = [&](std::size_t leaf) {
        return leaf < parts.front().size() && results[0][leaf].isTensor() && parts.front()[leaf].isTensor() &&
               parts.front()[leaf].toTensor().sizes() != results[0][leaf].toTensor().sizes();
    };
    bool anyPart = false;
    for (std::size_t leaf = 0; leaf < results[0].size(); ++leaf)
        anyPart = anyPart || isPart(leaf);
    return anyPart && !compareAt(position, results[0], parts);
}

} // namespace pipescope::check

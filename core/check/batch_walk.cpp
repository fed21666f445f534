#include "check/batch_walk.h"

#include "check/bookkeeping.h"
#include "check/output_leaves.h"
#include "check/rows.h"
#include "check/upstream.h"
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
using Results = std::vector<c10::IValue>; // of one node: all tensors, and other values that are returned

// The value that is looked at, or all that the method returns, and what it is packed from. A number among these may not
// differ from call to call; one on the way to a tensor may, as long as the tensor does not.
std::vector<bool> returnedValues(const graph::ModelGraph &graph, ValueId towards)
{
    std::vector<bool> returned(graph.values.size(), false);
    for (const ValueId output : towards.valid() ? std::vector<ValueId>{towards} : graph.outputs)
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
          const std::vector<Arguments> &microbatches, const CheckOptions &options, std::stop_token stop,
          ValueId towards)
        : m_graph(model.graph)
        , m_stepper(stepper)
        , m_returned(returnedValues(model.graph, towards))
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

    Result<Results> step(std::size_t walk, int position)
    {
        Results results;
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
    // What is no tensor counts where it is returned, and is None elsewhere: the places of the tensors stay.
    static void add(const c10::IValue &result, bool isReturned, Results &results)
    {
        const c10::IValue value = tensor::opened(result);
        if (!isReturned && tensor::tensorsIn(value).empty())
            return;
        results.push_back(tensor::mapLeaves(value, [&](const c10::IValue &leaf) {
            if (tensor::isDefinedTensor(leaf))
                return c10::IValue(leaf.toTensor().detach());
            return isReturned ? leaf : c10::IValue();
        }));
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

std::optional<BatchDependence> compareOthers(int position, const c10::IValue &whole,
                                             const std::vector<c10::IValue> &parts)
{
    for (const c10::IValue &part : parts)
        if (const auto compared = tensor::compare(whole, part);
            compared.difference > tensor::Difference::Rounding && compared.unknown.empty())
            return BatchDependence{position, false, compared.maxAbsError};
    return std::nullopt;
}

// An item of a list whose items the microbatches have among them.
std::optional<BatchDependence> compareItem(int position, const c10::IValue &whole, const c10::IValue &part)
{
    if (!whole.isTensor() || !part.isTensor())
        return compareOthers(position, whole, {part});
    if (whole.toTensor().sizes() != part.toTensor().sizes())
        return BatchDependence{position, true, 0};
    return compareTensors(position, whole.toTensor(), {part.toTensor()});
}

// All that a result tells, in order, whatever holds it.
std::vector<c10::IValue> toldBy(const Results &results)
{
    std::vector<c10::IValue> told;
    for (const c10::IValue &result : results)
        if (const auto leaves = tensor::leaves(result))
            std::copy_if(leaves->begin(), leaves->end(), std::back_inserter(told),
                         [](const c10::IValue &leaf) { return !leaf.isNone(); });
    return told;
}

// Where numbers on the way give the results another structure, the tensors in them are laid beside each other. Nothing
// where there are more in one than in another.
std::optional<std::vector<OutputLeaf>> besideEachOther(const Results &whole, const std::vector<Results> &parts)
{
    auto leaves = outputLeaves(whole, parts);
    if (leaves && *leaves)
        return **leaves;
    std::vector<OutputLeaf> beside;
    for (const c10::IValue &leaf : toldBy(whole))
        beside.push_back({leaf, {}, {}, {}, false});
    for (const Results &part : parts) {
        const std::vector<c10::IValue> told = toldBy(part);
        if (told.size() != beside.size())
            return std::nullopt;
        for (std::size_t i = 0; i < told.size(); ++i)
            beside[i].parts.push_back(told[i]);
    }
    return beside;
}

std::optional<BatchDependence> compareAt(int position, const Results &whole, const std::vector<Results> &parts)
{
    const auto leaves = besideEachOther(whole, parts);
    if (!leaves)
        return BatchDependence{position, true, 0};
    for (const OutputLeaf &leaf : *leaves) {
        std::optional<BatchDependence> found;
        std::vector<at::Tensor> tensors;
        for (const c10::IValue &part : leaf.parts)
            if (leaf.whole.isTensor() && part.isTensor())
                tensors.push_back(part.toTensor());
        if (leaf.isOfOneMicrobatch)
            found = compareItem(position, leaf.whole, leaf.parts.front());
        else if (tensors.size() == leaf.parts.size())
            found = compareTensors(position, leaf.whole.toTensor(), tensors);
        else
            found = compareOthers(position, leaf.whole, leaf.parts);
        if (found)
            return found;
    }
    return std::nullopt;
}

// Whether microbatches have a part each of a tensor or list.
bool isCut(const Results &whole, const std::vector<Results> &parts)
{
    const auto leaves = besideEachOther(whole, parts);
    return leaves && std::any_of(leaves->begin(), leaves->end(), [](const OutputLeaf &leaf) {
               const c10::IValue &part = leaf.parts.front();
               return leaf.isOfOneMicrobatch || (leaf.whole.isTensor() && part.isTensor() &&
                                                 part.toTensor().sizes() != leaf.whole.toTensor().sizes());
           });
}

// Positions at which nothing is compared. What the method returns always is, as far as it is looked at.
std::vector<bool> skippedPositions(const graph::ModelGraph &graph, ValueId towards)
{
    const std::vector<bool> bookkeeping = bookkeepingValues(graph);
    const std::vector<bool> returned = returnedValues(graph, towards);
    const std::vector<bool> counts =
        towards.valid() ? upstreamOf(graph, towards) : std::vector<bool>(graph.order.size(), true);
    std::vector<bool> skipped;
    for (int position = 0; position < graph.size(); ++position) {
        const std::vector<ValueId> &results = graph.at(position).outputs;
        skipped.push_back(!counts[static_cast<std::size_t>(position)] ||
                          std::all_of(results.begin(), results.end(),
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
        const Result<Results> whole = walks.step(0, position);
        if (!whole)
            return whole.error();
        std::vector<Results> parts;
        for (std::size_t walk = 1; walk < walks.count(); ++walk) {
            Result<Results> part = walks.step(walk, position);
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
Result<std::vector<Results>> record(Walks &walks, std::size_t walk, const std::vector<bool> &skipped, std::size_t begin,
                                    std::size_t end, std::int64_t bytes)
{
    std::vector<Results> copies;
    walks.begin(walk);
    for (std::size_t index = 0; index < skipped.size(); ++index) {
        const Result<Results> results = walks.step(walk, static_cast<int>(index));
        if (!results)
            return results.error();
        if (index < begin || index >= end || (bytes <= 0 && !copies.empty()))
            continue;
        Results &copy = copies.emplace_back();
        if (skipped[index])
            continue;
        for (const c10::IValue &result : *results) {
            bytes -= tensor::tensorBytes(result);
            copy.push_back(tensor::mapLeaves(result, [](const c10::IValue &leaf) {
                return tensor::isDefinedTensor(leaf) ? c10::IValue(leaf.toTensor().clone()) : leaf;
            }));
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
        std::vector<std::vector<Results>> records(order.size());
        for (const MicrobatchId microbatch : order) {
            auto part = record(walks, microbatch.index() + 1, skipped, begin, end, unlimited);
            if (!part)
                return part.error();
            records[microbatch.index()] = std::move(*part);
        }
        state.restore();
        for (std::size_t index = begin; index < end; ++index) {
            std::vector<Results> parts;
            parts.reserve(records.size());
            for (const std::vector<Results> &part : records)
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
                                                            ValueId towards, std::int64_t memoryLimit)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    Walks walks(model, *stepper, whole, microbatches, options, std::move(stop), towards);
    const std::vector<bool> skipped = skippedPositions(model.graph, towards);
    if (!exec::keepsState(model))
        return walkInStep(walks, skipped);
    const exec::StateGuard state(model);
    return walkInTurn(walks, skipped, orderOf(options, microbatches.size()), state, memoryLimit);
}

Result<bool> joinsAt(const import::ImportedModel &model, int position, const std::vector<c10::IValue> &whole,
                     const std::vector<std::vector<c10::IValue>> &microbatches, const CheckOptions &options,
                     std::stop_token stop, ValueId towards)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    Walks walks(model, *stepper, whole, microbatches, options, std::move(stop), towards);
    // Copies at this position only; without state nothing needs to run beyond it.
    std::vector<bool> skipped(static_cast<std::size_t>(exec::keepsState(model) ? model.graph.size() : position + 1));
    const auto at = static_cast<std::size_t>(position);
    const exec::StateGuard state(model);
    std::vector<Results> results(walks.count());
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
    const std::vector<Results> parts(results.begin() + 1, results.end());
    return isCut(results[0], parts) && !compareAt(position, results[0], parts);
}

} // namespace pipescope::check

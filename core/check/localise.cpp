#include "check/localise.h"

#include "check/difference.h"
#include "check/run_scope.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "exec/stage_program.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;
using NodeValues = std::map<ValueId, c10::IValue>;
using Found = Result<std::optional<report::Divergence>>;

constexpr std::int64_t Unlimited = std::numeric_limits<std::int64_t>::max();

c10::IValue copied(const c10::IValue &value)
{
    return tensor::mapLeaves(value, [](const c10::IValue &leaf) {
        return leaf.isTensor() && leaf.toTensor().defined() ? c10::IValue(leaf.toTensor().detach().clone()) : leaf;
    });
}

// The unsplit graph on the microbatch in question, as often as wanted, from the state in which it begins.
class ReferenceWalk
{
public:
    ReferenceWalk(const import::ImportedModel &model, const CheckOptions &options, std::stop_token stop)
        : m_model(model)
    {
        m_call.seed = options.seed;
        m_call.stop = std::move(stop);
    }

    /// Runs the microbatches before it.
    Status begin(const std::vector<Arguments> &arguments, const std::vector<MicrobatchId> &before,
                 MicrobatchId microbatch)
    {
        Result<exec::NodeStepper> stepper = exec::NodeStepper::build(m_model);
        if (!stepper)
            return stepper.error();
        m_stepper.emplace(std::move(*stepper));
        for (const MicrobatchId earlier : before) {
            m_call.microbatch = earlier;
            const Arguments fresh = exec::freshArguments(m_model.graph, arguments[earlier.index()]);
            if (const auto outputs = m_stepper->run(fresh, m_call); !outputs)
                return outputs.error();
        }
        m_call.microbatch = microbatch;
        m_arguments = &arguments[microbatch.index()];
        m_state.emplace(exec::ModelState::capture(m_model));
        return Success{};
    }

    /// Copies of the results at the positions [begin, end) that are wanted, by position, as they are when their node
    /// has just run. As many positions as fit into `bytes` are looked at, one at least: to where is returned.
    template <class Wanted>
    Result<int> record(int begin, int end, std::int64_t bytes, Wanted wanted, NodeValues &copies) const
    {
        m_state->restore();
        exec::Environment values = m_stepper->begin(exec::freshArguments(m_model.graph, *m_arguments));
        exec::StepCall call = m_call;
        call.after = [&](int position, double, const exec::Environment &now) {
            for (const ValueId output : m_model.graph.at(position).outputs) {
                const std::optional<c10::IValue> &value = now[output.index()];
                if (position < begin || !value || !wanted(output))
                    continue;
                bytes -= tensor::tensorBytes(*value);
                copies[output] = copied(*value);
            }
        };
        int position = 0;
        for (; position < end && (position <= begin || bytes > 0); ++position)
            if (auto ok = m_stepper->runNode(position, values, call); !ok)
                return ok.error();
        return position;
    }

private:
    const import::ImportedModel &m_model;
    exec::StepCall m_call;
    std::optional<exec::NodeStepper> m_stepper;
    std::optional<exec::ModelState> m_state;
    const Arguments *m_arguments = nullptr;
};

class Search
{
public:
    Search(const import::ImportedModel &reference, const import::ImportedModel &split,
           const partition::Partition &partition, const std::vector<bool> &among, const CheckOptions &options,
           const std::stop_token &stop, const Progress &progress, std::int64_t memoryLimit)
        : m_split(split)
        , m_partition(partition)
        , m_among(among)
        , m_options(options)
        , m_stop(stop)
        , m_progress(progress)
        , m_memoryLimit(memoryLimit)
        , m_held(exec::heldBy(split))
        , m_walk(reference, options, stop)
        , m_referenceModel(reference)
    {
    }

    Found run(const std::vector<Arguments> &arguments, MicrobatchId microbatch)
    {
        m_microbatch = microbatch;
        std::vector<MicrobatchId> before = orderOf(m_options, arguments.size());
        before.erase(std::find(before.begin(), before.end(), microbatch), before.end());
        const exec::StateGuard splitState(m_split);
        {
            const exec::StateGuard state(m_referenceModel);
            if (auto ok = m_walk.begin(arguments, before, microbatch); !ok)
                return ok.error();
            if (auto ok = recordStages(); !ok)
                return ok.error();
            state.restore();
        }
        for (const partition::Stage &stage : m_partition.stages) {
            Result<exec::StageProgram> program = exec::StageProgram::build(m_split, stage, m_held);
            if (!program)
                return program.error();
            m_programs.push_back(std::move(*program));
        }
        // Microbatches before the one in question only bring the state to where it was.
        for (const MicrobatchId earlier : before)
            if (auto ran = runStages(arguments[earlier.index()], earlier); !ran)
                return ran;
        return runStages(arguments[microbatch.index()], microbatch);
    }

private:
    exec::StageCall call(MicrobatchId microbatch) const { return {microbatch, m_options.seed, m_stop, nullptr}; }

    void tell(const std::string &what) const
    {
        if (m_progress)
            m_progress(what, -1);
    }

    // What the unsplit graph has where the stages end.
    Status recordStages()
    {
        tell("looking for the first difference: running the unsplit model");
        std::vector<bool> ends(m_split.graph.values.size());
        for (const partition::Stage &stage : m_partition.stages)
            for (const ValueId output : stage.outputs)
                ends[output.index()] = true;
        const auto isEnd = [&](ValueId value) { return ends[value.index()]; };
        const auto recorded = m_walk.record(0, m_split.graph.size(), Unlimited, isEnd, m_expected);
        return recorded ? Status(Success{}) : Status(recorded.error());
    }

    Found runStages(const Arguments &arguments, MicrobatchId microbatch)
    {
        const bool look = microbatch == m_microbatch;
        NodeValues values;
        const Arguments fresh = exec::freshArguments(m_split.graph, arguments);
        for (std::size_t i = 0; i < fresh.size(); ++i)
            values[m_split.graph.arguments[i].value] = fresh[i];
        for (std::size_t s = 0; s < m_programs.size(); ++s) {
            const exec::StageProgram &program = m_programs[s];
            const exec::ModelState before = exec::ModelState::capture(m_split);
            NodeValues inputs;
            for (const ValueId input : program.inputs())
                inputs[input] = look ? copied(values.at(input)) : values.at(input);
            auto outputs = program.run(operands(program, values), call(microbatch));
            if (!outputs)
                return outputs.error();
            for (std::size_t k = 0; k < outputs->size(); ++k)
                values[program.outputs()[k]] = (*outputs)[k];
            if (!look || !differing(program.outputs(), values))
                continue;
            const exec::ModelState after = exec::ModelState::capture(m_split);
            auto first = firstNode(m_partition.stages[s], inputs, before);
            if (!first || *first)
                return first;
            // Node by node the stage may not differ where as a whole it does.
            if (const auto own = differing(madeAmong(program.outputs()), values))
                return std::optional(divergence(m_partition.stages[s].id, *own, values.at(*own)));
            after.restore(); // only what is of no interest differs so far
        }
        return std::optional<report::Divergence>{};
    }

    static Arguments operands(const exec::StageProgram &program, const NodeValues &values)
    {
        Arguments result;
        for (const ValueId input : program.inputs())
            result.push_back(values.at(input));
        return result;
    }

    bool isAmong(int position) const
    {
        return m_among.empty() || (position >= 0 && m_among[static_cast<std::size_t>(position)]);
    }

    int positionOf(ValueId value) const
    {
        return graph::positionOf(m_split.graph, m_split.graph.value(value).producer);
    }

    std::vector<ValueId> madeAmong(std::vector<ValueId> values) const
    {
        const auto isOther = [this](ValueId value) { return positionOf(value) < 0 || !isAmong(positionOf(value)); };
        values.erase(std::remove_if(values.begin(), values.end(), isOther), values.end());
        return values;
    }

    std::optional<ValueId> differing(const std::vector<ValueId> &outputs, const NodeValues &values) const
    {
        for (const ValueId output : outputs)
            if (isDifferent(output, values.at(output)))
                return output;
        return std::nullopt;
    }

    // What was not recorded, and what cannot be compared, says nothing.
    bool isDifferent(ValueId value, const c10::IValue &actual) const
    {
        const auto expected = m_expected.find(value);
        if (expected == m_expected.end())
            return false;
        const tensor::Comparison comparison = tensor::compare(expected->second, actual, m_options.tolerance);
        return comparison.unknown.empty() && !isEqual(comparison, m_options);
    }

    report::Divergence divergence(StageId stage, ValueId value, const c10::IValue &actual) const
    {
        const tensor::Comparison comparison = tensor::compare(m_expected.at(value), actual, m_options.tolerance);
        const graph::Node &node = m_split.graph.at(positionOf(value));
        return {stage,
                m_microbatch,
                node.id,
                node.name,
                m_split.graph.value(value).name,
                toDifference(comparison, m_options)};
    }

    // The stage and the unsplit graph piece by piece. That a difference never heals cannot be trusted, so no halving.
    Found firstNode(const partition::Stage &stage, const NodeValues &inputs, const exec::ModelState &before)
    {
        const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(m_split);
        if (!stepper)
            return stepper.error();
        for (int begin = stage.begin; begin < stage.end;) {
            tell(fmt::format("looking for the first difference: node {} of {} in {}", begin - stage.begin + 1,
                             stage.end - stage.begin, stage.name));
            NodeValues stageEnds = std::move(m_expected);
            m_expected.clear();
            const exec::StateGuard state(m_referenceModel);
            const auto end = m_walk.record(
                begin, stage.end, m_memoryLimit, [](ValueId) { return true; }, m_expected);
            if (!end)
                return end.error();
            state.restore();
            before.restore();
            Found found = walkStage(*stepper, stage, inputs, begin, *end);
            before.restore();
            if (!found || *found)
                return found;
            m_expected = std::move(stageEnds);
            begin = *end;
        }
        return std::optional<report::Divergence>{};
    }

    // Runs the stage's nodes up to `end` and compares those from `begin` on.
    Found walkStage(const exec::NodeStepper &stepper, const partition::Stage &stage, const NodeValues &inputs,
                    int begin, int end) const
    {
        exec::Environment values = stepper.begin(Arguments(m_split.graph.arguments.size()));
        for (const auto &[id, value] : inputs)
            values[id.index()] = copied(value);
        std::optional<report::Divergence> first;
        exec::StepCall step;
        step.microbatch = m_microbatch;
        step.seed = m_options.seed;
        step.stop = m_stop;
        step.after = [&](int position, double, const exec::Environment &now) {
            if (first || position < begin || !isAmong(position))
                return;
            for (const ValueId output : m_split.graph.at(position).outputs)
                if (const auto &value = now[output.index()]; value && !first && isDifferent(output, *value))
                    first = divergence(stage.id, output, *value);
        };
        for (int position = stage.begin; position < end && !first; ++position)
            if (auto ok = stepper.runNode(position, values, step); !ok)
                return ok.error();
        return first;
    }

    const import::ImportedModel &m_split;
    const partition::Partition &m_partition;
    const std::vector<bool> &m_among;
    const CheckOptions &m_options;
    const std::stop_token m_stop;
    const Progress &m_progress;
    const std::int64_t m_memoryLimit;
    const exec::HeldValues m_held;
    ReferenceWalk m_walk;
    const import::ImportedModel &m_referenceModel;
    MicrobatchId m_microbatch;
    NodeValues m_expected;
    std::vector<exec::StageProgram> m_programs;
};

} // namespace

Result<std::optional<report::Divergence>>
localise(const import::ImportedModel &reference, const import::ImportedModel &split,
         const partition::Partition &partition, const std::vector<std::vector<c10::IValue>> &arguments,
         MicrobatchId microbatch, const CheckOptions &options, const std::stop_token &stop,
         const std::vector<bool> &among, const Progress &progress, std::int64_t memoryLimit)
{
    PIPESCOPE_ASSERT(microbatch.valid() && microbatch.index() < arguments.size());
    PIPESCOPE_ASSERT(among.empty() || among.size() == split.graph.order.size());
    const RunScope modes(options);
    return tensor::guardTorch(ErrorCode::ModelFailed, "looking for the first node that differs", [&] {
        return Search(reference, split, partition, among, options, stop, progress, memoryLimit)
            .run(arguments, microbatch);
    });
}

} // namespace pipescope::check

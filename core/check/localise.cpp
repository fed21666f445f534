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
#include <map>
#include <optional>

namespace pipescope::check {

namespace {

using NodeValues = std::map<ValueId, c10::IValue>;

c10::IValue copied(const c10::IValue &value)
{
    return tensor::mapLeaves(value, [](const c10::IValue &leaf) {
        return leaf.isTensor() && leaf.toTensor().defined() ? c10::IValue(leaf.toTensor().detach().clone()) : leaf;
    });
}

// What cannot be compared says nothing.
bool isDifferent(const tensor::Comparison &comparison)
{
    return !comparison.close && comparison.unknown.empty();
}

class Search
{
public:
    Search(const import::ImportedModel &reference, const import::ImportedModel &split,
           const partition::Partition &partition, const std::vector<bool> &among, const CheckOptions &options,
           std::stop_token stop)
        : m_reference(reference)
        , m_split(split)
        , m_partition(partition)
        , m_among(among)
        , m_options(options)
        , m_stop(std::move(stop))
        , m_held(exec::heldBy(split))
    {
    }

    Result<std::optional<report::Divergence>> run(const std::vector<std::vector<c10::IValue>> &arguments,
                                                  MicrobatchId microbatch)
    {
        m_microbatch = microbatch;
        if (auto ok = recordReference(arguments); !ok)
            return ok.error();
        for (const partition::Stage &stage : m_partition.stages) {
            Result<exec::StageProgram> program = exec::StageProgram::build(m_split, stage, m_held);
            if (!program)
                return program.error();
            m_programs.push_back(std::move(*program));
        }
        // Microbatches before the one in question only bring the state to where it was.
        const exec::StateGuard state(m_split);
        for (std::size_t i = 0; i < microbatch.index(); ++i)
            if (auto ran = runStages(arguments[i], MicrobatchId{static_cast<int>(i)}, false); !ran)
                return ran;
        return runStages(arguments[microbatch.index()], microbatch, true);
    }

private:
    exec::StageCall call(MicrobatchId microbatch) const { return {microbatch, m_options.seed, m_stop, nullptr}; }

    // Every result of the unsplit graph for the microbatch, as it was when its node had just run.
    Status recordReference(const std::vector<std::vector<c10::IValue>> &arguments)
    {
        const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(m_reference);
        if (!stepper)
            return stepper.error();
        const exec::StateGuard state(m_reference);
        for (std::size_t i = 0; i <= m_microbatch.index(); ++i) {
            exec::StepCall step;
            step.microbatch = MicrobatchId{static_cast<int>(i)};
            step.seed = m_options.seed;
            step.stop = m_stop;
            if (i == m_microbatch.index())
                step.after = [this](int position, double, const exec::Environment &values) {
                    for (const ValueId output : m_reference.graph.at(position).outputs)
                        if (values[output.index()])
                            m_expected[output] = copied(*values[output.index()]);
                };
            if (const auto out = stepper->run(exec::freshArguments(m_reference.graph, arguments[i]), step); !out)
                return out.error();
        }
        state.restore();
        return Success{};
    }

    Result<std::optional<report::Divergence>> runStages(const std::vector<c10::IValue> &arguments,
                                                        MicrobatchId microbatch, bool look)
    {
        NodeValues values;
        const std::vector<c10::IValue> fresh = exec::freshArguments(m_split.graph, arguments);
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
            if (!look || !differs(program.outputs(), values))
                continue;
            const exec::ModelState after = exec::ModelState::capture(m_split);
            before.restore();
            auto first = firstNode(m_partition.stages[s], inputs, before);
            if (!first || *first || differs(madeAmong(program.outputs()), values))
                return first;
            after.restore(); // only what is of no interest differs so far
        }
        return std::optional<report::Divergence>{};
    }

    static std::vector<c10::IValue> operands(const exec::StageProgram &program, const NodeValues &values)
    {
        std::vector<c10::IValue> result;
        for (const ValueId input : program.inputs())
            result.push_back(values.at(input));
        return result;
    }

    bool isAmong(int position) const
    {
        return m_among.empty() || (position >= 0 && m_among[static_cast<std::size_t>(position)]);
    }

    std::vector<ValueId> madeAmong(std::vector<ValueId> values) const
    {
        const auto isOther = [this](ValueId value) {
            return !isAmong(graph::positionOf(m_split.graph, m_split.graph.value(value).producer));
        };
        values.erase(std::remove_if(values.begin(), values.end(), isOther), values.end());
        return values;
    }

    bool differs(const std::vector<ValueId> &outputs, const NodeValues &values) const
    {
        for (const ValueId output : outputs)
            if (const auto expected = m_expected.find(output);
                expected != m_expected.end() &&
                isDifferent(tensor::compare(expected->second, values.at(output), m_options.tolerance)))
                return true;
        return false;
    }

    // The stage cut short after ever more nodes: binary search would trust that a difference never heals, so walk.
    Result<std::optional<report::Divergence>> firstNode(const partition::Stage &stage, const NodeValues &inputs,
                                                        const exec::ModelState &before)
    {
        for (int end = stage.begin + 1; end <= stage.end; ++end) {
            const graph::Node &node = m_split.graph.at(end - 1);
            if (node.outputs.empty() || !isAmong(end - 1))
                continue;
            partition::Stage part = stage;
            part.end = end;
            part.outputs = node.outputs;
            const Result<exec::StageProgram> program = exec::StageProgram::build(m_split, part, m_held);
            if (!program)
                return program.error();
            std::vector<c10::IValue> arguments;
            for (const ValueId input : program->inputs())
                arguments.push_back(copied(inputs.at(input)));
            auto outputs = program->run(std::move(arguments), call(m_microbatch));
            before.restore();
            if (!outputs)
                return outputs.error();
            for (std::size_t k = 0; k < outputs->size(); ++k) {
                const auto expected = m_expected.find(program->outputs()[k]);
                if (expected == m_expected.end())
                    continue;
                const tensor::Comparison comparison =
                    tensor::compare(expected->second, (*outputs)[k], m_options.tolerance);
                if (isDifferent(comparison))
                    return std::optional<report::Divergence>(
                        report::Divergence{stage.id, m_microbatch, node.id, node.name,
                                           m_split.graph.value(program->outputs()[k]).name, toDifference(comparison)});
            }
        }
        return std::optional<report::Divergence>{};
    }

    const import::ImportedModel &m_reference;
    const import::ImportedModel &m_split;
    const partition::Partition &m_partition;
    const std::vector<bool> &m_among;
    const CheckOptions &m_options;
    std::stop_token m_stop;
    const exec::HeldValues m_held;
    MicrobatchId m_microbatch;
    NodeValues m_expected;
    std::vector<exec::StageProgram> m_programs;
};

} // namespace

Result<std::optional<report::Divergence>>
localise(const import::ImportedModel &reference, const import::ImportedModel &split,
         const partition::Partition &partition, const std::vector<std::vector<c10::IValue>> &arguments,
         MicrobatchId microbatch, const CheckOptions &options, std::stop_token stop, const std::vector<bool> &among)
{
    PIPESCOPE_ASSERT(microbatch.valid() && microbatch.index() < arguments.size());
    PIPESCOPE_ASSERT(among.empty() || among.size() == split.graph.order.size());
    const RunScope modes(options);
    return tensor::guardTorch(ErrorCode::ModelFailed, "looking for the first node that differs", [&] {
        return Search(reference, split, partition, among, options, std::move(stop)).run(arguments, microbatch);
    });
}

} // namespace pipescope::check

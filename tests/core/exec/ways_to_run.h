// A model's outputs in every way its stages may be run, to be compared with its own.
#pragma once

#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/save_stage.h"
#include "exec_models.h"

#include <QTemporaryDir>
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <torch/csrc/jit/serialization/import.h>
#include <utility>
#include <vector>

namespace pipescope::test {

using Make = std::function<Module()>; // a new one each time
using Calls = std::vector<Values>;    // the arguments of each microbatch

/// Three microbatches of one tensor each.
inline Calls threeOf(const std::function<c10::IValue(const at::Tensor &)> &argument)
{
    Calls calls;
    for (const double step : {0.7, 0.4, 1.1})
        calls.push_back({argument(wave({2, 3}, step))});
    return calls;
}

inline Calls tensors()
{
    return threeOf([](const at::Tensor &x) { return c10::IValue(x); });
}

inline Values expectedOutputs(const Make &make, const Calls &calls)
{
    Module module = make();
    Values outputs;
    for (const Values &arguments : calls) {
        Values fresh;
        for (const c10::IValue &argument : arguments)
            fresh.push_back(argument.deepcopy());
        outputs.push_back(exec::keptOutput(module.forward(fresh)));
    }
    return outputs;
}

/// One stage is run for all microbatches before the next one begins: each is as far ahead as it can be.
inline Values stageByStage(const Make &make, const Calls &calls, const std::vector<int> &cuts)
{
    const auto model = imported(make());
    const auto partition = must(partition::makePartition(model.graph, cuts));
    std::vector<Values> values(calls.size(), Values(model.graph.values.size()));
    for (std::size_t m = 0; m < calls.size(); ++m) {
        const Values arguments = exec::freshArguments(model.graph, calls[m]);
        for (std::size_t i = 0; i < arguments.size(); ++i)
            values[m][model.graph.arguments[i].value.index()] = arguments[i];
    }
    for (const partition::Stage &stage : partition.stages) {
        const auto program = must(exec::StageProgram::build(model, stage, exec::heldBy(model)));
        for (std::size_t m = 0; m < calls.size(); ++m) {
            Values inputs;
            for (const ValueId id : program.inputs())
                inputs.push_back(values[m][id.index()]);
            const Values outputs =
                must(program.run(std::move(inputs), {MicrobatchId{static_cast<int>(m)}, 0, {}, nullptr}));
            for (std::size_t i = 0; i < outputs.size(); ++i)
                values[m][program.outputs()[i].index()] = outputs[i];
        }
    }
    Values results;
    for (const Values &one : values)
        results.push_back(one[model.graph.outputs[0].index()]);
    return results;
}

/// Of the stages that have what they take, the last one is run first: no stage runs before another but for its values.
inline Values lastStageFirst(const Make &make, const Calls &calls, const std::vector<int> &cuts)
{
    const auto model = imported(make());
    const auto partition = must(partition::makePartition(model.graph, cuts));
    std::vector<exec::StageProgram> programs;
    for (const partition::Stage &stage : partition.stages)
        programs.push_back(must(exec::StageProgram::build(model, stage, exec::heldBy(model))));
    Values results;
    for (std::size_t m = 0; m < calls.size(); ++m) {
        std::map<ValueId, c10::IValue> values;
        const Values arguments = exec::freshArguments(model.graph, calls[m]);
        for (std::size_t i = 0; i < arguments.size(); ++i)
            values[model.graph.arguments[i].value] = arguments[i];
        std::vector<const exec::StageProgram *> waiting;
        for (const exec::StageProgram &program : programs)
            waiting.push_back(&program);
        const auto isReady = [&](const exec::StageProgram *program) {
            return std::all_of(program->inputs().begin(), program->inputs().end(),
                               [&](ValueId id) { return values.contains(id); });
        };
        while (!waiting.empty()) {
            const auto next = std::find_if(waiting.rbegin(), waiting.rend(), isReady);
            const exec::StageProgram &program = **next;
            Values inputs;
            for (const ValueId id : program.inputs())
                inputs.push_back(values.at(id));
            const Values outputs =
                must(program.run(std::move(inputs), {MicrobatchId{static_cast<int>(m)}, 0, {}, nullptr}));
            for (std::size_t i = 0; i < outputs.size(); ++i)
                values[program.outputs()[i]] = outputs[i];
            waiting.erase(std::next(next).base());
        }
        results.push_back(values.at(model.graph.outputs[0]));
    }
    return results;
}

inline Values savedChain(const Make &make, const Calls &calls, const std::vector<int> &cuts)
{
    const auto model = imported(make());
    QTemporaryDir folder;
    const auto saved =
        must(exec::saveStages(model, must(partition::makePartition(model.graph, cuts)), folder.path().toStdString()));
    std::vector<std::map<std::string, c10::IValue>> values(calls.size());
    Values results(calls.size());
    for (std::size_t m = 0; m < calls.size(); ++m)
        for (std::size_t i = 0; i < calls[m].size(); ++i)
            values[m][model.graph.arguments[i].name] = calls[m][i].deepcopy();
    for (const exec::SavedStage &stage : saved) {
        Module module = torch::jit::load(folder.filePath(stage.file.c_str()).toStdString(), at::kCPU);
        for (std::size_t m = 0; m < calls.size(); ++m) {
            Values inputs;
            for (const std::string &name : stage.inputs)
                inputs.push_back(values[m].at(name));
            const c10::IValue outputs = module.forward(inputs);
            for (std::size_t k = 0; k < stage.outputs.size(); ++k) {
                values[m][stage.outputs[k]] = outputs.toTupleRef().elements()[k];
                if (stage.outputs[k] == model.graph.value(model.graph.outputs[0]).name)
                    results[m] = exec::keptOutput(values[m][stage.outputs[k]]);
            }
        }
    }
    return results;
}

/// A way to run the stages.
using Way = std::pair<const char *, Values (*)(const Make &, const Calls &, const std::vector<int> &)>;

} // namespace pipescope::test

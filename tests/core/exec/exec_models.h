// Small models for the tests of core/exec, made by Module::define and imported; and one call for what every test does.
#pragma once

#include "exec/stage_program.h"
#include "import/import_method.h"
#include "partition/partition.h"
#include "tensor/ivalue_tree.h"

#include <ATen/ATen.h>
#include <QtCore/qlogging.h>
#include <QtGlobal>
#include <algorithm>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>
#include <vector>

namespace pipescope::test {

using torch::jit::Module;
using Values = std::vector<c10::IValue>;

/// Numbers without a pattern, the same everywhere.
inline at::Tensor wave(at::IntArrayRef sizes, double step = 0.7)
{
    std::int64_t count = 1;
    for (const std::int64_t size : sizes)
        count *= size;
    return at::arange(count, at::kFloat).mul(step).sin().reshape(sizes);
}

inline Module makeModule(const std::string &name)
{
    Module module("__torch__." + name);
    module.register_attribute("training", c10::BoolType::get(), false);
    return module;
}

/// `fork` as files know it; source given to define() does not.
struct ForkResolver final : torch::jit::Resolver
{
    std::shared_ptr<torch::jit::SugaredValue> resolveValue(const std::string &name, torch::jit::GraphFunction &function,
                                                           const torch::jit::SourceRange &range) override
    {
        if (name == "fork")
            return torch::jit::SpecialFormValue::create(c10::prim::fork);
        return torch::jit::nativeResolver()->resolveValue(name, function, range);
    }
};

inline Module linear(std::int64_t in, std::int64_t out)
{
    Module module = makeModule("Linear");
    module.register_parameter("weight", wave({out, in}, 0.37).requires_grad_(), false);
    module.register_parameter("bias", wave({out}, 1.3).requires_grad_(), false);
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight, self.bias)\n");
    return module;
}

/// Children "fc0" ... of the given width, and the code of forward.
inline Module layers(const std::string &name, int count, std::int64_t width, const std::string &code)
{
    Module module = makeModule(name);
    for (int i = 0; i < count; ++i)
        module.register_module("fc" + std::to_string(i), linear(width, width));
    module.define(code);
    return module;
}

/// Four linears with relus between, a skip from the first to the last.
inline Module chain()
{
    return layers("Chain", 4, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    a = torch.relu(self.fc0.forward(x))
    b = torch.relu(self.fc1.forward(a))
    c = torch.relu(self.fc2.forward(b))
    return self.fc3.forward(c) + a
)");
}

/// The imported method, or a failed assertion with the reason.
inline import::ImportedModel imported(const Module &module, const std::string &method = "forward")
{
    auto model = import::importMethod(module, method);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

template <class T>
T must(Result<T> result)
{
    if (!result)
        qFatal("%s\n%s", result.error().message.c_str(), result.error().details.c_str());
    return std::move(*result);
}

/// The position of the first top-level node of that name.
inline int positionNamed(const graph::ModelGraph &graph, const std::string &name)
{
    for (int i = 0; i < graph.size(); ++i)
        if (graph.at(i).name == name)
            return i;
    qFatal("no node '%s'", name.c_str());
}

/// Every stage of the partition after another on this thread, values handed on by id.
inline Result<Values> runStages(const import::ImportedModel &model, const partition::Partition &partition,
                                const Values &arguments, const exec::StageCall &call)
{
    std::vector<c10::IValue> values(model.graph.values.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
        values[model.graph.arguments[i].value.index()] = arguments[i];
    for (const partition::Stage &stage : partition.stages) {
        const auto program = must(exec::StageProgram::build(model, stage, exec::heldBy(model)));
        Values inputs;
        for (const ValueId id : program.inputs())
            inputs.push_back(values[id.index()]);
        auto outputs = program.run(std::move(inputs), call);
        if (!outputs)
            return outputs.error();
        for (std::size_t i = 0; i < outputs->size(); ++i)
            values[program.outputs()[i].index()] = (*outputs)[i];
    }
    Values results;
    for (const ValueId id : model.graph.outputs)
        results.push_back(values[id.index()]);
    return results;
}

/// Tensors, and lists, dicts and tuples of them and of plain values, dicts in the order of their keys.
inline bool same(const c10::IValue &a, const c10::IValue &b)
{
    const Values first = must(tensor::leaves(a));
    const Values second = must(tensor::leaves(b));
    return tensor::leafPaths(a) == tensor::leafPaths(b) &&
           std::equal(first.begin(), first.end(), second.begin(), second.end(), [](const auto &x, const auto &y) {
               return x.isTensor() && y.isTensor() ? x.toTensor().equal(y.toTensor()) : x == y;
           });
}

} // namespace pipescope::test

// Every cut of a model that is called legal is made: the stages must compute what the model does, on one memory in any
// order that a schedule may choose, and saved, each stage with a memory of its own.
#pragma once

#include "partition/cut.h"
#include "ways_to_run.h"

#include <QTest>
#include <map>
#include <string>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <utility>
#include <vector>

namespace pipescope::test {

inline Module withCode(const std::string &code, const std::map<std::string, at::Tensor> &buffers = {})
{
    Module module = makeModule("Model");
    for (const auto &[name, tensor] : buffers)
        module.register_buffer(name, tensor);
    module.define(code);
    return module;
}

/// The module with the tensor under `name` as a constant of a method's code, which is how the tracer keeps one.
inline Module withConstant(Module module, const std::string &method, const std::string &name, const at::Tensor &tensor)
{
    const auto graph = torch::jit::toGraphFunction(module.get_method(method).function()).graph();
    std::vector<torch::jit::Node *> reads;
    for (torch::jit::Node *node : graph->nodes())
        if (node->kind() == c10::prim::GetAttr && node->s(c10::attr::name) == name)
            reads.push_back(node);
    for (torch::jit::Node *node : reads) {
        const torch::jit::WithInsertPoint here(node);
        node->output()->replaceAllUsesWith(graph->insertConstant(tensor));
        node->destroy();
    }
    return module;
}

/// One sign for each place, before the second node and so on: + where a cut is legal.
inline std::string legality(const graph::ModelGraph &graph)
{
    std::string text;
    for (const partition::Cut &cut : partition::allCuts(graph))
        text += cut.legal ? '+' : '-';
    return text;
}

inline QByteArray textOf(const graph::ModelGraph &graph)
{
    QByteArray text;
    for (int i = 0; i < graph.size(); ++i)
        text += QByteArray::number(i) + " " + graph.at(i).name.c_str() + "\n";
    return text;
}

enum class Grad { Off, On };
enum class Savable { Yes, No };

inline void checkEveryLegalCut(const Make &make, const Calls &calls, const std::string &legal, Grad grad = Grad::Off,
                               Savable savable = Savable::Yes)
{
    const at::AutoGradMode mode(grad == Grad::On);
    const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
    const auto model = imported(make());
    QVERIFY2(legality(model.graph) == legal,
             (textOf(model.graph) + legality(model.graph).c_str() + " and not " + legal.c_str()).constData());
    const Values expected = expectedOutputs(make, calls);
    std::vector<std::vector<int>> ways;
    for (int first = 1; first < model.graph.size(); ++first) {
        if (legal[static_cast<std::size_t>(first) - 1] != '+')
            continue;
        ways.push_back({first});
        for (int second = first + 1; second < model.graph.size(); ++second)
            if (legal[static_cast<std::size_t>(second) - 1] == '+')
                ways.push_back({first, second});
    }
    for (const std::vector<int> &cuts : ways)
        for (const auto &[way, run] : {Way{"stage by stage", stageByStage}, Way{"the last stage first", lastStageFirst},
                                       Way{"saved", savedChain}}) {
            if (savable == Savable::No && run == savedChain)
                continue;
            const Values actual = run(make, calls, cuts);
            for (std::size_t m = 0; m < calls.size(); ++m)
                QVERIFY2(same(actual[m], expected[m]),
                         (textOf(model.graph) + way + ", cut before " + QByteArray::number(cuts.front()) +
                          ", microbatch " + QByteArray::number(static_cast<int>(m)))
                             .constData());
        }
}

inline void check(const std::string &code, const std::map<std::string, at::Tensor> &buffers, const std::string &legal)
{
    const auto make = [&] {
        std::map<std::string, at::Tensor> own;
        for (const auto &[name, tensor] : buffers)
            own[name] = tensor.clone();
        return withCode(code, own);
    };
    checkEveryLegalCut(make, tensors(), legal);
}

} // namespace pipescope::test

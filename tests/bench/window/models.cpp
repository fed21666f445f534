#include "models.h"

#include "support/graph_builder.h"

#include <fmt/format.h>

namespace pipescope::bench {

namespace {

std::shared_ptr<const graph::ModelGraph> measured(const std::string &text)
{
    auto graph = std::make_shared<graph::ModelGraph>(tests::graphFromText(text));
    for (auto &value : graph->values)
        if (value.producer.valid())
            value.tensor = graph::TensorMeta{"float32", {8, 64, 64}, 131072, true};
    return graph;
}

} // namespace

std::shared_ptr<const graph::ModelGraph> longModel(int operators, Modules modules)
{
    std::string text = "in x0\nin mask\nin cos\nin sin\n";
    for (int layer = 0; (layer + 1) * 20 <= operators; ++layer) {
        const auto node = [&](std::string_view result, std::string_view op, const std::string &takes) {
            text += fmt::format("{}{} = aten::{} {} @0.001 *131072\n", result, layer, op, takes);
        };
        const auto of = [layer](std::string_view name) { return fmt::format("{}{}", name, layer); };
        if (modules == Modules::OfLayers)
            text += fmt::format("call layers.{}\n", layer);
        node("h", "layer_norm", of("x"));
        for (const char head : {'q', 'k', 'v'}) {
            const std::string name(1, head);
            node(name + "l", "linear", of("h"));
            node(name + "w", "view", of(name + "l"));
            node(name + "t", "transpose", of(name + "w"));
        }
        node("qr", "mul", of("qt") + " cos");
        node("kr", "mul", of("kt") + " sin");
        node("qk", "matmul", of("qr") + " " + of("kr"));
        node("sc", "add", of("qk") + " mask");
        node("sm", "softmax", of("sc"));
        node("av", "matmul", of("sm") + " " + of("vt"));
        node("o", "linear", of("av"));
        node("r", "add", of("x") + " " + of("o"));
        node("m", "linear", of("r"));
        text += fmt::format("x{} = aten::add {} {} @0.001 *131072\n", layer + 1, of("r"), of("m"));
        if (modules == Modules::OfLayers)
            text += "end\n";
    }
    return measured(text);
}

std::shared_ptr<const graph::ModelGraph> wideModel(int branches, int operatorsEach)
{
    std::string text = "in x\n";
    for (int branch = 0; branch < branches; ++branch)
        for (int at = 0; at < operatorsEach; ++at) {
            std::string takes = at == 0 ? "x" : fmt::format("a{}_{}", branch, at - 1);
            if (at > 0 && at % 7 == 0 && branch > 0)
                takes += fmt::format(" a{}_{}", branch - 1, at - 1);
            text += fmt::format("a{}_{} = aten::linear {} @0.001 *131072\n", branch, at, takes);
        }
    return measured(text);
}

std::vector<StageId> equalStages(const graph::ModelGraph &graph, int stages)
{
    const std::size_t count = graph.order.size();
    std::vector<StageId> stageOf(count);
    for (std::size_t i = 0; i < count; ++i)
        stageOf[i] = StageId{static_cast<int>(i * static_cast<std::size_t>(stages) / count)};
    return stageOf;
}

} // namespace pipescope::bench

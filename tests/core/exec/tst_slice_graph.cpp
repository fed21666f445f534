#include "exec/slice_graph.h"

#include "exec_models.h"

#include "support/test_program.h"

#include <QTest>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

int countOf(const torch::jit::Block &block, const std::string &kind)
{
    int count = 0;
    for (const torch::jit::Node *node : block.nodes()) {
        count += node->kind().toQualString() == kind ? 1 : 0;
        for (const torch::jit::Block *inner : node->blocks())
            count += countOf(*inner, kind);
    }
    return count;
}

Slice wholeOf(const import::ImportedModel &model)
{
    Slice slice{0, model.graph.size(), {}, model.graph.outputs};
    for (const graph::Argument &argument : model.graph.arguments)
        slice.inputs.push_back(argument.value);
    for (const auto &[id, value] : model.held)
        slice.inputs.push_back(id);
    return slice;
}

import::ImportedModel nested(){return imported(layers("Nested", 2, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        if i > 2:
            x = self.fc0.forward(x)
        else:
            x = torch.relu(x) + 1.5
    return self.fc1.forward(x)
)"));
} // namespace

} // namespace

class TestSliceGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyNodeGetsAMarkNestedOnesToo()
    {
        const auto model = nested();
        MarkTable marks;
        const auto graph = markedGraph(model, wholeOf(model), marks);
        QCOMPARE(marks.size(), model.graph.nodes.size());
        QCOMPARE(countOf(*graph->block(), "pipescope::at"), static_cast<int>(marks.size()));
        for (const MarkedNode &mark : marks)
            QCOMPARE(mark.topLevel, !model.graph.node(mark.node).parent.valid());
    }

    void aMarkStandsBeforeItsNode()
    {
        const auto model = nested();
        MarkTable marks;
        const auto graph = markedGraph(model, wholeOf(model), marks);
        std::vector<std::string> after;
        for (torch::jit::Node *node : graph->block()->nodes())
            if (node->kind().toQualString() == std::string("pipescope::at")) {
                const auto index = static_cast<std::size_t>(torch::jit::toIValue(node->input(0))->toInt());
                QCOMPARE(std::string(node->next()->kind().toQualString()), model.graph.node(marks[index].node).op);
                after.push_back(marks[index].name);
            }
        QCOMPARE(after, (std::vector<std::string>{"prim::Loop", "fc1/aten::linear"}));
    }

    void marksSurviveDeadCodeElimination()
    {
        const auto model = nested();
        MarkTable marks;
        const auto graph = markedGraph(model, wholeOf(model), marks);
        torch::jit::EliminateDeadCode(graph);
        QCOMPARE(countOf(*graph->block(), "pipescope::at"), static_cast<int>(marks.size()));
    }

    void aSliceCopiesTheConstantsItUsesAndNoMore()
    {
        const auto model = imported(layers("Constants", 1, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.transpose(x, 0, 1)
    return torch.softmax(y, 1)
)"));
        const ValueId x = model.graph.arguments[0].value;
        const ValueId y = model.graph.at(0).outputs[0];
        const auto first = sliceGraph(model, {0, 1, {x}, {y}});
        QCOMPARE(countOf(*first->block(), "prim::Constant"), 2); // 0, 1
        QCOMPARE(countOf(*first->block(), "pipescope::at"), 0);
        const auto second = sliceGraph(model, {1, 2, {y}, model.graph.outputs});
        QCOMPARE(countOf(*second->block(), "prim::Constant"), 2); // 1, None
        second->lint();
    }

    void theModelsGraphIsNotTouched()
    {
        const auto model = nested();
        const std::string before = model.lowered->toString();
        MarkTable marks;
        markedGraph(model, wholeOf(model), marks)->lint();
        QCOMPARE(model.lowered->toString(), before);
    }
};

PIPESCOPE_TEST(TestSliceGraph)
#include "tst_slice_graph.moc"

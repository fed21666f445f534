#include "import/device_pass.h"

#include "import/import_method.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <QTest>

using namespace pipescope;
using import::ImportedModel;

namespace {

ImportedModel importedModule(const torch::jit::Module &module)
{
    auto model = import::importMethod(module);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

std::shared_ptr<torch::jit::Graph> tracedGraph()
{
    return importedModule(testing::tracedModel()).lowered->copy();
}

using Lines = std::vector<std::string>;

} // namespace

class TestDevicePass : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bakedInDevicesBecomeTheCpu() // libtorch.md section 7, rows 15 to 17
    {
        const auto model = importedModule(testing::bakedInDevices());
        QCOMPARE(model.notes,
                 (Lines{"the model has devices baked in; 4 places now use the CPU: aten::zeros: cuda:0 -> cpu; "
                        "aten::to: cuda:0 -> cpu; aten::ones: cuda:0 -> cpu; aten::cuda: left out on cpu."}));
        for (const graph::Node &node : model.graph.nodes)
            QVERIFY2(node.op != "aten::cuda", node.name.c_str());
    }

    void theProgramThenRunsOnTheCpu()
    {
        const auto model = importedModule(testing::bakedInDevices());
        QCOMPARE(model.lowered->inputs().size(), std::size_t(1));
        const torch::jit::Code code(model.lowered, "forward");
        for (const double each : {1.0, -1.0}) {
            torch::jit::Stack stack{at::full({2, 3}, each)};
            torch::jit::InterpreterState(code).run(stack);
            QVERIFY(stack.at(0).toTensor().equal(at::full({2, 3}, each > 0 ? 4.0 : -2.0)));
        }
    }

    void theModuleItselfIsNotChanged()
    {
        const auto module = testing::bakedInDevices();
        importedModule(module);
        QVERIFY(module.get_method("forward").graph()->toString().find("cuda:0") != std::string::npos);
    }

    void devicesOfTheKindAskedForStay()
    {
        const auto graph = tracedGraph();
        const std::string before = graph->toString();
        QCOMPARE(import::sendToDevice(*graph, c10::Device("cpu")), Lines());
        QCOMPARE(graph->toString(), before);
    }

    void everyPlaceIsNamedOnceAndThenNothingIsLeft()
    {
        const auto graph = tracedGraph();
        QCOMPARE(import::sendToDevice(*graph, c10::Device("cuda:0")),
                 (Lines{"aten::full: cpu -> cuda:0", "aten::to: cpu -> cuda:0"}));
        QCOMPARE(import::sendToDevice(*graph, c10::Device("cuda:0")), Lines());
    }
};

PIPESCOPE_TEST(TestDevicePass)
#include "tst_device_pass.moc"

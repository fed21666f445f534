#include "exec/held_values.h"

#include "exec_models.h"

#include "support/test_program.h"

#include <QTest>
#include <c10/core/GradMode.h>
#include <functional>
#include <map>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

StageCall onceOnly()
{
    return {MicrobatchId{0}, 0, {}, nullptr};
}

at::Tensor numbers(const std::vector<float> &values)
{
    return at::tensor(c10::ArrayRef<float>(values));
}

Module scaling()
{
    Module module = makeModule("Scaling");
    module.register_parameter("weight", numbers({2, 3}).requires_grad_(), false);
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return x * self.weight\n");
    return module;
}

// Each tensor changed; what is none stays the model's.
HeldValues changed(HeldValues held, const std::function<at::Tensor(const at::Tensor &)> &change)
{
    for (auto &[id, value] : held)
        if (value.isTensor())
            value = change(value.toTensor());
    return held;
}

at::Tensor runWhole(const StageProgram &program, Values arguments)
{
    return must(program.run(std::move(arguments), onceOnly())).at(0).toTensor();
}

void bakeIn(torch::jit::Block &block)
{
    for (torch::jit::Node *node : block.nodes()) {
        for (torch::jit::Block *inner : node->blocks())
            bakeIn(*inner);
        const bool multiplies = node->kind() == c10::aten::mul;
        if (!multiplies && node->kind() != c10::aten::add)
            continue;
        const torch::jit::WithInsertPoint here(node);
        node->replaceInput(1, node->owningGraph()->insertConstant(at::full({1}, multiplies ? 3.0 : 5.0)));
    }
}

// x * 3, n times, and then + 5; both numbers are tensors in the code itself, one of them inside a loop.
Module baked()
{
    Module module = makeModule("Baked");
    module.define(R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = torch.mul(x, x)
    return torch.add(x, x)
)");
    bakeIn(*module.get_method("forward").graph()->block());
    return module;
}

// x * x, or where `c` is false 7, a tensor in the code that the branch returns as it is.
Module bakedBranch()
{
    Module module = makeModule("BakedBranch");
    module.define(R"(
def forward(self, x: Tensor, c: bool) -> Tensor:
    if c:
        y = torch.mul(x, x)
    else:
        y = x
    return y
)");
    for (torch::jit::Node *node : module.get_method("forward").graph()->block()->nodes()) {
        if (node->kind() != c10::prim::If)
            continue;
        torch::jit::Block *const otherwise = node->blocks()[1];
        const torch::jit::WithInsertPoint here(otherwise);
        otherwise->replaceOutput(0, node->owningGraph()->insertConstant(at::full({1}, 7.0)));
    }
    return module;
}

} // namespace

class TestHeldValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theModelsOwnShareItsMemory()
    {
        const Module module = scaling();
        const auto model = imported(module);
        const HeldValues held = heldBy(model);
        QCOMPARE(held.size(), std::size_t(1));
        QVERIFY(held.begin()->second.toTensor().is_same(module.attr("weight").toTensor()));
    }

    void twoProgramsOfOneModelComputeWithTheirOwnTensors()
    {
        const at::NoGradGuard plain;
        const Module module = scaling();
        const auto model = imported(module);
        const HeldValues tens = changed(heldBy(model), [](const at::Tensor &tensor) { return tensor * 10; });
        const auto own = must(StageProgram::buildWhole(model, heldBy(model)));
        const auto other = must(StageProgram::buildWhole(model, tens));
        const at::Tensor x = at::ones({2});
        QVERIFY(runWhole(own, {x}).equal(numbers({2, 3})));
        QVERIFY(runWhole(other, {x}).equal(numbers({20, 30})));

        tens.begin()->second.toTensor().fill_(1);
        QVERIFY(runWhole(own, {x}).equal(numbers({2, 3})));
        QVERIFY(runWhole(other, {x}).equal(numbers({1, 1})));

        module.attr("weight").toTensor().fill_(7);
        QVERIFY(runWhole(own, {x}).equal(numbers({7, 7})));
        QVERIFY(runWhole(other, {x}).equal(numbers({1, 1})));
    }

    void eachStageComputesWithWhatItIsGiven()
    {
        const auto model = imported(chain());
        const auto partition =
            must(partition::makePartition(model.graph, {positionNamed(model.graph, "fc3/aten::linear")}));
        // Weights 0 and biases 1: a = b = c = 1, and 1 + a is returned.
        const HeldValues held = changed(heldBy(model), [](const at::Tensor &tensor) {
            return tensor.dim() == 2 ? at::zeros_like(tensor) : at::ones_like(tensor);
        });
        const auto first = must(StageProgram::build(model, partition.stages[0], held));
        const auto last = must(StageProgram::build(model, partition.stages[1], held));
        std::map<ValueId, c10::IValue> made;
        const Values outputs = must(first.run({wave({3, 4})}, onceOnly()));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            made[first.outputs()[i]] = outputs[i];
        Values inputs;
        for (const ValueId id : last.inputs())
            inputs.push_back(made.at(id));
        QVERIFY(runWhole(last, inputs).equal(at::full({3, 4}, 2.0)));
    }

    void aBufferWrittenInPlaceIsTheProgramsOwn()
    {
        Module module = makeModule("Counting");
        module.register_buffer("count", at::zeros({1}));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.count.add_(1.)
    return x + self.count
)");
        const auto model = imported(module);
        const HeldValues hundred =
            changed(heldBy(model), [](const at::Tensor &tensor) { return at::full_like(tensor, 100); });
        const auto own = must(StageProgram::buildWhole(model, heldBy(model)));
        const auto other = must(StageProgram::buildWhole(model, hundred));
        const at::Tensor x = at::zeros({1});
        QVERIFY(runWhole(own, {x}).equal(numbers({1})));
        QVERIFY(runWhole(other, {x}).equal(numbers({101})));
        QVERIFY(runWhole(own, {x}).equal(numbers({2})));
        QVERIFY(runWhole(other, {x}).equal(numbers({102})));
        QVERIFY(module.attr("count").toTensor().equal(numbers({2})));
    }

    void parametersMayBeLeavesOfTheirOwn()
    {
        const Module module = scaling();
        const auto model = imported(module);
        const HeldValues leaves =
            changed(heldBy(model), [](const at::Tensor &tensor) { return tensor.detach().clone().requires_grad_(); });
        const c10::AutoGradMode grad(true);
        runWhole(must(StageProgram::buildWhole(model, leaves)), {numbers({4, 5})}).sum().backward();
        QVERIFY(leaves.begin()->second.toTensor().grad().equal(numbers({4, 5})));
        QVERIFY(!module.attr("weight").toTensor().grad().defined());
    }

    void tensorsInTheCodeItselfAreHeldToo()
    {
        const auto model = imported(baked());
        const HeldValues held = heldBy(model);
        QCOMPARE(held.size(), std::size_t(2));
        const HeldValues doubled = changed(held, [](const at::Tensor &tensor) { return tensor * 2; });
        const at::Tensor x = at::full({1}, 2.0);
        QVERIFY(runWhole(must(StageProgram::buildWhole(model, held)), {x, 2}).equal(numbers({2 * 3 * 3 + 5})));
        QVERIFY(runWhole(must(StageProgram::buildWhole(model, doubled)), {x, 2}).equal(numbers({2 * 6 * 6 + 10})));
        // Without one the program has the model's.
        QVERIFY(runWhole(must(StageProgram::buildWhole(model, {})), {x, 2}).equal(numbers({2 * 3 * 3 + 5})));
    }

    void aStageIsFedTheConstantsThatItUses()
    {
        const auto model = imported(baked());
        const HeldValues held = heldBy(model);
        QCOMPARE(model.graph.size(), 2); // the loop and the sum
        const auto inLoop = constantsUsed(model, held, 0, 1, {});
        const auto inSum = constantsUsed(model, held, 1, 2, {});
        QCOMPARE(inLoop.size(), std::size_t(1));
        QCOMPARE(inSum.size(), std::size_t(1));
        QVERIFY(held.at(inLoop[0]).toTensor().equal(numbers({3})));
        QVERIFY(held.at(inSum[0]).toTensor().equal(numbers({5})));
        QCOMPARE(constantsUsed(model, held, 0, 0, inSum), inSum); // as one that is returned
    }

    void aTensorThatABlockReturnsIsHeldToo()
    {
        const auto model = imported(bakedBranch());
        const HeldValues held = heldBy(model);
        QCOMPARE(held.size(), std::size_t(1));
        QCOMPARE(constantsUsed(model, held, 0, model.graph.size(), {}).size(), std::size_t(1));
        const HeldValues doubled = changed(held, [](const at::Tensor &tensor) { return tensor * 2; });
        const at::Tensor x = at::full({1}, 2.0);
        const auto own = must(StageProgram::buildWhole(model, held));
        const auto other = must(StageProgram::buildWhole(model, doubled));
        QVERIFY(runWhole(own, {x, false}).equal(numbers({7})));
        QVERIFY(runWhole(other, {x, false}).equal(numbers({14})));
        QVERIFY(runWhole(other, {x, true}).equal(numbers({4})));
    }

    void whatIsMissingIsNamed()
    {
        const auto model = imported(scaling());
        const auto partition = must(partition::makePartition(model.graph, {}));
        const auto program = StageProgram::build(model, partition.stages[0], {});
        QVERIFY(!program);
        QCOMPARE(program.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(program.error().message, std::string("stage0 holds weight, and no value of it is given"));
    }
};

PIPESCOPE_TEST(TestHeldValues)
#include "tst_held_values.moc"

#include "exec/snapshot.h"

#include "exec/model_state.h"
#include "exec_models.h"

#include "support/test_program.h"

#include <QTest>
#include <c10/core/InferenceMode.h>
#include <cmath>
#include <limits>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

Snapshot snapshotOf(const at::Tensor &tensor)
{
    Snapshot snapshot;
    snapshot.add(tensor);
    return snapshot;
}

/// Code around the buffer `n`.
Module counter(const char *code)
{
    Module module = makeModule("Counter");
    module.register_buffer("n", at::zeros({1}));
    module.define(code);
    return module;
}

} // namespace

class TestSnapshot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aZeroThatLostItsSignGetsItBack()
    {
        const at::Tensor tensor = at::full({2}, -0.0);
        const Snapshot snapshot = snapshotOf(tensor);
        tensor.zero_();
        QVERIFY(!std::signbit(tensor[0].item<float>()));
        snapshot.restore();
        QVERIFY(std::signbit(tensor[0].item<float>()));
    }

    void aNanThatIsStillThereIsNotWritten()
    {
        const at::Tensor tensor = at::full({2}, std::numeric_limits<float>::quiet_NaN());
        const Snapshot snapshot = snapshotOf(tensor);
        const auto version = tensor._version();
        snapshot.restore();
        QCOMPARE(tensor._version(), version);
        tensor.fill_(1);
        snapshot.restore();
        QVERIFY(std::isnan(tensor[0].item<float>()));
    }

    void stridesDoNotMatter()
    {
        const at::Tensor matrix = at::arange(12, at::kFloat).reshape({3, 4});
        for (const at::Tensor &view : {matrix.t(), matrix.slice(1, 0, 4, 2), matrix.expand({2, 3, 4}).select(0, 1)}) {
            const at::Tensor before = view.clone();
            const Snapshot snapshot = snapshotOf(view);
            const auto version = view._version();
            snapshot.restore();
            QCOMPARE(view._version(), version);
            view.select(0, 1).fill_(-1);
            snapshot.restore();
            QVERIFY(view.equal(before));
        }
    }

    void quantizedAndSparseTensorsComeBack()
    {
        const at::Tensor quantized = at::quantize_per_tensor(at::ones({4}), 0.5, 0, at::kQInt8);
        const Snapshot ofQuantized = snapshotOf(quantized);
        quantized.copy_(at::zeros({4}));
        ofQuantized.restore();
        QVERIFY(quantized.dequantize().equal(at::ones({4})));

        const at::Tensor sparse = at::eye(3).to_sparse();
        const Snapshot ofSparse = snapshotOf(sparse);
        sparse.mul_(2);
        ofSparse.restore();
        QVERIFY(sparse.to_dense().equal(at::eye(3)));
    }

    void aGuardPutsTheModelBackWhenItGoes()
    {
        const Module module = counter(R"(
def forward(self, x: Tensor) -> Tensor:
    self.n += 1
    return x + self.n
)");
        const auto model = imported(module);
        {
            const StateGuard guard(model);
            must(must(StageProgram::buildWhole(model, heldBy(model)))
                     .run({at::ones({2})}, {MicrobatchId{0}, 0, {}, nullptr}));
            QCOMPARE(module.attr("n").toTensor().item<double>(), 1.0);
        }
        QCOMPARE(module.attr("n").toTensor().item<double>(), 0.0);
    }

    void whatCannotBePutBackIsThrownByRestoreAndNotByTheGuard()
    {
        // Outside InferenceMode nobody may write into a tensor made inside.
        const at::Tensor n = [] {
            const c10::InferenceMode inference;
            return at::zeros({1});
        }();
        Module module = makeModule("Inference");
        module.register_attribute("n", c10::TensorType::get(), n);
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.n.add_(1)
    return x + self.n
)");
        const auto model = imported(module);
        {
            const StateGuard guard(model);
            const auto change = [&n] {
                const c10::InferenceMode inference;
                n.add_(1);
            };
            change();
            QVERIFY_THROWS_EXCEPTION(c10::Error, guard.restore());
            change();
        } // an exception from the guard here would end the program
    }

    void onlyAModelThatLeavesSomethingChangedKeepsState()
    {
        QVERIFY(!keepsState(imported(chain())));
        QVERIFY(!keepsState(imported(layers("Spoils", 1, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.relu_(x)
)"))));
        QVERIFY(keepsState(imported(counter(R"(
def forward(self, x: Tensor) -> Tensor:
    self.n.view(-1).add_(1)
    return x + self.n
)"))));
    }

    void aReturnedBufferIsNotChangedByTheNextRun()
    {
        const auto model = imported(counter(R"(
def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
    self.n += 1
    return torch.relu(x), self.n
)"));
        const StateGuard guard(model);
        const StageProgram program = must(StageProgram::buildWhole(model, heldBy(model)));
        std::vector<c10::IValue> results;
        for (int i = 0; i < 3; ++i)
            results.push_back(must(program.run({at::ones({2})}, {MicrobatchId{i}, 0, {}, nullptr}))[0]);
        guard.restore();
        for (int i = 0; i < 3; ++i)
            QCOMPARE(results[static_cast<std::size_t>(i)].toTupleRef().elements()[1].toTensor().item<double>(),
                     i + 1.0);
    }
};

PIPESCOPE_TEST(TestSnapshot)
#include "tst_snapshot.moc"

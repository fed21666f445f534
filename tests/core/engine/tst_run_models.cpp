// The main job on models that ask something special of it.
#include "engine/run_job.h"

#include "core/engine/small_models.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;

namespace {

/// y = x W, then y plus the gradient of the sum of its squares: 3 x W.
torch::jit::Module differentiating()
{
    torch::jit::Module module = emptyModule("Differentiating");
    module.register_parameter("weight", at::arange(16, at::kFloat).reshape({4, 4}), false);
    module.define("def forward(self, x: Tensor) -> Tensor:\n"
                  "    y = torch.matmul(x, self.weight)\n"
                  "    gradient = torch.grad([torch.sum(torch.mul(y, y))], [y])[0]\n"
                  "    assert gradient is not None\n"
                  "    return torch.add(y, gradient)\n");
    module.attr("weight").toTensor().set_requires_grad(true);
    return module;
}

/// Adds the mask to the batch, then a layer.
torch::jit::Module masked()
{
    torch::jit::Module module = emptyModule("Masked");
    module.register_module("block", layer(at::eye(8)));
    module.define("def forward(self, x: Tensor, mask: Tensor) -> Tensor:\n"
                  "    return self.block.forward(torch.add(x, mask))\n");
    return module;
}

} // namespace

class TestRunModels : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    report::RunRequest request(const torch::jit::Module &module, const std::vector<std::string> &inputs,
                               const std::string &split, int microbatches) const
    {
        report::RunRequest made;
        made.plan.model = save(module, m_folder.filePath(QStringLiteral("model.pt")).toStdString());
        for (const std::string &input : inputs)
            made.plan.inputs.push_back(*plan::parseInputSpec(input));
        made.plan.splits = {split};
        made.plan.microbatches = microbatches;
        return made;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void anotherMethodIsSplitAndRun()
    {
        report::RunRequest made = request(testing::twoMethods(), {"x=float32[4,16]", "scale=3.0"}, "markers", 2);
        made.plan.method = "encode";
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->plan.method, std::string("encode"));
        QCOMPARE(report->stages.size(), std::size_t(2));
        QCOMPARE(report->stages[1].first, std::string("first:end"));
        QCOMPARE(report->stages[1].parameters, std::int64_t(0)); // tanh and a product
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(report->separability->holds);
    }

    void aModelThatDifferentiatesInsideNeedsGrad()
    {
        report::RunRequest made = request(differentiating(), {"x=float32[4,4]"}, "aten::add", 2);
        const auto without = engine::run(made, {});
        QVERIFY(!without);
        QVERIFY(without.error().code == ErrorCode::ModelFailed);
        for (const char *part :
             {"unsplit model, the whole batch, aten::grad", "does not require grad", "autograd has to be recorded"})
            QVERIFY2(without.error().message.find(part) != std::string::npos, without.error().message.c_str());

        made.plan.grad = true;
        const auto with = engine::run(made, {});
        QVERIFY2(with, with ? "" : with.error().message.c_str());
        QVERIFY(with->equivalence->overall.bitwise);
        QVERIFY(with->separability->holds);
    }

    void writesInPlaceAreKeptWhereverTheyAreSeen_data()
    {
        QTest::addColumn<std::string>("source");
        const auto row = [](const char *name, const std::string &lines) {
            QTest::newRow(name) << "def forward(self, x: Tensor) -> Tensor:\n    y = torch.mul(x, 2.0)\n" + lines;
        };
        row("dropout that is off", "    h = torch.dropout(y, 0.5, False)\n    y.add_(1.0)\n    return torch.neg(h)\n");
        row("through dropout", "    h = torch.dropout(y, 0.5, False)\n    h.add_(1.0)\n    return torch.neg(y)\n");
        row("at least 2-D", "    h = torch.atleast_2d(y)\n    y.add_(1.0)\n    return torch.neg(h)\n");
        row("dense already", "    h = y.to_dense()\n    y.add_(1.0)\n    return torch.neg(h)\n");
    }
    void writesInPlaceAreKeptWhereverTheyAreSeen()
    {
        QFETCH(std::string, source);
        torch::jit::Module module = emptyModule("Writing");
        module.define(source);
        report::RunRequest made = request(module, {"x=float32[4,4]"}, "aten::neg", 1);
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY2(report->equivalence->overall.bitwise, report->equivalence->explanation.c_str());
    }

    void nestedTensorsInsideAModelAreSplitProfiledAndJudged()
    {
        torch::jit::Module module = emptyModule("Nesting");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    parts = torch._nested_tensor_from_tensor_list([x, torch.add(x, 1.0)])\n"
                      "    y = torch.add(x, 0 * parts.size(0))\n"
                      "    return torch.sub(y, torch.mean(y, [0], True))\n");
        report::RunRequest made = request(module, {"x=float32[4,4]"}, "aten::sub", 2);
        made.plan.splits.clear();
        made.balanceInto = 2;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY2(report->separability && !report->separability->holds, report->separabilityUnknown.c_str());
        QVERIFY2(report->separability->nodeName == "aten::mean", report->separability->explanation.c_str());
    }

    /// Case C8: a mask for the whole batch, [1, S], must reach every microbatch; cut as the batch is, it leaves one.
    void aMaskForTheWholeBatchIsProposedToBeReplicated()
    {
        report::RunRequest made = request(masked(), {"x=float32[4,8]", "mask=float32[1,8]"}, "block", 4);
        const auto whole = engine::run(made, {});
        QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
        QCOMPARE(whole->microbatches.size(), std::size_t(1));
        QCOMPARE(whole->warnings.size(), std::size_t(1));
        QVERIFY2(whole->warnings[0].find("'replicate'") != std::string::npos, whole->warnings[0].c_str());

        made.plan.inputChunks = {{"mask", microbatch::ChunkSpec{microbatch::Replicate{}}}};
        const auto replicated = engine::run(made, {});
        QVERIFY2(replicated, replicated ? "" : replicated.error().message.c_str());
        QCOMPARE(replicated->microbatches, (std::vector<std::int64_t>{1, 1, 1, 1}));
        QVERIFY(replicated->warnings.empty());
        QVERIFY(replicated->equivalence->overall.bitwise);
        QVERIFY(replicated->separability->holds);
    }

    /// Case C8: of a mask with a row for each of the batch, microbatch i gets row i: joined, they are the whole batch.
    void aMaskWithARowForEachIsCutWithTheBatch()
    {
        const auto report = engine::run(request(masked(), {"x=float32[4,8]", "mask=float32[4,8]"}, "block", 4), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->microbatches, (std::vector<std::int64_t>{1, 1, 1, 1}));
        QVERIFY(report->separability->holds);
    }
};

PIPESCOPE_TEST(TestRunModels)
#include "tst_run_models.moc"

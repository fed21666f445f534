#include "check/separability.h"
#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTest>

using namespace pipescope;
using report::Cause;
using testing::Values;

namespace {

report::Separability ask(const torch::jit::Module &module, const Values &whole, const std::vector<Values> &parts,
                         const check::CheckOptions &options = {})
{
    const auto model = testing::imported(module);
    const auto outputs = check::runReference(model, parts, options);
    if (!outputs)
        qFatal("%s", outputs.error().message.c_str());
    auto answer = check::checkSeparability(model, whole, parts, *outputs, {}, options);
    if (!answer)
        qFatal("%s", answer.error().message.c_str());
    return *answer;
}

report::Separability ask(const torch::jit::Module &module, const Values &whole, int count)
{
    return ask(module, whole, testing::microbatches(whole, count));
}

torch::jit::Module defined(const std::string &source)
{
    torch::jit::Module module("Model");
    module.define(source);
    return module;
}

/// Why it is not known of such a model whether 8 rows may be cut in two.
Error refusal(const std::string &source)
{
    const auto model = testing::imported(defined(source));
    const Values whole{testing::rows(8)};
    const auto parts = testing::microbatches(whole, 2);
    const auto outputs = check::runReference(model, parts, {});
    if (!outputs)
        return outputs.error();
    const auto answer = check::checkSeparability(model, whole, parts, *outputs, {}, {});
    return answer ? Error{} : answer.error();
}

} // namespace

class TestSeparability : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void independentRowsMayBeCut()
    {
        const auto answer = ask(testing::transformerLike(), {testing::rows(8)}, 4);
        QVERIFY(answer.holds);
        QVERIFY(answer.cause == Cause::None);
        QVERIFY(answer.explanation.empty());
    }

    void unevenMicrobatchesAreJoinedToo() { QVERIFY(ask(testing::c15FourLinears(), {testing::rows(7)}, 3).holds); }

    void stateCarriedFromCallToCallIsNamed()
    {
        const auto answer = ask(testing::statefulCounter(), {testing::rows(8)}, 4);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::State, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("prim::GetAttr#1")); // the first reads the number n
        QVERIFY2(answer.explanation.find("(hidden)") != std::string::npos, answer.explanation.c_str());
    }

    void batchStatisticsAreNamed()
    {
        const auto answer = ask(testing::batchNormModel(testing::Mode::Train), {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::BatchStatistics, report::causeName(answer.cause).data());
        QCOMPARE(answer.fqn, std::string("bn"));
        QCOMPARE(answer.nodeName, std::string("bn/aten::batch_norm"));
        QVERIFY(answer.maxAbsError > 0.01);
    }

    void batchNormInEvalModeMayBeCut()
    {
        QVERIFY(ask(testing::batchNormModel(testing::Mode::Eval), {testing::rows(8)}, 2).holds);
    }

    void aReductionOverTheBatchIsNamed()
    {
        const auto answer = ask(defined("def forward(self, x):\n    return torch.neg(x) - torch.mean(x, [0], True)\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::BatchReduction, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::mean"));
    }

    void aBranchOnTheBatchIsNamed()
    {
        const auto answer = ask(defined("def forward(self, x):\n"
                                        "    y = torch.neg(x)\n"
                                        "    if y.size(0) > 2:\n        z = y + 1\n    else:\n        z = y - 1\n"
                                        "    return torch.relu(z)\n"),
                                {testing::rows(4)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::BatchBranch, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("prim::If"));
    }

    void ofABranchOnAReductionTheReductionIsNamed()
    {
        const auto answer =
            ask(defined("def forward(self, x):\n"
                        "    if bool(torch.sum(x) > 0):\n        y = x + 1\n    else:\n        y = x - 1\n"
                        "    return torch.relu(y)\n"),
                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::BatchReduction, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::sum"));
    }

    void dynamicQuantizationIsNamed_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addColumn<double>("shift");
        QTest::newRow("away from ties") << 0.9 << 0.03;
        // One ulp moves a value halfway between two steps by a whole step: no measure of noise.
        QTest::newRow("on ties") << 1.0 << 0.0;
    }

    void dynamicQuantizationIsNamed()
    {
        QFETCH(double, scale);
        QFETCH(double, shift);
        const auto answer = ask(testing::dynamicallyQuantized(), {testing::rows(8) * scale + shift}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::DynamicQuantization, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("quantized::linear_dynamic"));
    }

    void randomNumbersAreNamed()
    {
        const auto answer = ask(defined("def forward(self, x):\n    return torch.neg(x) + torch.rand_like(x)\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::Random, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::rand_like"));
    }

    void ofRandomNumbersThatTheModelSeedsItselfNothingIsKnown()
    {
        const Error unknown =
            refusal("def forward(self, x):\n    torch.manual_seed(3)\n    return torch.neg(x) + torch.rand([16])\n");
        QVERIFY(unknown.code == ErrorCode::Unsupported);
        QCOMPARE(unknown.message,
                 std::string("the model seeds its random numbers itself (torch.manual_seed), and is given others here: "
                             "each microbatch has its own"));
    }

    void aSeedThatComesTooLateIsNoExcuse()
    {
        const auto answer = ask(defined("def forward(self, x):\n    y = torch.neg(x) + torch.rand_like(x)\n"
                                        "    torch.manual_seed(3)\n    return y + torch.rand([16])\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::Random, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::rand_like"));
    }

    void ofNestedTensorsNothingIsKnown()
    {
        const Error unknown =
            refusal("def forward(self, x):\n    return torch._nested_tensor_from_tensor_list([x, x + 1])\n");
        QVERIFY(unknown.code == ErrorCode::Unsupported);
        QCOMPARE(unknown.message, std::string("output cannot be compared: it is a nested tensor, which has no rows "
                                              "that microbatches could be joined by"));
    }

    void anOutputThatDoesNotHoldIsAnAnswerWhateverTheOthersAre()
    {
        const auto answer = ask(defined("def forward(self, x):\n    return x - x.mean(0), "
                                        "torch._nested_tensor_from_tensor_list([x, x + 1])\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QCOMPARE(answer.output, std::string("output[0]"));
        QCOMPARE(answer.nodeName, std::string("aten::mean"));
        const Error unknown =
            refusal("def forward(self, x):\n    return x, torch._nested_tensor_from_tensor_list([x, x + 1])\n");
        QVERIFY2(unknown.message.starts_with("output[1] cannot be compared: "), unknown.message.c_str());
    }

    void outputsAndIntermediatesOfAnyLayoutAreReadAsNumbers_data()
    {
        QTest::addColumn<std::string>("value"); // of y
        QTest::newRow("COO") << std::string("y.to_sparse()");
        QTest::newRow("CSR") << std::string("y.to_sparse_csr()");
        QTest::newRow("CSC") << std::string("y.to_sparse_csc()");
        QTest::newRow("mkldnn") << std::string("y.to_mkldnn()");
        QTest::newRow("quantized") << std::string("torch.quantize_per_tensor(y, 0.5, 0, 12)");
        QTest::newRow("quantized by column") << std::string(
            "torch.quantize_per_channel(y, torch.full([y.size(1)], 0.5), torch.zeros([y.size(1)], dtype=3), 1, 12)");
    }

    void outputsAndIntermediatesOfAnyLayoutAreReadAsNumbers()
    {
        QFETCH(std::string, value);
        const auto ofRows = [&](const std::string &y) {
            return defined("def forward(self, x):\n    y = " + y + "\n    return " + value + "\n");
        };
        QVERIFY(ask(ofRows("x * 2"), {testing::rows(8)}, 2).holds);
        const auto answer = ask(ofRows("x * 8 - x.mean(0) * 8"), {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QCOMPARE(answer.nodeName, std::string("aten::mean"));
        const auto inside = ask(defined("def forward(self, x):\n    y = x\n    s = " + value +
                                        "\n    return x - x.mean(0), s.size(0) * 0\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!inside.holds);
        QCOMPARE(inside.nodeName, std::string("aten::mean"));
    }

    void aSqueezeThatTakesTheBatchDimensionIsNamed()
    {
        const auto answer =
            ask(defined("def forward(self, x):\n    return torch.squeeze(x) + 0\n"), {testing::rows(4)}, 4);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::Squeeze, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::squeeze"));
    }

    void anInputThatIsNotMadeOfRowsIsNamed()
    {
        // `table` has as many rows as the batch by accident: cutting it gives each microbatch a part of it.
        const auto module = defined("def forward(self, x, table):\n    return torch.cdist(torch.neg(x), table)\n");
        const Values whole{testing::rows(4, 3), testing::rows(4, 3)};
        const auto answer = ask(module, whole, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::InputNotRows, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::cdist"));
        QVERIFY2(answer.explanation.find("give it `replicate` as chunk spec") != std::string::npos,
                 answer.explanation.c_str());
        const auto replicated = tensor::splitArgsKwargsIntoChunks(
            whole, {}, 2,
            std::vector<microbatch::ChunkSpec>{{microbatch::TensorChunkSpec{0}}, {microbatch::Replicate{}}});
        QVERIFY(replicated);
        QVERIFY(ask(module, whole, replicated->args).holds);
    }

    void aDifferenceBelowTheNoiseFloorHolds_data()
    {
        QTest::addColumn<double>("perRow");
        QTest::addColumn<bool>("holds");
        // One ulp more than 1 is two at 1000, so the floor is 2^-13 = 1.22e-4, and four times that are 4.88e-4. Whole
        // batch and microbatches have 8 and 4 rows: they differ by four times `perRow`.
        QTest::newRow("below") << 1e-4 << true;
        QTest::newRow("above") << 2e-4 << false;
    }

    void aDifferenceBelowTheNoiseFloorHolds()
    {
        QFETCH(double, perRow);
        QFETCH(bool, holds);
        check::CheckOptions options;
        options.tolerance = tensor::Tolerance{0, 0};
        const Values whole{at::ones({8, 2}), perRow};
        const auto answer =
            ask(defined("def forward(self, x, per_row: float):\n    return x * 1000.0 + float(x.size(0)) * per_row\n"),
                whole, testing::microbatches(whole, 2), options);
        QCOMPARE(answer.noiseFloor, 0x1p-13);
        QVERIFY(answer.maxAbsError > answer.noiseFloor);
        QCOMPARE(answer.holds, holds);
    }

    void oneNumberForTheWholeBatchCannotBeJoined()
    {
        const auto answer = ask(defined("def forward(self, x):\n    return torch.sum(x)\n"), {testing::rows(4)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.explanation.find("no batch dimension") != std::string::npos, answer.explanation.c_str());
    }

    void oneMicrobatchIsTheWholeBatch()
    {
        QVERIFY(ask(testing::batchNormModel(testing::Mode::Train), {testing::rows(8)}, 1).holds);
    }

    void askingLeavesTheModelsStateAsItWas()
    {
        const auto module = testing::statefulCounter();
        const auto before = module.attr("hidden").toTensor().clone();
        ask(module, {testing::rows(8)}, 4);
        QVERIFY(module.attr("hidden").toTensor().equal(before));
        QCOMPARE(module.attr("n").toInt(), std::int64_t(0));
    }
};

PIPESCOPE_TEST(TestSeparability)
#include "tst_separability.moc"

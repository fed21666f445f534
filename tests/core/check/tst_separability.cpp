#include "check/separability.h"
#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <ATen/CPUGeneratorImpl.h>
#include <QTest>
#include <algorithm>
#include <cmath>

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

torch::jit::Module modelOf(const std::string &source)
{
    torch::jit::Module module("Model");
    module.define(source);
    return module;
}

/// Why it is not known of such a model whether 8 rows may be cut in two.
Error refusal(const std::string &source)
{
    const auto model = testing::imported(modelOf(source));
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
        const auto answer = ask(modelOf("def forward(self, x):\n    return torch.neg(x) - torch.mean(x, [0], True)\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::BatchReduction, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::mean"));
    }

    void aBranchOnTheBatchIsNamed()
    {
        const auto answer = ask(modelOf("def forward(self, x):\n"
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
            ask(modelOf("def forward(self, x):\n"
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
        const auto answer = ask(modelOf("def forward(self, x):\n    return torch.neg(x) + torch.rand_like(x)\n"),
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
        const auto answer = ask(modelOf("def forward(self, x):\n    y = torch.neg(x) + torch.rand_like(x)\n"
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
        const auto answer = ask(modelOf("def forward(self, x):\n    return x - x.mean(0), "
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
            return modelOf("def forward(self, x):\n    y = " + y + "\n    return " + value + "\n");
        };
        QVERIFY(ask(ofRows("x * 2"), {testing::rows(8)}, 2).holds);
        const auto answer = ask(ofRows("x * 8 - x.mean(0) * 8"), {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QCOMPARE(answer.nodeName, std::string("aten::mean"));
        const auto inside = ask(modelOf("def forward(self, x):\n    y = x\n    s = " + value +
                                        "\n    return x - x.mean(0), s.size(0) * 0\n"),
                                {testing::rows(8)}, 2);
        QVERIFY(!inside.holds);
        QCOMPARE(inside.nodeName, std::string("aten::mean"));
    }

    void aSqueezeThatTakesTheBatchDimensionIsNamed()
    {
        const auto answer =
            ask(modelOf("def forward(self, x):\n    return torch.squeeze(x) + 0\n"), {testing::rows(4)}, 4);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::Squeeze, report::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::squeeze"));
    }

    void anInputThatIsNotMadeOfRowsIsNamed()
    {
        // `table` has as many rows as the batch by accident: cutting it gives each microbatch a part of it.
        const auto module = modelOf("def forward(self, x, table):\n    return torch.cdist(torch.neg(x), table)\n");
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
        // One ulp more than 1.5 is one at 1500, so the floor is 2^-13 = 1.22e-4, and four times that are 4.88e-4. Whole
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
        const Values whole{at::full({8, 2}, 1.5), perRow};
        const auto answer =
            ask(modelOf("def forward(self, x, per_row: float):\n    return x * 1000.0 + float(x.size(0)) * per_row\n"),
                whole, testing::microbatches(whole, 2), options);
        QVERIFY2(std::abs(answer.noiseFloor - 0x1p-13 / 1500) < 1e-9, qPrintable(QString::number(answer.noiseFloor)));
        QVERIFY(answer.relL2 > answer.noiseFloor);
        QVERIFY(!answer.bitwise);
        QCOMPARE(answer.holds, holds);
    }

    void smallNumbersAreJudgedByTheirOwnSize_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<std::string>("part");
        const std::string small = "    s = (torch.sin(x) - torch.sin(x).mean(0)) * 1e-6\n";
        QTest::newRow("alone") << small + "    return s\n" << std::string();
        QTest::newRow("beside large numbers")
            << small + "    return torch.cat([torch.matmul(x, x.new_ones(4, 4)) * 1e6, s], 1)\n"
            << std::string("column ");
        QTest::newRow("beside large numbers, first") << small + "    return torch.cat([s, torch.exp(x) * 1e8], 1)\n"
                                                     << std::string("column ");
        QTest::newRow("in another dimension") << small + "    return torch.stack([torch.exp(x) * 1e8, s], 1)\n"
                                              << std::string("index 1 of dimension 1");
        QTest::newRow("smaller still") << std::string("    return (x - x.mean(0)) * 1e-30\n") << std::string();
        QTest::newRow("of float64") << std::string("    y = x.double()\n    return (y - y.mean(0)) * 1e-200\n")
                                    << std::string();
        QTest::newRow("a constant") << std::string("    return torch.sin(x) + float(x.size(0)) * 1e-5\n")
                                    << std::string();
    }

    void smallNumbersAreJudgedByTheirOwnSize()
    {
        QFETCH(std::string, body);
        QFETCH(std::string, part);
        const Values whole{at::sin(at::arange(24, at::kFloat)).reshape({6, 4})};
        const auto answer = ask(modelOf("def forward(self, x):\n" + body), whole, 2);
        QVERIFY2(!answer.holds, qPrintable(QString::number(answer.relL2)));
        if (!part.empty())
            QVERIFY2(answer.part.starts_with(part), answer.part.c_str());
        QVERIFY(answer.relL2 > 1e-6);
    }

    void anotherOrderOfSummingIsNoDifference_data()
    {
        QTest::addColumn<std::int64_t>("width");
        QTest::addColumn<int>("layers");
        QTest::newRow("one wide layer") << std::int64_t{1000} << 1;
        QTest::newRow("ten layers") << std::int64_t{64} << 10;
        QTest::newRow("thirty narrow layers") << std::int64_t{19} << 30;
    }

    /// Whether the kernels really differ is the machine's to say; the answer is the same.
    void anotherOrderOfSummingIsNoDifference()
    {
        QFETCH(std::int64_t, width);
        QFETCH(int, layers);
        const at::Generator generator = at::detail::createCPUGenerator(3);
        torch::jit::Module module("Model");
        module.register_parameter("weight", at::randn({width, width}, generator) / std::sqrt(double(width)), false);
        module.define("def forward(self, x, layers: int):\n"
                      "    for _ in range(layers):\n        x = torch.tanh(torch.matmul(x, self.weight)) * 1.5\n"
                      "    return torch.cat([x, torch.softmax(x * 3, 1), (x - 0.3) * 1e-6], 1)\n");
        const Values whole{at::randn({8, width}, generator), std::int64_t{layers}};
        for (const int count : {2, 8}) {
            const auto answer = ask(module, whole, testing::microbatches(whole, count));
            QVERIFY2(answer.holds, qPrintable(QString("%1: %2, noise %3, %4 microbatches")
                                                  .arg(answer.part.c_str())
                                                  .arg(answer.relL2)
                                                  .arg(answer.noiseFloor)
                                                  .arg(count)));
        }
    }

    void aStepThatNumbersStandOnIsNoNoise()
    {
        // Of 0.5 half of the elements fall below the step when they move, as far as that may be.
        const auto answer = ask(modelOf("def forward(self, x):\n"
                                        "    y = torch.ge(x, 0.5).to(6) * 3.3\n"
                                        "    return torch.add(y, torch.sin(x) * float(x.size(0)) * 0.1)\n"),
                                {at::full({8, 4}, 0.5)}, 2);
        QVERIFY2(!answer.holds, qPrintable(QString("%1, noise %2").arg(answer.relL2).arg(answer.noiseFloor)));
    }

    void noiseIsNotMeasuredWhereNothingDiffers()
    {
        const auto model = testing::imported(modelOf("def forward(self, x):\n    return x * 3, torch.relu(x)\n"));
        const Values whole{testing::rows(8)};
        const auto parts = testing::microbatches(whole, 2);
        const auto outputs = check::runReference(model, parts, {});
        std::vector<std::string> told;
        const auto answer = check::checkSeparability(model, whole, parts, *outputs, {}, {}, {},
                                                     [&](std::string_view what, double) { told.emplace_back(what); });
        QVERIFY(answer && answer->holds && answer->bitwise);
        QCOMPARE(std::count(told.begin(), told.end(), "measuring the noise floor"), std::ptrdiff_t(0));
    }

    void aCounterThatIsAddedToIsState_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::newRow("a number") << std::string("    self.n += 1\n    return torch.neg(x) * self.n\n");
        QTest::newRow("through arithmetic")
            << std::string("    self.n += 1\n    k = self.n * 2 + 1\n    return torch.neg(x) * float(k)\n");
        QTest::newRow("before it is added to")
            << std::string("    y = torch.neg(x) + self.n\n    self.n += 1\n    return y\n");
    }

    void aCounterThatIsAddedToIsState()
    {
        QFETCH(std::string, body);
        torch::jit::Module module("Model");
        module.register_attribute("n", c10::IntType::get(), std::int64_t{0});
        module.define("def forward(self, x):\n" + body);
        const auto answer = ask(module, {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::State, report::causeName(answer.cause).data());
        QVERIFY2(answer.nodeName.starts_with("prim::GetAttr"), answer.nodeName.c_str());
        QVERIFY2(answer.explanation.ends_with("(n)"), answer.explanation.c_str());
    }

    void onlyAnInputThatHelpsIsToBeReplicated_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::newRow("a loss of two inputs cut alike") << std::string("    return torch.mse_loss(x, y)\n");
        QTest::newRow("their rows, mixed") << std::string("    return torch.mm(torch.mm(x, y.t()), y)\n");
    }

    void onlyAnInputThatHelpsIsToBeReplicated()
    {
        QFETCH(std::string, body);
        const auto answer =
            ask(modelOf("def forward(self, x, y):\n" + body), {testing::rows(8), testing::rows(8) * 0.5 + 0.1}, 2);
        QVERIFY(!answer.holds);
        const bool advised = answer.explanation.find("`replicate`") != std::string::npos;
        QCOMPARE(answer.cause, advised ? Cause::InputNotRows : Cause::BatchReduction);
        if (body.find("mse_loss") != std::string::npos)
            QVERIFY2(!advised, answer.explanation.c_str());
        else
            QVERIFY2(answer.explanation.ends_with("(y)"), answer.explanation.c_str());
    }

    void theNumberOfRowsAsAConstantIsNamed_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<std::string>("ends");
        QTest::newRow("reshape") << std::string("    return torch.neg(x).reshape([8, -1]) * 2\n") << std::string("(8)");
        QTest::newRow("view") << std::string("    return torch.neg(x).view([8, -1]) * 2\n") << std::string("(8)");
        QTest::newRow("twice as much") << std::string("    return torch.neg(x).reshape([16, -1]) * 2\n")
                                       << std::string("(16 for 8 rows)");
    }

    void theNumberOfRowsAsAConstantIsNamed()
    {
        QFETCH(std::string, body);
        QFETCH(std::string, ends);
        const auto answer = ask(modelOf("def forward(self, x):\n" + body), {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::FixedBatch, answer.explanation.c_str());
        QVERIFY2(answer.explanation.ends_with(ends), answer.explanation.c_str());
        QVERIFY2(answer.explanation.find("mixes rows") == std::string::npos, answer.explanation.c_str());
    }

    void oneNumberForTheWholeBatchCannotBeJoined()
    {
        const auto answer = ask(modelOf("def forward(self, x):\n    return torch.sum(x)\n"), {testing::rows(4)}, 2);
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

#include "check/separability.h"
#include "check_support.h"
#include "support/torch/models.h"

#include <QtTest>

using namespace pipescope;
using check::Cause;
using testing::Values;

namespace {

check::Separability ask(const torch::jit::Module &module, const Values &whole, int count)
{
    const auto model = testing::imported(module);
    const auto parts = testing::microbatches(whole, count);
    check::CheckOptions options;
    const auto outputs = check::runReference(model, parts, options);
    if (!outputs)
        qFatal("%s", outputs.error().message.c_str());
    auto answer = check::checkSeparability(model, whole, parts, *outputs, {}, options);
    if (!answer)
        qFatal("%s", answer.error().message.c_str());
    return *answer;
}

torch::jit::Module defined(const std::string &source)
{
    torch::jit::Module module("Model");
    module.define(source);
    return module;
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
        QVERIFY2(answer.cause == Cause::State, check::causeName(answer.cause).data());
        QVERIFY2(answer.explanation.find("hidden") != std::string::npos, answer.explanation.c_str());
    }

    void batchStatisticsAreNamed()
    {
        const auto answer = ask(testing::batchNormModel(testing::Mode::Train), {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::BatchStatistics, check::causeName(answer.cause).data());
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
        QVERIFY2(answer.cause == Cause::BatchReduction, check::causeName(answer.cause).data());
        QCOMPARE(answer.nodeName, std::string("aten::mean"));
    }

    void aBranchOnTheBatchIsNamed()
    {
        const auto answer =
            ask(defined("def forward(self, x):\n"
                        "    if bool(torch.sum(x) > 0):\n        y = x + 1\n    else:\n        y = x - 1\n"
                        "    return torch.relu(y)\n"),
                {testing::rows(8)}, 2);
        QVERIFY(!answer.holds);
        // The sum is the first value that is not made of rows; the if goes another way because of it.
        QVERIFY2(answer.cause == Cause::BatchReduction || answer.cause == Cause::BatchBranch,
                 check::causeName(answer.cause).data());
    }

    void aSqueezeThatTakesTheBatchDimensionIsNamed()
    {
        const auto answer =
            ask(defined("def forward(self, x):\n    return torch.squeeze(x) + 0\n"), {testing::rows(4)}, 4);
        QVERIFY(!answer.holds);
        QVERIFY2(answer.cause == Cause::Squeeze, check::causeName(answer.cause).data());
    }

    void anInputThatIsNotMadeOfRowsIsNamed()
    {
        // `scale` has as many rows as the batch by accident: cutting it gives each microbatch a part of it.
        const auto answer = ask(
            defined("def forward(self, x, scale):\n    return torch.matmul(torch.mul(x, 1), torch.sum(scale, [0]))\n"),
            {testing::rows(4, 3), testing::rows(4, 3)}, 2);
        QVERIFY(!answer.holds);
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

QTEST_GUILESS_MAIN(TestSeparability)
#include "tst_separability.moc"

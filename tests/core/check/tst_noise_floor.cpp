#include "check/noise_floor.h"

#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"
#include "tensor/ivalue_tree.h"

#include <QTest>
#include <algorithm>
#include <limits>

using namespace pipescope;
using testing::Values;

namespace {

using check::NoisePattern;

/// By leaf, the largest absolute change of an element.
std::vector<double> changesOf(const torch::jit::Module &module, const Values &arguments,
                              NoisePattern pattern = NoisePattern::EvenUp)
{
    const auto model = testing::imported(module);
    const check::CheckOptions options;
    const auto outputs = check::runReference(model, {arguments}, options);
    const auto moved = check::movedOutputs(model, arguments, pattern, options);
    if (!outputs || !moved)
        qFatal("a model of the test does not run");
    const auto before = tensor::leaves(outputs->front().front());
    const auto after = tensor::leaves(moved->front());
    std::vector<double> changes;
    for (std::size_t i = 0; i < before->size(); ++i) {
        const at::Tensor change = (*before)[i].toTensor().to(at::kDouble) - (*after)[i].toTensor().to(at::kDouble);
        changes.push_back(change.abs().max().item<double>());
    }
    return changes;
}

double floorOf(const torch::jit::Module &module, const Values &arguments)
{
    const std::vector<double> changes = changesOf(module, arguments);
    return changes.empty() ? 0 : *std::max_element(changes.begin(), changes.end());
}

torch::jit::Module defined(const std::string &source, const at::Tensor &weight = {})
{
    torch::jit::Module module("Model");
    if (weight.defined())
        module.register_parameter("weight", weight, false);
    module.define(source);
    return module;
}

// float32's next number after 1.5 is 1.5 + 2^-23; times 1000 that is nearest to 1500 + 2^-13.
constexpr double ThousandTimesOneUlp = 0x1p-13;

} // namespace

class TestNoiseFloor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLastBitOfTheInputsIsFollowedToTheOutputs()
    {
        const auto module = defined("def forward(self, x):\n    return torch.sum(x * 1e3)\n");
        QCOMPARE(floorOf(module, {at::tensor({1.5F, 0.0F})}), ThousandTimesOneUlp);
    }

    void withoutFloatArgumentsMovesWhatFirstBecomesFloatingPoint()
    {
        const auto module = defined("def forward(self, ids):\n    return torch.embedding(self.weight, ids) * 1e3\n",
                                    at::tensor({1.5F, 0.0F}).reshape({2, 1}));
        QCOMPARE(floorOf(module, {at::zeros({3}, at::kLong)}), ThousandTimesOneUlp);
    }

    void parametersAreNeitherMovedNorCopied()
    {
        const auto module = defined("def forward(self, ids):\n"
                                    "    return torch.embedding(self.weight, ids), self.weight\n",
                                    at::tensor({1.5F, 2.5F}).reshape({2, 1}));
        QCOMPARE(changesOf(module, {at::zeros({2}, at::kLong)}), (std::vector<double>{0x1p-23, 0}));
        QVERIFY(module.attr("weight").toTensor().equal(at::tensor({1.5F, 2.5F}).reshape({2, 1})));
    }

    /// A view that moved would be one of something else.
    void aViewOfAParameterStays()
    {
        const auto module = defined("def forward(self, ids):\n"
                                    "    w = self.weight.t()\n"
                                    "    return torch.embedding(w.t(), ids), w\n",
                                    at::tensor({1.5F, 2.5F}).reshape({2, 1}));
        QCOMPARE(changesOf(module, {at::zeros({2}, at::kLong)}), (std::vector<double>{0x1p-23, 0}));
    }

    void whatProductsGiveMovesToo()
    {
        // 1.5 * 1.5 = 2.25, whose next number is 2^-22 away; that x moves by 2^-23 is 1.5 times as much, and both add.
        const auto module = defined("def forward(self, x):\n    return torch.matmul(x, self.weight)\n",
                                    at::tensor({1.5F}).reshape({1, 1}));
        QCOMPARE(floorOf(module, {at::full({1, 1}, 1.5F)}), 0x1p-22 * 2);
    }

    void sumsOfManyTermsMoveFurther()
    {
        // Of 4096 terms: by 64 / 8 times 1.5 * 2^-23.
        const auto module = defined("def forward(self, x):\n    return torch.matmul(x, self.weight)\n",
                                    at::full({4096, 1}, 1.5F / 4096));
        QCOMPARE(floorOf(module, {at::ones({1, 4096})}), 12 * 0x1p-23);
    }

    void whatIsOnlySelectedIsTheSameEverywhere()
    {
        // Were the largest moved by itself, it would be no element of its row any more.
        const auto module = defined("def forward(self, x):\n"
                                    "    h = torch.matmul(x, self.weight)\n"
                                    "    return torch.eq(h, torch.amax(h, [1], True)).to(6)\n",
                                    at::eye(3) * 1.5);
        QCOMPARE(floorOf(module, {testing::rows(4, 3)}), 0.0);
    }

    void wholeNumbersInfinitiesAndNansStay()
    {
        const auto module = defined("def forward(self, x):\n    return torch.nan_to_num(x.floor(), 5.0, 6.0, 7.0)\n");
        const float infinity = std::numeric_limits<float>::infinity();
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(floorOf(module, {at::tensor({3.0F, 0.0F, -2.0F, infinity, -infinity, nan})}), 0.0);
    }

    void theOtherPatternMovesTheOtherWay()
    {
        const auto module = defined("def forward(self, x):\n    return torch.round(torch.sub(x, 1.0) * 1e7)\n");
        // Of 1.5: one up in the first, one down in the second.
        const Values arguments{at::full({1}, 1.5F)};
        const auto model = testing::imported(module);
        const auto up = check::movedOutputs(model, arguments, NoisePattern::EvenUp, {});
        const auto down = check::movedOutputs(model, arguments, NoisePattern::OddUp, {});
        QVERIFY(up && down);
        QVERIFY(up->front().toTensor().item<double>() > down->front().toTensor().item<double>());
    }

    void withAFloatArgumentTheParametersStay()
    {
        const auto module =
            defined("def forward(self, x):\n    return x * 0.0 + self.weight * 1e3\n", at::tensor({1.5F, 0.0F}));
        QCOMPARE(floorOf(module, {at::full({2}, 1.5F)}), 0.0);
    }

    void everyLeafHasItsOwn()
    {
        const auto module = defined("def forward(self, x):\n    return x * 1e3, (x * 1, torch.gt(x, 0).to(4))\n");
        QCOMPARE(changesOf(module, {at::full({2}, 1.5F)}), (std::vector<double>{ThousandTimesOneUlp, 0x1p-23, 0}));
    }

    void withNothingToMoveItIsZero()
    {
        QCOMPARE(floorOf(defined("def forward(self, ids):\n    return ids * 3\n"), {at::ones({3}, at::kLong)}), 0.0);
    }

    void eachDtypeMovesByItsOwnUlp()
    {
        const auto module = defined("def forward(self, x):\n    return x * 1\n");
        QCOMPARE(floorOf(module, {at::full({2}, 1.5, at::kDouble)}), 0x1p-52);
        QCOMPARE(floorOf(module, {at::full({2}, 1.25, at::kHalf)}), 0x1p-10);
        QCOMPARE(floorOf(module, {at::full({2}, 1.25, at::kBFloat16)}), 0x1p-7);
    }

    void dropoutDrawsTheSameNumbersAgain()
    {
        const auto module = testing::dropoutModel(testing::Mode::Train);
        const double floor = floorOf(module, {testing::rows(8)});
        // Other numbers would drop other elements, and the outputs, which are about 1, would change by as much.
        QVERIFY2(floor > 0 && floor < 1e-5, qPrintable(QString::number(floor)));
        QCOMPARE(floorOf(module, {testing::rows(8)}), floor);
    }

    void measuringLeavesArgumentsAndStateAsTheyWere()
    {
        const auto module = testing::statefulCounter();
        const at::Tensor x = testing::rows(4);
        const at::Tensor before = x.clone();
        QVERIFY(floorOf(module, {x}) > 0);
        QVERIFY(x.equal(before));
        QVERIFY(module.attr("hidden").toTensor().equal(at::zeros({16})));
        QCOMPARE(module.attr("n").toInt(), std::int64_t(0));
    }
};

PIPESCOPE_TEST(TestNoiseFloor)
#include "tst_noise_floor.moc"

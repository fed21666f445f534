#include "check/noise_floor.h"

#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;
using testing::Values;

namespace {

double floorOf(const torch::jit::Module &module, const Values &arguments)
{
    const auto model = testing::imported(module);
    const check::CheckOptions options;
    const auto outputs = check::runReference(model, {arguments}, options);
    if (!outputs)
        qFatal("%s", outputs.error().message.c_str());
    const auto floors = check::noiseFloors(model, arguments, outputs->front(), options);
    if (!floors)
        qFatal("%s", floors.error().message.c_str());
    return floors->empty() ? 0 : *std::max_element(floors->begin(), floors->end());
}

torch::jit::Module defined(const std::string &source, const at::Tensor &weight = {})
{
    torch::jit::Module module("Model");
    if (weight.defined())
        module.register_parameter("weight", weight, false);
    module.define(source);
    return module;
}

// float32's next number after 1 is 1 + 2^-23; times 1000 that is nearest to 1000 + 2 * 2^-14.
constexpr double ThousandAndOneUlp = 0x1p-13;

} // namespace

class TestNoiseFloor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLastBitOfTheInputsIsFollowedToTheOutputs()
    {
        const auto module = defined("def forward(self, x):\n    return torch.sum(x * 1e3)\n");
        QCOMPARE(floorOf(module, {at::tensor({1.0F, 0.0F})}), ThousandAndOneUlp);
    }

    void withoutFloatArgumentsTheParametersMove()
    {
        const auto module = defined("def forward(self, ids):\n    return torch.embedding(self.weight, ids) * 1e3\n",
                                    at::tensor({1.0F, 0.0F}).reshape({2, 1}));
        QCOMPARE(floorOf(module, {at::zeros({3}, at::kLong)}), ThousandAndOneUlp);
    }

    void withAFloatArgumentTheParametersStay()
    {
        const auto module =
            defined("def forward(self, x):\n    return x * 0.0 + self.weight * 1e3\n", at::tensor({1.0F, 0.0F}));
        QCOMPARE(floorOf(module, {at::ones({2})}), 0.0);
    }

    void everyLeafHasItsOwn()
    {
        const auto model =
            testing::imported(defined("def forward(self, x):\n    return x * 1e3, (x * 1, torch.gt(x, 0).to(4))\n"));
        const Values arguments{at::ones({2})};
        const auto outputs = check::runReference(model, {arguments}, {});
        QVERIFY(outputs);
        const auto floors = check::noiseFloors(model, arguments, outputs->front(), {});
        QVERIFY(floors);
        QCOMPARE(*floors, (std::vector<double>{ThousandAndOneUlp, 0x1p-23, 0}));
    }

    void withNothingToMoveItIsZero()
    {
        QCOMPARE(floorOf(defined("def forward(self, ids):\n    return ids * 3\n"), {at::ones({3}, at::kLong)}), 0.0);
    }

    void eachDtypeMovesByItsOwnUlp()
    {
        const auto module = defined("def forward(self, x):\n    return x * 1\n");
        QCOMPARE(floorOf(module, {at::ones({2}, at::kDouble)}), 0x1p-52);
        QCOMPARE(floorOf(module, {at::ones({2}, at::kHalf)}), 0x1p-10);
        QCOMPARE(floorOf(module, {at::ones({2}, at::kBFloat16)}), 0x1p-7);
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

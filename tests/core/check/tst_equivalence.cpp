#include "check/equivalence.h"
#include "check/localise.h"
#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTest>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

using namespace pipescope;
using testing::Values;

namespace {

/// `fork` as files know it; source given to define() does not.
class ForkResolver : public torch::jit::Resolver
{
public:
    std::shared_ptr<torch::jit::SugaredValue> resolveValue(const std::string &name, torch::jit::GraphFunction &function,
                                                           const torch::jit::SourceRange &place) override
    {
        if (name == "fork")
            return torch::jit::SpecialFormValue::create(c10::prim::fork);
        return torch::jit::nativeResolver()->resolveValue(name, function, place);
    }
};

} // namespace

class TestEquivalence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalOutputsAreBitwiseEqual()
    {
        const auto model = testing::imported(testing::transformerLike());
        const auto partition = testing::cutAt(model, 12);
        const auto parts = testing::microbatches({testing::rows(6)}, 3);
        const auto reference = check::runReference(model, parts, {});
        QVERIFY(reference);
        const auto answer = check::checkEquivalence(model, partition, parts, *reference, *reference, {});
        QVERIFY(answer);
        QVERIFY(answer->overall.equal && answer->overall.bitwise);
        QCOMPARE(answer->overall.maxAbsError, 0.0);
        QVERIFY(!answer->first);
        QCOMPARE(answer->byMicrobatch.size(), std::size_t(3));
    }

    void anOutputThatCannotBeComparedIsNotCalledDifferent()
    {
        const auto model = testing::imported(testing::transformerLike());
        const auto partition = testing::cutAt(model, 12);
        const std::vector<Values> noValues{{at::zeros({2}, at::TensorOptions(at::kMeta))}};
        const auto answer = check::checkEquivalence(model, partition, {{testing::rows(2)}}, noValues, noValues, {});
        QVERIFY(!answer);
        QVERIFY(answer.error().code == ErrorCode::Unsupported);
        QVERIFY2(answer.error().message.starts_with("output cannot be compared: "), answer.error().message.c_str());
    }

    void anOutputThatDiffersIsAnAnswerWhateverTheOthersAre()
    {
        torch::jit::Module module("Pair");
        module.define("def forward(self, x):\n    return torch.neg(x), x + 1\n");
        const auto model = testing::imported(module);
        const auto partition = testing::cutAt(model, 1);
        const auto pairs = [](const at::Tensor &first) {
            return c10::IValue(c10::ivalue::Tuple::create({first, at::zeros({2}, at::TensorOptions(at::kMeta))}));
        };
        const at::Tensor x = testing::rows(2);
        const auto answer = check::checkEquivalence(model, partition, {{x}}, {{pairs(x)}}, {{pairs(x + 1)}}, {});
        QVERIFY(answer);
        QVERIFY(!answer->overall.equal);
        QCOMPARE(answer->byOutput.size(), std::size_t(1));
        QCOMPARE(answer->byOutput[0].name, std::string("output[0]"));
        QVERIFY2(answer->explanation.find("; output[1] cannot be compared: ") != std::string::npos,
                 answer->explanation.c_str());
    }

    void theReferenceIsTheModulesOwnMethod()
    {
        auto module = testing::exampleCode();
        const auto model = testing::imported(module);
        const Values arguments{testing::rows(4), testing::rows(4) * 2};
        const auto reference = check::runReference(model, {arguments}, {});
        QVERIFY(reference);
        const at::NoGradGuard noGrad;
        QVERIFY((*reference)[0][0].toTensor().equal(module.forward(arguments).toTensor()));
        QVERIFY(!check::referenceIsLowered(model));
    }

    void aModelThatDrawsIsComparedWithItsOwnProgram()
    {
        const auto model = testing::imported(testing::dropoutModel(testing::Mode::Train));
        QVERIFY(check::referenceIsLowered(model));
        const auto once = check::runReference(model, {{testing::rows(4)}}, {});
        const auto again = check::runReference(model, {{testing::rows(4)}}, {});
        QVERIFY(once && again);
        QVERIFY((*once)[0][0].toTensor().equal((*again)[0][0].toTensor()));
    }

    void stateIsPutBackAfterTheReference()
    {
        const auto module = testing::statefulCounter();
        const auto model = testing::imported(module);
        const auto parts = testing::microbatches({testing::rows(6)}, 3);
        const auto once = check::runReference(model, parts, {});
        const auto again = check::runReference(model, parts, {});
        QVERIFY(once && again);
        for (std::size_t i = 0; i < once->size(); ++i)
            QVERIFY((*once)[i][0].toTensor().equal((*again)[i][0].toTensor()));
        QCOMPARE(module.attr("n").toInt(), std::int64_t(0));
    }

    void aWrongOutputIsReportedByMicrobatch()
    {
        const auto model = testing::imported(testing::c15FourLinears());
        const auto partition = testing::cutAt(model, 2);
        const auto parts = testing::microbatches({testing::rows(4)}, 2);
        const auto reference = check::runReference(model, parts, {});
        auto outputs = *reference;
        outputs[1][0] = outputs[1][0].toTensor() + 0.5;
        const auto answer = check::checkEquivalence(model, partition, parts, *reference, outputs, {});
        QVERIFY(answer);
        QVERIFY(!answer->overall.equal);
        QVERIFY(answer->byMicrobatch[0].equal && !answer->byMicrobatch[1].equal);
        QVERIFY(std::abs(answer->overall.maxAbsError - 0.5) < 1e-6);
        // Nothing is wrong with the stages themselves, and the report says so.
        QVERIFY(!answer->first);
        QVERIFY2(answer->explanation.find("microbatch 1") != std::string::npos, answer->explanation.c_str());
    }

    void theFirstNodeThatDiffersIsNamed()
    {
        // The same model with one layer's weight changed: what a wrong split would look like.
        const auto right = testing::imported(testing::c15FourLinears());
        auto module = testing::c15FourLinears();
        {
            const at::NoGradGuard noGrad;
            module.attr("layers").toModule().attr("2").toModule().attr("bias").toTensor().add_(1);
        }
        const auto wrong = testing::imported(module);
        const auto partition = testing::cutAt(wrong, 1);
        const auto parts = testing::microbatches({testing::rows(4)}, 2);
        const auto first = check::localise(right, wrong, partition, parts, MicrobatchId{1}, {});
        QVERIFY(first);
        QVERIFY(first->has_value());
        QCOMPARE((*first)->nodeName, std::string("layers.2/aten::linear"));
        QCOMPARE((*first)->stage.value, 1);
        QCOMPARE((*first)->microbatch.value, 1);
        QVERIFY(std::abs((*first)->difference.maxAbsError - 1) < 1e-5);
    }

    void theFirstNodeIsFoundPieceByPieceToo()
    {
        const auto right = testing::imported(testing::statefulCounter());
        auto module = testing::statefulCounter();
        {
            const at::NoGradGuard noGrad;
            module.attr("second").toModule().attr("bias").toTensor().add_(1);
        }
        const auto wrong = testing::imported(module);
        const auto partition = testing::cutAt(wrong, 1);
        const auto parts = testing::microbatches({testing::rows(6)}, 3);
        for (const std::int64_t limit : {std::int64_t{1}, std::int64_t{300}, std::int64_t{1} << 30})
            for (const std::vector<int> &order : {std::vector<int>{}, {2, 0, 1}}) {
                check::CheckOptions options;
                for (const int microbatch : order)
                    options.order.push_back(MicrobatchId{microbatch});
                int told = 0;
                const auto first = check::localise(
                    right, wrong, partition, parts, MicrobatchId{1}, options, {}, {},
                    [&told](std::string_view, double) { ++told; }, limit);
                QVERIFY2(first, first ? "" : first.error().message.c_str());
                QVERIFY(first->has_value());
                QCOMPARE((*first)->nodeName, std::string("second/aten::linear"));
                QVERIFY(told > 1);
                for (const auto &model : {&right, &wrong}) {
                    QVERIFY(model->module.attr("hidden").toTensor().equal(at::zeros({16})));
                    QCOMPARE(model->module.attr("n").toInt(), std::int64_t(0));
                }
            }
    }

    void theReferenceTakesTheMicrobatchesInTheOrderGiven()
    {
        torch::jit::Module module("Counts");
        module.register_attribute("n", c10::IntType::get(), std::int64_t{0});
        module.define("def forward(self, x):\n    self.n += 1\n    return torch.relu(x) * 0 + self.n\n");
        const auto model = testing::imported(module);
        check::CheckOptions options;
        options.order = {MicrobatchId{2}, MicrobatchId{0}, MicrobatchId{1}};
        const auto reference = check::runReference(model, testing::microbatches({testing::rows(3)}, 3), options);
        QVERIFY(reference);
        QCOMPARE((*reference)[0][0].toTensor()[0][0].item<double>(), 2.0);
        QCOMPARE((*reference)[1][0].toTensor()[0][0].item<double>(), 3.0);
        QCOMPARE((*reference)[2][0].toTensor()[0][0].item<double>(), 1.0);
    }

    void whatTorchWouldCallCloseIsSaidToBe()
    {
        const auto model = testing::imported(testing::c15FourLinears());
        const auto partition = testing::cutAt(model, 2);
        const auto parts = testing::microbatches({testing::rows(4)}, 2);
        const auto reference = check::runReference(model, parts, {});
        auto outputs = *reference;
        outputs[1][0] = outputs[1][0].toTensor() * (1 + 1e-6);
        check::CheckOptions options;
        const auto answer = check::checkEquivalence(model, partition, parts, *reference, outputs, options);
        QVERIFY(answer);
        QVERIFY(!answer->overall.equal);
        QVERIFY2(answer->explanation.find("torch.testing.assert_close would call it close") != std::string::npos,
                 answer->explanation.c_str());
        options.tolerance = tensor::Tolerance{1e-5, 0};
        const auto allowed = check::checkEquivalence(model, partition, parts, *reference, outputs, options);
        QVERIFY(allowed && allowed->overall.equal && !allowed->overall.bitwise);
        QCOMPARE(allowed->byOutput[0].rtol, std::optional(1e-5));
        QVERIFY(allowed->explanation.empty());
    }

    void numbersDrawnInAForkAreKeyedToo()
    {
        torch::jit::Module module("Forks");
        module.define("def noisy(self, x):\n    return torch.relu(x) + torch.rand_like(x)\n");
        module.define("def forward(self, x):\n"
                      "    y = torch.tanh(x)\n"
                      "    a = fork(self.noisy, y)\n"
                      "    b = fork(self.noisy, y * 2)\n"
                      "    return torch.wait(a) - torch.wait(b)\n",
                      std::make_shared<ForkResolver>());
        const auto model = testing::imported(module);
        QVERIFY(check::referenceIsLowered(model));
        const auto parts = testing::microbatches({testing::rows(6)}, 3);
        const auto once = check::runReference(model, parts, {});
        const auto again = check::runReference(model, parts, {});
        QVERIFY(once && again);
        for (std::size_t i = 0; i < once->size(); ++i)
            QVERIFY((*once)[i][0].toTensor().equal((*again)[i][0].toTensor()));
        QVERIFY(!(*once)[0][0].toTensor().equal((*once)[1][0].toTensor()));
        const auto first = check::localise(model, model, testing::cutAt(model, 1), parts, MicrobatchId{2}, {});
        QVERIFY(first && !first->has_value());
    }

    void codeThatRunsAsideAndDrawsNothingIsTheModelsOwn()
    {
        torch::jit::Module module("Forks");
        module.define("def twice(self, x):\n    return torch.dropout(x * 2, 0.5, False)\n");
        module.define("def forward(self, x):\n    return torch.wait(fork(self.twice, x))\n",
                      std::make_shared<ForkResolver>());
        const auto model = testing::imported(module);
        const auto reference = check::runReference(model, {{testing::rows(4)}}, {});
        QVERIFY(reference);
        QVERIFY((*reference)[0][0].toTensor().equal(testing::rows(4) * 2));
    }

    void aFutureThatIsReturnedIsWaitedFor()
    {
        torch::jit::Module module("Forks");
        module.define("def twice(self, x):\n    return torch.relu(x) * 2\n");
        module.define("def forward(self, x):\n    return fork(self.twice, x), x\n", std::make_shared<ForkResolver>());
        const auto model = testing::imported(module);
        const auto reference = check::runReference(model, {{testing::rows(4)}}, {});
        QVERIFY2(reference, reference ? "" : reference.error().message.c_str());
        const auto &items = (*reference)[0][0].toTupleRef().elements();
        QVERIFY(items[0].isTensor());
        QVERIFY(items[0].toTensor().equal(at::relu(testing::rows(4)) * 2));
    }

    void aFailingReferenceNamesTheMicrobatch()
    {
        const auto model = testing::imported(testing::c15FourLinears());
        const auto reference = check::runReference(model, {{testing::rows(2)}, {testing::rows(2, 5)}}, {});
        QVERIFY(!reference);
        QVERIFY(reference.error().code == ErrorCode::ModelFailed);
        QVERIFY2(reference.error().where.find("microbatch 1") != std::string::npos, reference.error().where.c_str());
    }
};

PIPESCOPE_TEST(TestEquivalence)
#include "tst_equivalence.moc"

#include "check/equivalence.h"
#include "check/localise.h"
#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTest>

using namespace pipescope;
using testing::Values;

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

#include "check/equivalence.h"
#include "check_support.h"
#include "import/operator_library.h"

#include "support/test_program.h"

#include <QTest>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

using namespace pipescope;
using testing::Values;

namespace {

/// `tick(x)` in a model's code is the operator that never gives the same result twice: the split model then differs
/// from the unsplit one where it is called.
class TickResolver : public torch::jit::Resolver
{
public:
    std::shared_ptr<torch::jit::SugaredValue> resolveValue(const std::string &name, torch::jit::GraphFunction &function,
                                                           const torch::jit::SourceRange &place) override
    {
        if (name == "tick")
            return std::make_shared<torch::jit::BuiltinFunction>(c10::Symbol::fromQualString("nolib::tick"),
                                                                 std::nullopt);
        return torch::jit::nativeResolver()->resolveValue(name, function, place);
    }
};

import::ImportedModel importedBody(const std::string &body){torch::jit::Module module("Model");
module.define("def forward(self, x):\n" + body, std::make_shared<TickResolver>());
return testing::imported(module);
} // namespace

/// Whole numbers, so that what is added shows exactly.
report::Equivalence compared(const import::ImportedModel &model, int position = 1, int count = 2)
{
    const auto parts = testing::microbatches({at::arange(8 * count, at::kFloat).reshape({2 * count, 4})}, count);
    const auto reference = check::runReference(model, parts, {});
    const auto outputs = check::runReference(model, parts, {});
    if (!reference || !outputs)
        qFatal("a model of the test does not run");
    auto answer = check::checkEquivalence(model, testing::cutAt(model, position), parts, *reference, *outputs, {});
    if (!answer)
        qFatal("%s", answer.error().message.c_str());
    return *std::move(answer);
}

std::vector<std::string> namesOf(const report::Equivalence &answer)
{
    std::vector<std::string> names;
    for (const report::OutputEquivalence &output : answer.byOutput)
        names.push_back(output.name);
    return names;
}

} // namespace

class TestEquivalentOutputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(import::loadOperatorLibrary(PIPESCOPE_OPERATOR_LIBRARY)); }

    void theOnlyOutputHasNoPlace()
    {
        const report::Equivalence answer = compared(importedBody("    return torch.relu(x) * 2\n"));
        QCOMPARE(namesOf(answer), (std::vector<std::string>{"output"}));
        const report::OutputEquivalence &output = answer.byOutput[0];
        QVERIFY(output.difference.equal && output.difference.bitwise);
        QVERIFY(!output.rtol && !output.atol); // every bit counts
        QVERIFY(!output.worst.valid());
        QVERIFY(!output.first);
        QCOMPARE(answer.moreOutputs, 0);
    }

    void ofTwoOutputsOnlyTheOneThatDiffersIsNotEqual()
    {
        const report::Equivalence answer = compared(importedBody("    h = torch.relu(x)\n"
                                                                 "    return h + 1, tick(h)\n"));
        QCOMPARE(namesOf(answer), (std::vector<std::string>{"output[0]", "output[1]"}));
        QVERIFY(answer.byOutput[0].difference.equal && answer.byOutput[0].difference.bitwise);
        QCOMPARE(answer.byOutput[0].difference.maxAbsError, 0.0);
        QVERIFY(!answer.byOutput[0].first);
        const report::OutputEquivalence &wrong = answer.byOutput[1];
        QVERIFY(!wrong.difference.equal);
        QCOMPARE(wrong.difference.maxAbsError, 2.0); // two calls for two microbatches lie between
        QCOMPARE(wrong.worst, MicrobatchId{0});      // and as many for the other
        QVERIFY(wrong.first);
        QCOMPARE(wrong.first->nodeName, std::string("nolib::tick"));
        QCOMPARE(wrong.first->stage, StageId{1});
        QCOMPARE(wrong.first->microbatch, MicrobatchId{0});
        QVERIFY2(answer.overall.worst.starts_with("[1] at ("), answer.overall.worst.c_str());
        QVERIFY(!answer.overall.equal);
    }

    void eachOutputHasItsOwnFirstNode()
    {
        const report::Equivalence answer =
            compared(importedBody("    h = torch.relu(x)\n"
                                  "    a = tick(h) + h\n"
                                  "    return {'near': a, 'far': tick(h * 2), 'same': h}\n"),
                     3);
        QCOMPARE(namesOf(answer), (std::vector<std::string>{"output['near']", "output['far']", "output['same']"}));
        QVERIFY(answer.first);
        QCOMPARE(answer.first->nodeName, std::string("nolib::tick"));
        QCOMPARE(answer.byOutput[0].first, answer.first);
        QVERIFY(answer.byOutput[1].first);
        QCOMPARE(answer.byOutput[1].first->nodeName, std::string("nolib::tick#1"));
        QCOMPARE(answer.byOutput[1].first->stage, StageId{1});
        QVERIFY(answer.byOutput[2].difference.bitwise);
        QVERIFY(!answer.byOutput[2].first);
    }

    void outputsThatDifferAlikeAreLookedForOnce()
    {
        // Many outputs, each after its own node: only a few are looked for, and the others have none.
        const report::Equivalence answer = compared(
            importedBody("    return [tick(x), tick(x), tick(x), tick(x), tick(x), tick(x), tick(x), tick(x)]\n"));
        QCOMPARE(answer.byOutput.size(), std::size_t(8));
        const auto found = std::count_if(answer.byOutput.begin(), answer.byOutput.end(),
                                         [](const report::OutputEquivalence &output) { return output.first; });
        QCOMPARE(found, std::ptrdiff_t(5));
        for (const report::OutputEquivalence &output : answer.byOutput)
            QVERIFY(!output.difference.equal);
    }

    void outputsInsideOutputsHaveTheirPath()
    {
        const report::Equivalence answer =
            compared(importedBody("    h = torch.relu(x)\n"
                                  "    return (h, (3, 'text')), [{'boxes': tick(h)}, {'boxes': h, 'scores': h}]\n"));
        QCOMPARE(namesOf(answer), (std::vector<std::string>{"output[0][0]", "output[0][1][0]", "output[0][1][1]",
                                                            "output[1][0]['boxes']", "output[1][1]['boxes']",
                                                            "output[1][1]['scores']"}));
        for (std::size_t i = 0; i < answer.byOutput.size(); ++i)
            QCOMPARE(answer.byOutput[i].difference.equal, i != 3);
        QVERIFY(answer.byOutput[3].first);
        QCOMPARE(answer.byOutput[3].first->nodeName, std::string("nolib::tick"));
    }

    void anOutputThatStandsTwiceHasTheSameNode_data()
    {
        QTest::addColumn<std::string>("returned");
        QTest::addColumn<std::vector<std::string>>("nodes"); // "" where it is equal
        const std::string one = "nolib::tick";
        QTest::newRow("alone, twice") << std::string("a, a") << std::vector<std::string>{one, one};
        QTest::newRow("beside an equal one") << std::string("a, h, a") << std::vector<std::string>{one, "", one};
        QTest::newRow("after an equal one that stands twice")
            << std::string("h, h, a") << std::vector<std::string>{"", "", one};
        QTest::newRow("before another") << std::string("a, a, b")
                                        << std::vector<std::string>{one, one, "nolib::tick#1"};
        QTest::newRow("in turns") << std::string("b, a, b, a")
                                  << std::vector<std::string>{"nolib::tick#1", one, "nolib::tick#1", one};
        QTest::newRow("inside another") << std::string("(h, a), [a, h], a")
                                        << std::vector<std::string>{"", one, one, "", one};
    }

    void anOutputThatStandsTwiceHasTheSameNode()
    {
        QFETCH(std::string, returned);
        QFETCH(std::vector<std::string>, nodes);
        const report::Equivalence answer = compared(
            importedBody("    h = torch.relu(x)\n    a = tick(h)\n    b = tick(h * 3)\n    return " + returned + "\n"));
        QCOMPARE(answer.byOutput.size(), nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto &first = answer.byOutput[i].first;
            QCOMPARE(first ? first->nodeName : std::string(), nodes[i]);
        }
    }

    void aDifferenceInALaterMicrobatchIsFoundThere()
    {
        const auto model = importedBody("    h = torch.relu(x)\n    return h + 1, h * 2\n");
        const auto parts = testing::microbatches({testing::rows(6)}, 3);
        const auto reference = check::runReference(model, parts, {});
        QVERIFY(reference);
        auto outputs = *reference;
        const auto elements = outputs[2][0].toTupleRef().elements().vec();
        outputs[2][0] = c10::ivalue::Tuple::create(elements[0], elements[1].toTensor() + 0.5);
        const auto answer = check::checkEquivalence(model, testing::cutAt(model, 1), parts, *reference, outputs, {});
        QVERIFY(answer);
        QVERIFY(answer->byOutput[0].difference.bitwise);
        QVERIFY(!answer->byOutput[1].difference.equal);
        QCOMPARE(answer->byOutput[1].worst, MicrobatchId{2});
        QVERIFY(!answer->byOutput[1].first); // the stages compute it rightly
    }
};

PIPESCOPE_TEST(TestEquivalentOutputs)
#include "tst_equivalent_outputs.moc"

#include "check/output_comparison.h"

#include "check_support.h"

#include "support/test_program.h"
#include <ATen/core/Dict.h>
#include <torch/csrc/jit/api/compilation_unit.h>

#include <QTest>
#include <cmath>

using namespace pipescope;
using check::OutputComparison;
using testing::Values;

namespace {

c10::IValue full(double value, at::ScalarType type = at::kFloat)
{
    return at::full({2, 3}, value, at::TensorOptions(type));
}

c10::IValue listOf(const std::vector<at::Tensor> &items)
{
    return c10::IValue(items);
}

c10::IValue dictOf(const std::vector<std::pair<std::string, at::Tensor>> &entries)
{
    c10::Dict<std::string, at::Tensor> dict;
    for (const auto &[key, value] : entries)
        dict.insert(key, value);
    return dict;
}

/// An object of a class of its own, as a model may return it.
c10::IValue objectOf(const at::Tensor &boxes, std::int64_t count)
{
    static const auto unit = std::make_shared<torch::jit::CompilationUnit>();
    static const c10::ClassTypePtr type = [] {
        auto made = c10::ClassType::create(c10::QualifiedName("__torch__.Detections"), unit);
        made->addAttribute("boxes", c10::TensorType::get());
        made->addAttribute("count", c10::IntType::get());
        return made;
    }();
    auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), 2);
    object->setSlot(0, boxes);
    object->setSlot(1, count);
    return object;
}

/// One microbatch.
std::vector<report::OutputEquivalence> compared(const c10::IValue &expected, const c10::IValue &actual)
{
    const check::CheckOptions options;
    OutputComparison comparison(options);
    comparison.add({expected}, {actual});
    std::vector<report::OutputEquivalence> answers;
    for (const check::ComparedOutput &output : comparison.outputs())
        answers.push_back(output.answer);
    return answers;
}

} // namespace

class TestOutputComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void containersThatAreNotAlikeAreOneOutput_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("said");
        QTest::newRow("another length") << 0 << "expected 2 items, got 1";
        QTest::newRow("another key") << 1 << "expected the key 'b', which is missing";
        QTest::newRow("a key too many") << 2 << "expected {";
        QTest::newRow("a tensor for a list") << 3 << "expected ";
    }

    void containersThatAreNotAlikeAreOneOutput()
    {
        QFETCH(int, which);
        QFETCH(QString, said);
        const at::Tensor one = at::ones({2});
        const std::vector<std::pair<c10::IValue, c10::IValue>> cases{
            {listOf({one, one}), listOf({one})},
            {dictOf({{"a", one}, {"b", one}}), dictOf({{"a", one}, {"c", one}})},
            {dictOf({{"a", one}}), dictOf({{"a", one}, {"b", one}})},
            {listOf({one}), one},
        };
        const auto &[expected, actual] = cases[static_cast<std::size_t>(which)];
        const auto inside = [](const c10::IValue &value) { return c10::ivalue::Tuple::create(full(1), value); };
        const auto answers = compared(inside(expected), inside(actual));
        QCOMPARE(answers.size(), std::size_t(2));
        QVERIFY(answers[0].difference.bitwise);
        QCOMPARE(answers[1].name, std::string("output[1]"));
        QVERIFY(!answers[1].difference.equal);
        QCOMPARE(answers[1].difference.kind, std::string("structure"));
        QVERIFY(std::isinf(answers[1].difference.maxAbsError));
        QVERIFY2(answers[1].difference.worst.starts_with(said.toStdString()), answers[1].difference.worst.c_str());
        QVERIFY(!answers[1].rtol);
    }

    void dictsAreComparedByKey()
    {
        const at::Tensor a = at::ones({2});
        const at::Tensor b = at::zeros({2});
        const auto answers = compared(dictOf({{"a", a}, {"b", b}}), dictOf({{"b", b}, {"a", a}}));
        QCOMPARE(answers.size(), std::size_t(2));
        QVERIFY(answers[0].difference.bitwise && answers[1].difference.bitwise);
    }

    void withoutTolerancesOfTheUserEveryBitCounts()
    {
        const auto tuple = [](double more) {
            return c10::ivalue::Tuple::create(full(1 + more), full(1 + more, at::kDouble), full(7, at::kLong),
                                              c10::IValue(0.5 + more), c10::IValue("text"));
        };
        const auto answers = compared(tuple(0), tuple(5e-6));
        for (const std::size_t i : {0U, 1U, 3U}) {
            QVERIFY(!answers[i].difference.equal && !answers[i].difference.bitwise);
            QVERIFY(std::abs(answers[i].difference.maxAbsError - 5e-6) < 1e-7);
        }
        QVERIFY(answers[2].difference.equal && answers[4].difference.equal);
        for (const report::OutputEquivalence &answer : answers)
            QVERIFY(!answer.rtol && !answer.atol);
    }

    void numbersBelowAnyAbsoluteToleranceStillDiffer()
    {
        const check::CheckOptions options;
        OutputComparison comparison(options);
        const report::Difference all = comparison.add({full(1e-7)}, {full(2e-7)});
        QVERIFY(!all.equal);
        QVERIFY2(all.kind != "rounding", all.kind.c_str());
        QVERIFY(comparison.closeByTorch());
        comparison.add({full(1)}, {full(2)});
        QVERIFY(!comparison.closeByTorch());
    }

    void aZeroOfTheOtherSignIsAnotherBit() { QVERIFY(!compared(full(0.0), full(-0.0))[0].difference.equal); }

    void theUsersToleranceHoldsForAll()
    {
        check::CheckOptions options;
        options.tolerance = tensor::Tolerance{0, 0.25};
        OutputComparison comparison(options);
        const report::Difference all = comparison.add({full(1)}, {full(1.125)});
        QVERIFY(all.equal && !all.bitwise);
        QCOMPARE(comparison.outputs()[0].answer.atol, std::optional(0.25));
        QCOMPARE(comparison.outputs()[0].answer.rtol, std::optional(0.0));
        QVERIFY(!comparison.add({full(1)}, {full(1.5)}).equal);
    }

    void overMicrobatchesTheWorstCounts()
    {
        const check::CheckOptions options;
        OutputComparison comparison(options);
        for (const double error : {0.0, 0.5, 2.0, 1.0})
            comparison.add({full(8), full(1)}, {full(8 + error), full(1)});
        const check::ComparedOutput &first = comparison.outputs()[0];
        QCOMPARE(first.answer.name, std::string("output[0]"));
        QCOMPARE(first.answer.worst, MicrobatchId{2});
        QCOMPARE(first.firstDifferent, MicrobatchId{1});
        QCOMPARE(first.answer.difference.maxAbsError, 2.0);
        QCOMPARE(first.answer.difference.maxRelError, 0.25);
        QVERIFY(!comparison.outputs()[1].answer.worst.valid());
        QVERIFY(comparison.outputs()[1].answer.difference.bitwise);
    }

    void valuesThatAreNoTensorsMustBeTheSame()
    {
        const auto tuple = [](const char *text, std::int64_t number) {
            return c10::ivalue::Tuple::create(c10::IValue(text), c10::IValue(number), c10::IValue());
        };
        const auto answers = compared(tuple("one", 3), tuple("two", 4));
        QVERIFY(!answers[0].difference.equal);
        QCOMPARE(answers[0].difference.kind, std::string("values"));
        QVERIFY(!answers[1].difference.equal);
        QCOMPARE(answers[1].difference.maxAbsError, 1.0);
        QVERIFY(answers[2].difference.bitwise);
    }

    void anOutputThatOnlySomeMicrobatchesHaveIsOneToo()
    {
        const check::CheckOptions options;
        OutputComparison comparison(options);
        const at::Tensor one = at::ones({2});
        comparison.add({listOf({one})}, {listOf({one})});
        comparison.add({listOf({one, one})}, {listOf({one, one + 1})});
        QCOMPARE(comparison.outputs().size(), std::size_t(2));
        QCOMPARE(comparison.outputs()[1].answer.worst, MicrobatchId{1});
        QCOMPARE(comparison.outputs()[1].answer.difference.maxAbsError, 1.0);
    }

    void ofAGreatManyThoseThatDifferAreKept()
    {
        const check::CheckOptions options;
        OutputComparison comparison(options);
        std::vector<std::int64_t> expected(5000, 7);
        std::vector<std::int64_t> actual = expected;
        actual[4321] = 8;
        const report::Difference all =
            comparison.add({c10::IValue(c10::List<std::int64_t>(c10::ArrayRef<std::int64_t>(expected)))},
                           {c10::IValue(c10::List<std::int64_t>(c10::ArrayRef<std::int64_t>(actual)))});
        QVERIFY(!all.equal);
        QCOMPARE(comparison.outputs().size(), std::size_t(1001));
        QCOMPARE(comparison.outputs().back().answer.name, std::string("output[4321]"));
        QCOMPARE(comparison.more(), 3999);
    }

    void classObjectsAreComparedByTheirFields()
    {
        const c10::IValue one = objectOf(at::ones({2}), 3);
        const auto same = compared(one, objectOf(at::ones({2}), 3));
        QCOMPARE(same.size(), std::size_t(2));
        QCOMPARE(same[0].name, std::string("output['boxes']"));
        QCOMPARE(same[1].name, std::string("output['count']"));
        QVERIFY(same[0].difference.bitwise && same[1].difference.bitwise);
        const auto other = compared(one, objectOf(at::full({2}, 5.0), 3));
        QVERIFY(!other[0].difference.equal && other[1].difference.equal);
        QCOMPARE(other[0].difference.maxAbsError, 4.0);
    }

    void futuresAreWhatTheyComeTo()
    {
        const auto future = [](double value) {
            auto made = c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get());
            made->markCompleted(full(value));
            return c10::IValue(made);
        };
        QVERIFY(compared(future(1), future(1))[0].difference.bitwise);
        QVERIFY(!compared(future(1), future(2))[0].difference.equal);
    }

    void withoutAnyOutputThereIsNone()
    {
        const auto answers = compared(listOf({}), listOf({}));
        QVERIFY(answers.empty());
    }
};

PIPESCOPE_TEST(TestOutputComparison)
#include "tst_output_comparison.moc"

#include "check/output_comparison.h"

#include "check_support.h"

#include "support/test_program.h"
#include <ATen/core/Dict.h>

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

    void eachOutputIsHeldToItsOwnTypesTolerance()
    {
        const auto tuple = [](double more) {
            return c10::ivalue::Tuple::create(full(1 + more), full(1 + more, at::kDouble), full(7, at::kLong),
                                              c10::IValue(0.5), c10::IValue("text"));
        };
        const auto answers = compared(tuple(0), tuple(5e-6));
        QVERIFY(answers[0].difference.equal && !answers[0].difference.bitwise);
        QCOMPARE(answers[0].rtol, std::optional(1.3e-6));
        QVERIFY(!answers[1].difference.equal);
        QCOMPARE(answers[1].rtol, std::optional(1e-7));
        QCOMPARE(answers[1].atol, std::optional(1e-7));
        QVERIFY(std::abs(answers[1].difference.maxAbsError - 5e-6) < 1e-12);
        QCOMPARE(answers[2].rtol, std::optional(0.0));
        QCOMPARE(answers[3].rtol, std::optional(1e-7));
        QVERIFY(!answers[4].rtol);
    }

    void theUsersToleranceHoldsForAll()
    {
        check::CheckOptions options;
        options.tolerance = tensor::Tolerance{0, 0.25};
        OutputComparison comparison(options);
        const report::Difference all = comparison.add({full(1)}, {full(1.125)});
        QVERIFY(all.equal && !all.bitwise);
        QCOMPARE(comparison.outputs()[0].answer.atol, std::optional(0.25));
        QCOMPARE(comparison.outputs()[0].answer.rtol, std::optional(0.0));
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

    void withoutAnyOutputThereIsNone()
    {
        const auto answers = compared(listOf({}), listOf({}));
        QVERIFY(answers.empty());
    }
};

PIPESCOPE_TEST(TestOutputComparison)
#include "tst_output_comparison.moc"

#include "tensor/build_tree.h"
#include "tensor/compare.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <cmath>
#include <limits>

#include "support/test_program.h"
#include "tensor_support.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;
using tests::Infinity;
using tests::NaN;
using tests::random;

namespace {

at::Tensor doubles(std::vector<double> values)
{
    return at::tensor(values, at::TensorOptions(at::kDouble));
}

at::Tensor bools(std::vector<int> values)
{
    return at::tensor(values).to(at::kBool);
}

Difference kind(const c10::IValue &expected, const c10::IValue &actual)
{
    return compare(expected, actual).difference;
}

} // namespace

class TestCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameValuesAreBitwise()
    {
        const at::Tensor x = random({4, 5});
        const Comparison result = compare(makeTuple({x, 1, "a"}), makeTuple({x.clone(), 1, "a"}));
        QCOMPARE(result, Comparison{});
    }

    void aWrongValueIsNamedWithItsPlace()
    {
        const at::Tensor x = at::zeros({4, 20});
        x.index_put_({at::tensor(3), at::tensor(17)}, at::tensor(1.5F));
        const at::Tensor y = x.clone();
        y.index_put_({at::tensor(3), at::tensor(17)}, at::tensor(2.5F));
        const Comparison result = compare(makeTuple({1, makeDict({{"h", x}})}), makeTuple({1, makeDict({{"h", y}})}));
        QVERIFY(!result.bitwise);
        QVERIFY(!result.close);
        QCOMPARE(result.maxAbsError, 1.0);
        QCOMPARE(result.maxRelError, 1.0 / 1.5);
        QCOMPARE(result.relL2, 1.0 / 1.5);
        QCOMPARE(result.worst, std::string("[1]['h'] at (3, 17): expected 1.5, got 2.5"));
        QCOMPARE(result.difference, Difference::Values);
    }

    void aPlaceOutsideATreeHasNoPath()
    {
        QCOMPARE(compare(at::tensor({1, 2}), at::tensor({1, 5})).worst, std::string("at (1,): expected 2, got 5"));
        QCOMPARE(compare(at::scalar_tensor(1), at::scalar_tensor(2)).worst, std::string("expected 1, got 2"));
    }

    void toleranceIsTorchTestings_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("rtol");
        QTest::addColumn<double>("atol");
        const auto row = [](const char *name, at::ScalarType type, double rtol, double atol) {
            QTest::newRow(name) << static_cast<int>(type) << rtol << atol;
        };
        row("float16", at::kHalf, 1e-3, 1e-5);
        row("bfloat16", at::kBFloat16, 1.6e-2, 1e-5);
        row("float32", at::kFloat, 1.3e-6, 1e-5);
        row("float64", at::kDouble, 1e-7, 1e-7);
        row("complex32", at::kComplexHalf, 1e-3, 1e-5);
        row("complex64", at::kComplexFloat, 1.3e-6, 1e-5);
        row("complex128", at::kComplexDouble, 1e-7, 1e-7);
        row("quint8", at::kQUInt8, 1.3e-6, 1e-5);
        row("qint32", at::kQInt32, 1.3e-6, 1e-5);
        row("int64", at::kLong, 0, 0);
        row("bool", at::kBool, 0, 0);
    }

    void toleranceIsTorchTestings()
    {
        QFETCH(int, type);
        const Tolerance tolerance = defaultTolerance(static_cast<at::ScalarType>(type));
        QTEST(tolerance.rtol, "rtol");
        QTEST(tolerance.atol, "atol");
    }

    void closeIsMeasuredFromTheExpectedValue()
    {
        const Tolerance tenth{0.1, 0};
        QVERIFY(compare(doubles({10}), doubles({11}), tenth).close);
        QVERIFY(!compare(doubles({10}), doubles({11.001}), tenth).close);
        QVERIFY(compare(doubles({0}), doubles({0.5}), Tolerance{0, 0.5}).close);
        QVERIFY(!compare(doubles({0}), doubles({0.5}), Tolerance{0.5, 0}).close);
    }

    void nanEqualsNan()
    {
        const Comparison result = compare(doubles({NaN, 1}), doubles({NaN, 1}));
        QVERIFY(result.bitwise);
        const at::Tensor otherNan = doubles({0, 1}) / doubles({0, 1});
        QVERIFY(compare(doubles({NaN, 1}), otherNan).bitwise);
        const Comparison wrong = compare(doubles({NaN, 1}), doubles({0, 1}));
        QVERIFY(!wrong.close);
        QCOMPARE(wrong.maxAbsError, Infinity);
        QCOMPARE(wrong.difference, Difference::Values);
        QCOMPARE(wrong.worst, std::string("at (0,): expected nan, got 0"));
    }

    void infinitiesCompareBySign()
    {
        QVERIFY(compare(doubles({Infinity}), doubles({Infinity})).bitwise);
        QVERIFY(!compare(doubles({Infinity}), doubles({-Infinity})).close);
        QVERIFY(!compare(doubles({Infinity}), doubles({1e300}), Tolerance{1, 1}).close);
        QVERIFY(!compare(doubles({1}), doubles({Infinity}), Tolerance{1, 1}).close);
        QVERIFY(compare(doubles({Infinity, 1}), doubles({Infinity, 1 + 1e-9})).close);
    }

    void minusZeroIsCloseButNotBitwise()
    {
        const Comparison result = compare(doubles({0.0}), doubles({-0.0}));
        QVERIFY(!result.bitwise);
        QVERIFY(result.close);
        QCOMPARE(result.maxAbsError, 0.0);
        QCOMPARE(result.difference, Difference::Rounding);
    }

    void rearrangedSumsAreRounding()
    {
        const at::Tensor x = random({64, 256});
        const at::Tensor w = random({256, 32}, 2);
        const at::Tensor whole = x.mm(w);
        const at::Tensor halves = x.slice(1, 0, 100).mm(w.slice(0, 0, 100)) + x.slice(1, 100).mm(w.slice(0, 100));
        const Comparison result = compare(whole, halves);
        QVERIFY(!result.bitwise);
        QCOMPARE(result.difference, Difference::Rounding);
        QVERIFY(result.relL2 < 1e-5);
    }

    void bfloat16PartialSumsAreRoundingEvenWhereTheyAreNotClose()
    {
        const at::Tensor x = random({64, 256});
        const at::Tensor w = random({256, 32}, 2);
        const at::Tensor whole = x.mm(w).to(at::kBFloat16);
        const at::Tensor halves = x.slice(1, 0, 128).mm(w.slice(0, 0, 128)).to(at::kBFloat16) +
                                  x.slice(1, 128).mm(w.slice(0, 128)).to(at::kBFloat16);
        const Comparison result = compare(whole, halves);
        QVERIFY(!result.close);
        QCOMPARE(result.difference, Difference::Rounding);
    }

    void smallNumbersThatDifferAreNoRounding()
    {
        const at::Tensor x = random({64, 8}) * 1e-7;
        const Comparison result = compare(x, x.roll(1, 1));
        QVERIFY(result.close); // by torch.testing's absolute tolerance
        QCOMPARE(result.difference, Difference::Values);
        QCOMPARE(kind(x, x * 2), Difference::ScaleFactor);
        QCOMPARE(kind(x, x.roll(1, 0)), Difference::Permutation);
        QCOMPARE(compare(x, x.roll(1, 1), Tolerance{0, 1e-5}).difference, Difference::Rounding); // as the user has it
    }

    void oneWrongElementAmongManyIsNoRounding()
    {
        const at::Tensor x = random({1000, 1000});
        const at::Tensor y = x.clone();
        y[500][500].add_(0.5);
        const Comparison result = compare(x, y);
        QVERIFY(result.relL2 < 1e-3);
        QCOMPARE(result.difference, Difference::Values);
        QVERIFY(result.worst.starts_with("at (500, 500): "));
    }

    void aConstantFactorIsFound_data()
    {
        QTest::addColumn<double>("factor");
        for (const double factor : {4.0, 0.25, 0.125, -1.0, 1.01})
            QTest::addRow("%g", factor) << factor;
    }

    void aConstantFactorIsFound()
    {
        QFETCH(double, factor);
        for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
            const at::Tensor x = random({16, 16}).to(type);
            const Comparison result = compare(x, x * factor);
            QCOMPARE(result.difference, Difference::ScaleFactor);
            QVERIFY(std::abs(result.scale - factor) < 1e-6);
        }
    }

    void allZerosIsNoScale()
    {
        QCOMPARE(kind(random({8}), at::zeros({8})), Difference::Values);
        QCOMPARE(kind(at::zeros({8}), random({8})), Difference::Values);
        QCOMPARE(compare(at::zeros({8}), random({8})).relL2, Infinity);
        QCOMPARE(kind(doubles({3}), doubles({6})), Difference::Values);
    }

    void rowsInAnotherOrderAreAPermutation()
    {
        const at::Tensor x = random({6, 8});
        const at::Tensor order = at::tensor({1, 2, 3, 4, 5, 0}, at::TensorOptions(at::kLong));
        QCOMPARE(kind(x, x.index_select(0, order)), Difference::Permutation);
        QCOMPARE(kind(x, x.index_select(0, order) * (1 + 1e-7)), Difference::Permutation);
        const at::Tensor ids = at::tensor({5, 7, 9}, at::TensorOptions(at::kLong));
        QCOMPARE(kind(ids, at::tensor({9, 5, 7}, at::TensorOptions(at::kLong))), Difference::Permutation);
        QCOMPARE(kind(x, x.index_select(0, at::tensor({1, 1, 2, 3, 4, 5}, at::TensorOptions(at::kLong)))),
                 Difference::Values);
    }

    void columnsInAnotherOrderAreNoPermutationOfRows()
    {
        const at::Tensor x = random({6, 8});
        QCOMPARE(kind(x, x.flip({1})), Difference::Values);
    }

    void shapeDtypeAndStructureAreTold()
    {
        const Comparison shape = compare(at::ones({4, 2}), at::ones({3, 2}));
        QCOMPARE(shape.difference, Difference::Shape);
        QCOMPARE(shape.maxAbsError, Infinity);
        QCOMPARE(shape.worst, std::string("expected float32[4, 2], got float32[3, 2]"));
        QCOMPARE(kind(at::ones({1, 2}), at::ones({2})), Difference::Shape);
        QCOMPARE(kind(at::ones({2}), at::ones({2}, at::kDouble)), Difference::Dtype);
        QCOMPARE(kind(1, 1.0), Difference::Dtype);
        const Comparison structure = compare(makeTuple({at::ones({1}), 2}), makeTuple({at::ones({1})}));
        QCOMPARE(structure.difference, Difference::Structure);
        QCOMPARE(structure.worst, std::string("expected 2 items, got 1"));
        QCOMPARE(kind(makeTuple({1}), makeList({c10::IValue(1)})), Difference::Structure);
        QCOMPARE(kind(at::ones({1}), c10::IValue()), Difference::Structure);
        QCOMPARE(compare(makeDict({{"a", 1}}), makeDict({{"b", 1}})).worst,
                 std::string("expected the key 'a', which is missing"));
        QCOMPARE(kind(makeDict({{"a", 1}}), makeDict({{"a", 1}, {"b", 1}})), Difference::Structure);
    }

    void dictsAreComparedByKey()
    {
        QVERIFY(compare(makeDict({{"a", 1}, {"b", 2}}), makeDict({{"b", 2}, {"a", 1}})).bitwise);
    }

    void theWorstLeafDecides()
    {
        const at::Tensor x = random({8, 8});
        const c10::IValue expected = makeTuple({x, x, x});
        const c10::IValue actual = makeTuple({x + 1e-8, x + 1, x * 2});
        const Comparison result = compare(expected, actual);
        QCOMPARE(result.difference, Difference::Values);
        QVERIFY(result.worst.starts_with("[1] at "));
    }

    void integersAreExact()
    {
        const std::int64_t big = (std::int64_t{1} << 60) + 1;
        const Comparison result = compare(at::scalar_tensor(big, at::TensorOptions(at::kLong)),
                                          at::scalar_tensor(big - 1, at::TensorOptions(at::kLong)));
        QVERIFY(!result.close);
        QCOMPARE(result.maxAbsError, 1.0);
        QCOMPARE(kind(bools({1, 0}), bools({1, 1})), Difference::Values);
        QCOMPARE(compare(bools({1, 0}), bools({1, 1})).worst, std::string("at (1,): expected False, got True"));
    }

    void complexNumbersAreMeasuredInThePlane()
    {
        const at::Tensor a = at::complex(doubles({3, 1}), doubles({4, 0}));
        const at::Tensor b = at::complex(doubles({0, 1}), doubles({0, 0}));
        const Comparison result = compare(a, b);
        QCOMPARE(result.maxAbsError, 5.0);
        QCOMPARE(result.maxRelError, 1.0);
        QCOMPARE(result.worst, std::string("at (0,): expected 3+4j, got 0+0j"));
        QVERIFY(compare(a, a.conj().conj()).bitwise);
        QVERIFY(compare(a.conj(), a.conj().resolve_conj()).bitwise);
    }

    void quantizedTensorsCompareByWhatTheyStandFor()
    {
        const at::Tensor values = doubles({0, 0.5, 1}).to(at::kFloat);
        const at::Tensor fine = at::quantize_per_tensor(values, 0.25, 0, at::kQUInt8);
        QVERIFY(compare(fine, at::quantize_per_tensor(values, 0.25, 0, at::kQUInt8)).bitwise);
        QVERIFY(compare(fine, at::quantize_per_tensor(values, 0.5, 3, at::kQUInt8)).bitwise);
        const Comparison coarse = compare(fine, at::quantize_per_tensor(values, 1.0, 0, at::kQUInt8));
        QCOMPARE(coarse.maxAbsError, 0.5);
        QVERIFY(!coarse.close);
    }

    void sparseTensorsCompareAsDense() { QVERIFY(compare(at::eye(3).to_sparse(), at::eye(3)).bitwise); }

    void nestedTensorsCompareByTheirParts()
    {
        const auto nested = [](double last) {
            return at::_nested_tensor_from_tensor_list({at::zeros({2, 3}), at::full({1, 3}, last)});
        };
        QCOMPARE(compare(nested(1), nested(1)), Comparison{});
        const Comparison other = compare(makeTuple({7, nested(1)}), makeTuple({7, nested(3)}));
        QVERIFY(!other.close);
        QCOMPARE(other.maxAbsError, 2.0);
        QCOMPARE(other.worst, std::string("[1][1] at (0, 0): expected 1, got 3"));
        const auto one = at::_nested_tensor_from_tensor_list({at::zeros({2, 3})});
        QCOMPARE(compare(nested(1), one).worst, std::string("expected 2 items, got 1"));
        QCOMPARE(compare(nested(1), at::zeros({2, 3})).worst,
                 std::string("expected nested Tensor(of 2, grad=False, dtype=torch.float32), got "
                             "Tensor(torch.Size([2, 3]), grad=False, dtype=torch.float32)"));
    }

    void whatCannotBeComparedIsNoDifference()
    {
        const at::Tensor noValues = at::zeros({2}, at::TensorOptions(at::kMeta));
        const Comparison result = compare(noValues, noValues.clone());
        QVERIFY(!result.unknown.empty());
        QCOMPARE(result.worst, "the values cannot be compared: " + result.unknown);
    }

    void emptyTensorsAreEqual()
    {
        QCOMPARE(compare(at::zeros({0, 3}), at::zeros({0, 3})), Comparison{});
        QCOMPARE(kind(at::zeros({0, 3}), at::zeros({0, 4})), Difference::Shape);
        QCOMPARE(compare(at::Tensor(), at::Tensor()), Comparison{});
    }

    void stridesDoNotMatter()
    {
        const at::Tensor x = random({5, 7});
        QVERIFY(compare(x.t(), x.t().contiguous()).bitwise);
    }

    void largeTensorsAreReadInBlocks()
    {
        const at::Tensor x = random({300, 1000});
        const at::Tensor y = x.clone();
        y[299][999].add_(1000);
        const Comparison result = compare(x, y);
        QVERIFY(result.worst.starts_with("at (299, 999): "));
        QVERIFY(std::abs(result.maxAbsError - 1000) < 0.01);
    }

    void numbersTextAndNone()
    {
        QVERIFY(compare(0.1 + 0.2, 0.3).close);
        QVERIFY(!compare(0.1 + 0.2, 0.3).bitwise);
        QVERIFY(!compare(1, 2).close);
        QVERIFY(compare(NaN, NaN).bitwise);
        QCOMPARE(compare("abc", "abd").worst, std::string("expected abc, got abd"));
        QVERIFY(compare(c10::IValue(), c10::IValue()).bitwise);
        QCOMPARE(kind(c10::IValue(), "x"), Difference::Values);
    }

    void deepTreesEnd()
    {
        c10::IValue a = 1;
        for (int i = 0; i < 5000; ++i)
            a = makeTuple({a});
        QCOMPARE(compare(a, a).difference, Difference::Structure);
    }

    void namesAreStable()
    {
        QCOMPARE(differenceName(Difference::None), std::string_view("none"));
        QCOMPARE(differenceName(Difference::ScaleFactor), std::string_view("scale-factor"));
        QCOMPARE(differenceName(Difference::Structure), std::string_view("structure"));
    }
};

PIPESCOPE_TEST(TestCompare)
#include "tst_compare.moc"

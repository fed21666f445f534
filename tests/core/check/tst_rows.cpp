#include "check/rows.h"

#include "check_support.h"

#include "support/test_program.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace pipescope;
using check::RowRelation;

namespace {

constexpr float Infinity = std::numeric_limits<float>::infinity();
constexpr float NotANumber = std::numeric_limits<float>::quiet_NaN();

} // namespace

class TestRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void partsThatAddUpAreJoined()
    {
        const at::Tensor whole = testing::rows(5, 3);
        const auto byRows = check::relate(whole, {whole.slice(0, 0, 3), whole.slice(0, 3)});
        QVERIFY(byRows.relation == RowRelation::Joined);
        QCOMPARE(byRows.dim, 0);
        QCOMPARE(byRows.compared.size(), std::size_t(1));
        QVERIFY(byRows.compared[0].equal(whole));
        const auto byColumns = check::relate(whole, {whole.slice(1, 0, 2), whole.slice(1, 2)});
        QVERIFY(byColumns.relation == RowRelation::Joined);
        QCOMPARE(byColumns.dim, 1);
        QVERIFY(byColumns.compared[0].equal(whole));
    }

    void partsThatAreTheWholeBitForBitAreNotCopied()
    {
        const at::Tensor whole = testing::rows(5, 3);
        whole[1][1] = NotANumber;
        whole[2][1] = 0.0F;
        const auto same = check::relate(whole, {whole.slice(0, 0, 3).clone(), whole.slice(0, 3).clone()});
        QVERIFY(same.compared[0].is_same(whole));
        const at::Tensor first = whole.slice(0, 0, 3).clone();
        first[2][1] = -0.0F;
        const auto other = check::relate(whole, {first, whole.slice(0, 3)});
        QVERIFY(!other.compared[0].is_same(whole));
        QVERIFY(std::signbit(other.compared[0][2][1].item<float>()));
    }

    void ofPartsAsLargeAsTheWholeEveryOneIsCompared()
    {
        const at::Tensor whole = testing::rows(2, 3);
        const auto rows = check::relate(whole, {whole, whole + 1, whole + 2});
        QVERIFY(rows.relation == RowRelation::Replicated);
        QCOMPARE(rows.compared.size(), std::size_t(3));
        QVERIFY(rows.compared[2].equal(whole + 2));
    }

    void numbersAreReplicated()
    {
        const auto rows = check::relate(at::scalar_tensor(1), {at::scalar_tensor(1), at::scalar_tensor(2)});
        QVERIFY(rows.relation == RowRelation::Replicated);
        QCOMPARE(rows.compared.size(), std::size_t(2));
    }

    void otherShapesAndDtypesAreNeither()
    {
        const at::Tensor whole = testing::rows(4, 3);
        QVERIFY(check::relate(whole, {at::ones({2, 3}), at::ones({2, 2})}).relation == RowRelation::Neither);
        QVERIFY(check::relate(whole, {at::ones({2, 3}), at::ones({1, 3})}).relation == RowRelation::Neither);
        const at::Tensor wide = at::ones({2, 3}, at::kDouble);
        QVERIFY(check::relate(whole, {wide, wide}).relation == RowRelation::Neither);
    }

    void roundingIsWhatComparingTensorsCallsRounding_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("relative");
        QTest::addColumn<bool>("real");
        // Limits of tensor/difference: 1e-10, 1e-4, 1e-2, 5e-2.
        QTest::newRow("float64 below") << int(at::kDouble) << 5e-11 << false;
        QTest::newRow("float64 above") << int(at::kDouble) << 2e-10 << true;
        QTest::newRow("float32 below") << int(at::kFloat) << 5e-5 << false;
        QTest::newRow("float32 above") << int(at::kFloat) << 2e-4 << true;
        QTest::newRow("float16 below") << int(at::kHalf) << 5e-3 << false;
        QTest::newRow("float16 above") << int(at::kHalf) << 2e-2 << true;
        QTest::newRow("bfloat16 below") << int(at::kBFloat16) << 0x5p-7 << false;
        QTest::newRow("bfloat16 above") << int(at::kBFloat16) << 0x8p-7 << true;
    }

    void roundingIsWhatComparingTensorsCallsRounding()
    {
        QFETCH(int, type);
        QFETCH(double, relative);
        QFETCH(bool, real);
        const auto dtype = static_cast<at::ScalarType>(type);
        const at::Tensor expected = at::ones({8}, dtype);
        QCOMPARE(check::compareRows(expected, at::full({8}, 1 + relative, dtype)).real, real);
        QVERIFY(!check::compareRows(expected, expected.clone()).real);
    }

    void smallValuesAreNoRounding()
    {
        const auto difference = check::compareRows(at::full({4}, 1e-7F), at::full({4}, 2e-7F));
        QVERIFY(difference.real);
        QVERIFY(std::abs(difference.maxAbs - 1e-7) < 1e-12);
    }

    void infinitiesAndNansAtTheSamePlacesAreNoDifference()
    {
        const at::Tensor tensor = at::tensor({1.0F, Infinity, -Infinity, NotANumber});
        const auto difference = check::compareRows(tensor, tensor.clone());
        QVERIFY(!difference.real);
        QCOMPARE(difference.maxAbs, 0.0);
        // Beside a rounding error too.
        QVERIFY(!check::compareRows(tensor, at::tensor({1.00001F, Infinity, -Infinity, NotANumber})).real);
    }

    void oppositeInfinitiesAndNansAreADifference()
    {
        const at::Tensor infinite = at::tensor({1.0F, Infinity});
        QVERIFY(check::compareRows(infinite, at::tensor({1.0F, -Infinity})).real);
        QVERIFY(check::compareRows(infinite, at::tensor({1.0F, NotANumber})).real);
        QVERIFY(check::compareRows(infinite, at::tensor({1.0F, 2.0F})).real);
    }

    void integersRoundNever()
    {
        const auto difference =
            check::compareRows(at::full({2}, 1000000, at::kLong), at::full({2}, 1000001, at::kLong));
        QVERIFY(difference.real);
        QCOMPARE(difference.maxAbs, 1.0);
        QVERIFY(check::compareRows(at::ones({2}, at::kBool), at::zeros({2}, at::kBool)).real);
    }
};

PIPESCOPE_TEST(TestRows)
#include "tst_rows.moc"

#include "tensor/tensor_numbers.h"

#include "support/test_program.h"
#include "tensor_support.h"
#include <ATen/ATen.h>

#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

using namespace pipescope;
using tensor::numbersOf;
using tests::Infinity;
using tests::NaN;

namespace {

report::LeafStatistics numbers(const at::Tensor &tensor)
{
    const auto result = numbersOf(tensor);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *result;
}

/// The bins that are not empty: "0:2 63:1".
std::string bins(const report::LeafStatistics &leaf)
{
    std::string text;
    for (std::size_t i = 0; i < leaf.histogram.size(); ++i)
        if (leaf.histogram[i] != 0)
            text += (text.empty() ? "" : " ") + std::to_string(i) + ":" + std::to_string(leaf.histogram[i]);
    return text;
}

std::string problemOf(const at::Tensor &tensor)
{
    const auto result = numbersOf(tensor);
    return result ? "none" : result.error().message;
}

} // namespace

class TestTensorNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingOfAFewNumbers()
    {
        const report::LeafStatistics leaf =
            numbers(at::tensor({0.0, 4.0, -2.0, 2.0, NaN, Infinity, -Infinity, -0.0}, at::kDouble).view({2, 4}));
        QCOMPARE(leaf.dtype, std::string("float64"));
        QCOMPARE(leaf.sizes, (std::vector<std::int64_t>{2, 4}));
        QCOMPARE(leaf.bytes, 64);
        QCOMPARE(leaf.count, 8);
        QCOMPARE(leaf.zeros, 2);
        QCOMPARE(leaf.nans, 1);
        QCOMPARE(leaf.infinities, 2);
        // 0, 4, -2, 2, 0: mean 0.8, squares 24, so 24 / 5 - 0.64.
        QCOMPARE(leaf.smallest.value(), -2.0);
        QCOMPARE(leaf.largest.value(), 4.0);
        QCOMPARE(leaf.mean.value(), 0.8);
        QCOMPARE(leaf.deviation.value(), std::sqrt(24.0 / 5 - 0.64));
        QCOMPARE(leaf.histogram.size(), std::size_t(64));
        QCOMPARE(bins(leaf), std::string("0:1 21:2 42:1 63:1")); // 2/6 and 4/6 of 64
    }

    void everyDtypeCountsByWhatItsNumbersStandFor_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("elementBytes");
        const std::pair<at::ScalarType, int> dtypes[] = {
            {at::kFloat, 4},  {at::kDouble, 8}, {at::kHalf, 2},          {at::kBFloat16, 2},   {at::kLong, 8},
            {at::kInt, 4},    {at::kShort, 2},  {at::kChar, 1},          {at::kByte, 1},       {at::kUInt16, 2},
            {at::kUInt32, 4}, {at::kUInt64, 8}, {at::kFloat8_e4m3fn, 1}, {at::kFloat8_e5m2, 1}};
        for (const auto &[dtype, bytes] : dtypes)
            QTest::newRow(c10::toString(dtype)) << static_cast<int>(dtype) << bytes;
    }

    void everyDtypeCountsByWhatItsNumbersStandFor()
    {
        QFETCH(int, dtype);
        QFETCH(int, elementBytes);
        const report::LeafStatistics leaf =
            numbers(at::tensor({0.0, 1.0, 3.0, 4.0}, at::kDouble).to(static_cast<at::ScalarType>(dtype)));
        QCOMPARE(leaf.bytes, 4 * elementBytes);
        QCOMPARE(leaf.zeros, 1);
        QCOMPARE(leaf.smallest.value(), 0.0);
        QCOMPARE(leaf.largest.value(), 4.0);
        QCOMPARE(leaf.mean.value(), 2.0);
        QCOMPARE(leaf.deviation.value(), std::sqrt(2.5));
        QCOMPARE(bins(leaf), std::string("0:1 16:1 48:1 63:1"));
    }

    void boolsAreZeroAndOne()
    {
        const report::LeafStatistics leaf = numbers(at::tensor({1, 0, 1, 1}, at::kInt).to(at::kBool));
        QCOMPARE(leaf.dtype, std::string("bool"));
        QCOMPARE(leaf.zeros, 1);
        QCOMPARE(leaf.mean.value(), 0.75);
        QCOMPARE(leaf.deviation.value(), std::sqrt(3.0) / 4);
        QCOMPARE(bins(leaf), std::string("0:1 63:3"));
    }

    void complexNumbersCountByTheirAbsoluteValue()
    {
        const at::Tensor parts = at::tensor({3.0, 4.0, 0.0, -5.0, 0.0, 0.0}, at::kDouble).view({3, 2});
        for (const at::Tensor &tensor : {at::view_as_complex(parts), at::view_as_complex(parts).conj(),
                                         at::view_as_complex(parts.to(at::kFloat))}) {
            const report::LeafStatistics leaf = numbers(tensor);
            QCOMPARE(leaf.count, 3);
            QCOMPARE(leaf.zeros, 1);
            QCOMPARE(leaf.largest.value(), 5.0);
            QCOMPARE(leaf.mean.value(), 10.0 / 3);
        }
        QCOMPARE(numbers(at::view_as_complex(parts)).dtype, std::string("complex128"));
    }

    void quantizedNumbersCountByWhatTheyStandFor()
    {
        const at::Tensor values = at::tensor({-1.0, 0.0, 0.5, 1.5}, at::kFloat).view({2, 2});
        const at::Tensor scales = at::tensor({0.5, 0.25}, at::kDouble);
        const at::Tensor zeros = at::tensor({3, 4}, at::kLong);
        for (const at::Tensor &tensor : {at::quantize_per_tensor(values, 0.5, 10, at::kQInt8),
                                         at::quantize_per_channel(values, scales, zeros, 0, at::kQUInt8)}) {
            const report::LeafStatistics leaf = numbers(tensor);
            QCOMPARE(leaf.bytes, 4);
            QCOMPARE(leaf.zeros, 1);
            QCOMPARE(leaf.smallest.value(), -1.0);
            QCOMPARE(leaf.largest.value(), 1.5);
            QCOMPARE(leaf.mean.value(), 0.25);
        }
    }

    void noElementsAndOneElementAreFine()
    {
        const report::LeafStatistics empty = numbers(at::zeros({3, 0, 2}));
        QCOMPARE(empty.count, 0);
        QCOMPARE(empty.sizes, (std::vector<std::int64_t>{3, 0, 2}));
        QVERIFY(!empty.smallest && !empty.largest && !empty.mean && !empty.deviation);
        QVERIFY(empty.histogram.empty());

        const report::LeafStatistics one = numbers(at::scalar_tensor(2.5));
        QVERIFY(one.sizes.empty());
        QCOMPARE(one.count, 1);
        QCOMPARE(one.mean.value(), 2.5);
        QCOMPARE(one.deviation.value(), 0.0);
        QCOMPARE(one.histogram, (std::vector<std::int64_t>{1}));
    }

    void withoutAFiniteNumberThereAreNoMoments()
    {
        const report::LeafStatistics leaf = numbers(at::tensor({NaN, Infinity}, at::kDouble));
        QCOMPARE(leaf.nans, 1);
        QCOMPARE(leaf.infinities, 1);
        QVERIFY(!leaf.mean && !leaf.deviation && !leaf.smallest);
        QVERIFY(leaf.histogram.empty());
    }

    void equalNumbersAreOneBin()
    {
        const report::LeafStatistics leaf = numbers(at::full({1000}, 0.1, at::kDouble));
        QCOMPARE(leaf.mean.value(), 0.1);
        QCOMPARE(leaf.deviation.value(), 0.0);
        QCOMPARE(leaf.histogram, (std::vector<std::int64_t>{1000}));
    }

    void theEndsOfADoublesRangeDoNotOverflow()
    {
        const double most = std::numeric_limits<double>::max();
        const report::LeafStatistics leaf = numbers(at::tensor({most, most, -most, -most}, at::kDouble));
        QCOMPARE(leaf.mean.value(), 0.0);
        QCOMPARE(leaf.deviation.value(), most);
        QCOMPARE(bins(leaf), std::string("0:2 63:2"));
        const double least = std::numeric_limits<double>::denorm_min();
        QCOMPARE(bins(numbers(at::tensor({0.0, least}, at::kDouble))), std::string("0:1 63:1"));
    }

    void aSmallSpreadAroundALargeMeanIsKept()
    {
        const report::LeafStatistics leaf = numbers(at::tensor({1e9, 1e9 + 1, 1e9 + 2}, at::kDouble));
        QCOMPARE(leaf.mean.value(), 1e9 + 1);
        QCOMPARE(leaf.deviation.value(), std::sqrt(2.0 / 3));
    }

    void manyNumbersAreCountedPieceByPiece()
    {
        // 0 ... 2^20 - 1: sums by the closed form.
        constexpr double count = 1 << 20;
        const at::Tensor all = at::arange(1 << 20, at::kFloat).view({4, 1 << 18});
        for (const at::Tensor &tensor : {all, all.t(), all.expand({1, 4, 1 << 18}), all.flip(0)}) {
            const report::LeafStatistics leaf = numbers(tensor);
            QCOMPARE(leaf.count, 1 << 20);
            QCOMPARE(leaf.zeros, 1);
            QCOMPARE(leaf.mean.value(), (count - 1) / 2);
            QCOMPARE(leaf.deviation.value(), std::sqrt((count * count - 1) / 12));
            QCOMPARE(std::accumulate(leaf.histogram.begin(), leaf.histogram.end(), std::int64_t(0)), 1 << 20);
            QCOMPARE(leaf.histogram[0], leaf.histogram[63]);
        }
    }

    void whatIsNotStoredCannotBeCounted()
    {
        QCOMPARE(problemOf(at::eye(3).to_sparse()),
                 std::string("it is a tensor of layout Sparse, which does not store all of its numbers; only strided "
                             "tensors can be looked into"));
        QVERIFY(problemOf(at::eye(3).to_sparse_csr()).starts_with("it is a tensor of layout SparseCsr"));
        QCOMPARE(problemOf(at::empty({2}, at::TensorOptions(at::kMeta))),
                 std::string("it is a tensor on the meta device, which has no numbers"));
    }

    void aStopIsHeard()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto result = numbersOf(at::zeros({4}), stop.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
    }

    void aTensorThatRequiresGradIsLeftAlone()
    {
        at::Tensor tensor = at::ones({2});
        tensor.requires_grad_(true);
        QCOMPARE(numbers(tensor * 2).mean.value(), 2.0);
    }
};

PIPESCOPE_TEST(TestTensorNumbers)
#include "tst_tensor_numbers.moc"

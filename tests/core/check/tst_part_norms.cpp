#include "check/part_norms.h"

#include "support/test_program.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>
#include <limits>

using namespace pipescope;
using check::Part;
using check::partNorms;

namespace {

constexpr double Endless = std::numeric_limits<double>::infinity();

at::Tensor doubles(std::vector<double> values, at::IntArrayRef sizes)
{
    return at::tensor(values, at::TensorOptions(at::kDouble)).reshape(sizes);
}

std::vector<double> differences(const std::vector<check::PartNorm> &norms)
{
    std::vector<double> found;
    for (const check::PartNorm &norm : norms)
        found.push_back(norm.difference);
    return found;
}

} // namespace

class TestPartNorms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allOfItComesFirstThenEachColumn()
    {
        const at::Tensor expected = doubles({3, 0, 4, 5}, {2, 2});
        const at::Tensor actual = doubles({3, 3, 4, 9}, {2, 2});
        const auto norms = partNorms(expected, actual, 0);
        QCOMPARE(norms.size(), std::size_t(3));
        QCOMPARE(norms[0].part, Part{});
        QCOMPARE(norms[0].size, std::sqrt(50.0));
        QCOMPARE(norms[1].part, (Part{1, 0}));
        QCOMPARE(norms[1].size, 5.0);
        QCOMPARE(norms[2].size, 5.0);
        QCOMPARE(differences(norms), (std::vector<double>{5, 0, 5}));
    }

    void everyDimensionButThatOfTheRowsHasParts()
    {
        const at::Tensor zeros = at::zeros({2, 3, 4});
        const at::Tensor other = zeros.clone();
        other.index_put_({at::tensor(1), at::tensor(2), at::tensor(3)}, at::tensor(7.0F));
        const auto norms = partNorms(zeros, other, 0);
        QCOMPARE(norms.size(), std::size_t(1 + 3 + 4));
        QCOMPARE(differences(norms), (std::vector<double>{7, 0, 0, 7, 0, 0, 0, 7}));
        QCOMPARE(partNorms(zeros, other, 1).size(), std::size_t(1 + 2 + 4));
        QCOMPARE(partNorms(zeros, other, -1).size(), std::size_t(1 + 2 + 3 + 4));
    }

    void aDimensionOfOneHasNoParts()
    {
        QCOMPARE(partNorms(at::ones({4, 1}), at::ones({4, 1}), 0).size(), std::size_t(1));
        QCOMPARE(partNorms(at::scalar_tensor(1), at::scalar_tensor(3), -1).size(), std::size_t(1));
    }

    void theSmallestNumbersHaveASize()
    {
        const auto norms = partNorms(at::full({2}, 3e-300, at::kDouble), at::full({2}, 1e-300, at::kDouble), 0);
        QVERIFY(std::abs(norms[0].difference / norms[0].size - 2.0 / 3) < 1e-12);
    }

    void whatIsNotFiniteInBothIsNoDifference()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const at::Tensor expected = doubles({nan, Endless, -Endless, 2}, {4});
        QCOMPARE(differences(partNorms(expected, expected.clone(), 0)), std::vector<double>{0});
        QCOMPARE(partNorms(expected, expected, 0)[0].size, 2.0);
        for (const double other : {0.0, nan, -Endless})
            QCOMPARE(differences(partNorms(doubles({Endless}, {1}), doubles({other}, {1}), 0)),
                     std::vector<double>{Endless});
    }

    void complexNumbersAreMeasuredInThePlane()
    {
        const at::Tensor a = at::complex(doubles({3, 0}, {2}), doubles({4, 0}, {2}));
        const auto norms = partNorms(a, a * 2, 0);
        QCOMPARE(norms.size(), std::size_t(1));
        QCOMPARE(norms[0].size, 5.0);
        QCOMPARE(norms[0].difference, 5.0);
    }

    void largeTensorsAreReadInBlocks()
    {
        const at::Tensor zeros = at::zeros({300, 1000});
        const at::Tensor other = zeros.clone();
        other[299][999].add_(4);
        const auto norms = partNorms(zeros, other, 0);
        QCOMPARE(norms.back().part, (Part{1, 999}));
        QCOMPARE(norms.back().difference, 4.0);
        QCOMPARE(norms[1].difference, 0.0);
    }

    void partsHaveNames()
    {
        QCOMPARE(check::partText({}, 3), std::string());
        QCOMPARE(check::partText({2, 4}, 3), std::string("column 4"));
        QCOMPARE(check::partText({1, 2}, 3), std::string("index 2 of dimension 1"));
    }

    void roundingIsTorchTestingsRelativeToleranceAndLessOfFloat64()
    {
        QCOMPARE(check::roundingAllowance(at::kFloat), 1.3e-6);
        QCOMPARE(check::roundingAllowance(at::kComplexFloat), 1.3e-6);
        QCOMPARE(check::roundingAllowance(at::kHalf), 1e-3);
        QCOMPARE(check::roundingAllowance(at::kBFloat16), 1.6e-2);
        QCOMPARE(check::roundingAllowance(at::kDouble), 0x1p-48);
        QCOMPARE(check::roundingAllowance(at::kLong), 0.0);
    }
};

PIPESCOPE_TEST(TestPartNorms)
#include "tst_part_norms.moc"

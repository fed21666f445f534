#include "check/judged_leaf.h"

#include "support/test_program.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>

using namespace pipescope;
using check::JoinedLeaf;

namespace {

// Four rows: a column of millions, and one of thousandths.
at::Tensor whole()
{
    return at::tensor({1e6F, 1e-3F, 2e6F, 2e-3F, 3e6F, 3e-3F, 4e6F, 4e-3F}).reshape({4, 2});
}

JoinedLeaf leafOf(const at::Tensor &expected, const at::Tensor &joined, int rows = 0)
{
    JoinedLeaf leaf;
    leaf.bitwise = leaf.close = false;
    leaf.whole = expected;
    leaf.joined = {joined};
    leaf.rows = rows;
    return leaf;
}

check::JudgedLeaf judge(const JoinedLeaf &leaf, const std::vector<c10::IValue> &moved)
{
    return check::judge(leaf, {moved, {}}, {});
}

// Each column moved by this share of itself.
at::Tensor movedBy(double first, double second)
{
    return whole() * at::tensor({static_cast<float>(1 + first), static_cast<float>(1 + second)});
}

} // namespace

class TestJudgedLeaf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aColumnIsJudgedByItsOwnSize()
    {
        const auto judged = judge(leafOf(whole(), movedBy(0, 1e-3)), {});
        QVERIFY(!judged.holds());
        QCOMPARE(judged.partText(), std::string("column 1"));
        QVERIFY(std::abs(judged.relL2 - 1e-3) < 1e-5);
    }

    void loudNoiseOfAnotherColumnIsNotItsOwn()
    {
        const at::Tensor joined = movedBy(1e-2, 1e-3);
        QVERIFY(judge(leafOf(whole(), joined), {movedBy(1e-2, 1e-3)}).holds());
        QVERIFY(!judge(leafOf(whole(), joined), {movedBy(1e-2, 1e-7)}).holds());
    }

    /// sin(30000 x) is noisy to 1e-5 of itself; a column beside it that the rows' mean is added to is not.
    void aNoisyColumnExcusesNoneBesideIt()
    {
        const at::Tensor joined = movedBy(1e-5, 3e-5);
        QVERIFY(!judge(leafOf(whole(), joined), {movedBy(1e-5, 1e-8)}).holds());
        QVERIFY(judge(leafOf(whole(), joined), {movedBy(1e-5, 1e-5)}).holds());
    }

    void fourTimesTheNoiseIsNoise_data()
    {
        QTest::addColumn<double>("times");
        QTest::addColumn<bool>("holds");
        // Three parts, of four numbers the columns: 4 * (1 + sqrt(2 * ln 3 / 4)) = 6.96 times.
        QTest::newRow("below") << 6.8 << true;
        QTest::newRow("above") << 7.2 << false;
    }

    void fourTimesTheNoiseIsNoise()
    {
        QFETCH(double, times);
        QFETCH(bool, holds);
        const auto judged = judge(leafOf(whole(), movedBy(0, times * 1e-4)), {movedBy(0, 1e-4)});
        QCOMPARE(judged.holds(), holds);
        QVERIFY(std::abs(judged.noiseFloor - 1e-4) < 1e-6);
    }

    void largeNoiseMustGrowAsNumbersMoveFarther()
    {
        const JoinedLeaf leaf = leafOf(whole(), movedBy(0, 3e-3));
        const auto judged = judge(leaf, {movedBy(0, 1e-3)});
        QVERIFY(judged.holds() && judged.isLoud);
        QVERIFY(check::judge(leaf, {{movedBy(0, 1e-3)}, movedBy(0, 16e-3)}, {}).holds());
        QVERIFY(!check::judge(leaf, {{movedBy(0, 1e-3)}, movedBy(0, 1e-3)}, {}).holds());
        QVERIFY(!judge(leafOf(whole(), movedBy(0, 3e-5)), {movedBy(0, 1e-5)}).isLoud);
    }

    void theNoisierRunCounts()
    {
        QVERIFY(judge(leafOf(whole(), movedBy(0, 3e-4)), {movedBy(0, 1e-7), movedBy(0, 1e-4)}).holds());
    }

    void roundingNeedsNoNoise()
    {
        QVERIFY(judge(leafOf(whole(), movedBy(1e-6, 1e-6)), {}).holds());
        QVERIFY(!judge(leafOf(whole(), movedBy(0, 2e-6)), {}).holds());
    }

    void noiseThatGivesAnotherShapeOrNoNumbersTellsNothing()
    {
        const double infinity = std::numeric_limits<double>::infinity();
        const JoinedLeaf leaf = leafOf(whole(), movedBy(0, 1e-3));
        for (const at::Tensor &run : {at::ones({3}), whole().to(at::kDouble), at::full({4, 2}, infinity)})
            QVERIFY(!judge(leaf, {run}).holds());
        QVERIFY(!judge(leaf, {c10::IValue("text")}).holds());
    }

    void withinTheUsersToleranceAllHolds()
    {
        JoinedLeaf leaf = leafOf(whole(), movedBy(0, 0.5));
        leaf.close = true;
        check::CheckOptions options;
        options.tolerance = tensor::Tolerance{1, 0};
        QVERIFY(check::judge(leaf, {}, options).holds());
        leaf.close = false;
        QVERIFY(!check::judge(leaf, {}, options).holds());
    }

    void theUsersToleranceTakesThePlaceOfRounding()
    {
        const JoinedLeaf leaf = leafOf(whole(), movedBy(1e-6, 1e-6));
        check::CheckOptions options;
        options.tolerance = tensor::Tolerance{0, 0};
        QVERIFY(!check::judge(leaf, {}, options).holds());
        QVERIFY(check::judge(leaf, {{movedBy(1e-6, 1e-6)}, {}}, options).holds());
    }

    void numbersThatDoNotRoundMustBeTheSame()
    {
        JoinedLeaf leaf;
        QVERIFY(judge(leaf, {}).holds());
        leaf.bitwise = leaf.close = false; // and there is nothing to be judged by its size
        QVERIFY(!judge(leaf, {}).holds());
    }

    void whatCannotBeJoinedDoesNotHold()
    {
        JoinedLeaf leaf;
        leaf.why = "an output has no batch dimension";
        leaf.bitwise = leaf.close = false;
        QVERIFY(!judge(leaf, {}).holds());
        QVERIFY(check::isWorse(judge(leaf, {}), judge(JoinedLeaf{}, {})));
    }

    void zerosMayNotBecomeSomething()
    {
        const auto judged = judge(leafOf(at::zeros({4, 2}), at::full({4, 2}, 1e-30)), {});
        QVERIFY(!judged.holds());
        QVERIFY(std::isinf(judged.relL2));
    }
};

PIPESCOPE_TEST(TestJudgedLeaf)
#include "tst_judged_leaf.moc"

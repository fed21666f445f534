#include "shard/cut_lengths.h"

#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>
#include <set>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;

class TestCutLengths : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lengthsAreThoseOfSomeRank()
    {
        const Layout layout = layoutOf("3,2", "S0,S0", {7});
        QCOMPARE(lengthsAfter(layout, 0, 0), (std::vector<std::int64_t>{7}));
        QCOMPARE(lengthsAfter(layout, 0, 1), (std::vector<std::int64_t>{1, 3}));
        QCOMPARE(lengthsAfter(layout, 0, 2), (std::vector<std::int64_t>{0, 1, 2}));
        QCOMPARE(longest(layout, 0), std::int64_t{2});
    }

    void randomLayoutsAgreeWithEveryRank()
    {
        tests::RandomLayouts random(17, {3, 4, 2, 20});
        for (int i = 0; i < 500; ++i) {
            const Layout layout = random.layout();
            for (int dim = 0; dim < layout.ndim(); ++dim) {
                std::set<std::int64_t> expected;
                for (const Coordinate &place : tests::placesOf(layout.mesh()))
                    expected.insert(std::ssize(tests::heldIndices(layout, place, dim)));
                const std::vector<std::int64_t> lengths = lengthsAfter(layout, dim, layout.cuts(dim).size());
                QVERIFY2(std::equal(lengths.begin(), lengths.end(), expected.begin(), expected.end()),
                         layout.specText().c_str());
                QCOMPARE(longest(layout, dim), *expected.rbegin());
            }
        }
    }

    void nestedCutsAreOneWhereEachRankHasAsMuch()
    {
        const auto areOne = [](const char *mesh, std::int64_t length) {
            return lastCutsAreOne(layoutOf(mesh, "S0,S0", {length}), 0, 2);
        };
        QVERIFY(!areOne("2,2", 5)); // 2, 1, 1, 1 and 2, 2, 1
        QVERIFY(!areOne("2,2", 6)); // 2, 1, 2, 1 and 2, 2, 2
        QVERIFY(areOne("2,2", 7) && areOne("2,2", 8) && areOne("2,2", 0));
        QVERIFY(areOne("4,2", 16) && !areOne("4,2", 18));
        // Only the last two of three, on each part of the first.
        QVERIFY(lastCutsAreOne(layoutOf("2,2,2", "S0,S0,S0", {16}), 0, 2));
        QVERIFY(!lastCutsAreOne(layoutOf("2,2,2", "S0,S0,S0", {13}), 0, 2));
    }
};

PIPESCOPE_TEST(TestCutLengths)
#include "tst_cut_lengths.moc"

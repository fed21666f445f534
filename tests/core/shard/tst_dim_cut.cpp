#include "shard/dim_cut.h"

#include "support/layouts.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using shard::DimCut;
using shard::PartPosition;
using tests::Indices;

namespace {

Indices sizes(const DimCut &cut, int parts)
{
    Indices all;
    for (int part = 0; part < parts; ++part)
        all.push_back(cut.size(part));
    return all;
}

Indices indices(const DimCut &cut, int part)
{
    Indices all;
    for (std::int64_t position = 0; position < cut.size(part); ++position)
        all.push_back(cut.whole(part, position));
    return all;
}

/// What is wrong with a cut of this kind, looked at index by index; "" where nothing is.
QString fault(std::int64_t length, int parts, std::int64_t splitFactor)
{
    Indices all(static_cast<std::size_t>(length));
    std::iota(all.begin(), all.end(), 0);
    const DimCut cut(length, parts, splitFactor);
    std::int64_t largest = 0;
    for (int part = 0; part < parts; ++part) {
        const Indices held = tests::partOf(all, parts, splitFactor, part);
        if (indices(cut, part) != held)
            return QString("part %1 holds others").arg(part);
        largest = std::max(largest, std::ssize(held));
        for (std::int64_t i = 0; i < std::ssize(held); ++i) {
            const std::int64_t whole = held[static_cast<std::size_t>(i)];
            if (cut.part(whole) != PartPosition{part, i})
                return QString("element %1 is not found where it is").arg(whole);
            std::int64_t run = 1;
            while (i + run < std::ssize(held) && held[static_cast<std::size_t>(i + run)] == whole + run)
                ++run;
            if (cut.runFrom(part, i) != run)
                return QString("position %1 of part %2: the run is %3").arg(i).arg(part).arg(cut.runFrom(part, i));
        }
    }
    return cut.largest() == largest ? QString() : QString("the largest is %1").arg(cut.largest());
}

} // namespace

class TestDimCut : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlainCutIsThatOfTorchChunk()
    {
        QCOMPARE(sizes(DimCut(10, 4), 4), (Indices{3, 3, 3, 1}));
        QCOMPARE(sizes(DimCut(9, 4), 4), (Indices{3, 3, 3, 0}));
        QCOMPARE(sizes(DimCut(5, 4), 4), (Indices{2, 2, 1, 0}));
        QCOMPARE(sizes(DimCut(2, 4), 4), (Indices{1, 1, 0, 0}));
        QCOMPARE(sizes(DimCut(13, 4), 4), (Indices{4, 4, 4, 1}));
        QCOMPARE(sizes(DimCut(0, 4), 4), (Indices{0, 0, 0, 0}));
        QCOMPARE(sizes(DimCut(7, 1), 1), (Indices{7}));
    }

    void aStridedCutHoldsAChunkOfEveryPiece()
    {
        const DimCut nine(9, 4, 2);
        QCOMPARE(indices(nine, 0), (Indices{0, 1, 5}));
        QCOMPARE(indices(nine, 1), (Indices{2, 3, 6}));
        QCOMPARE(indices(nine, 2), (Indices{4, 7}));
        QCOMPARE(indices(nine, 3), (Indices{8}));
        const DimCut eight(8, 4, 2);
        QCOMPARE(indices(eight, 0), (Indices{0, 4}));
        QCOMPARE(indices(eight, 1), (Indices{1, 5}));
        QCOMPARE(indices(eight, 2), (Indices{2, 6}));
        QCOMPARE(indices(eight, 3), (Indices{3, 7}));
        const DimCut five(5, 2, 2);
        QCOMPARE(indices(five, 0), (Indices{0, 1, 3}));
        QCOMPARE(indices(five, 1), (Indices{2, 4}));
    }

    void runsEndWhereAnotherPartBegins()
    {
        const DimCut nine(9, 4, 2);
        QCOMPARE(nine.runFrom(0, 0), std::int64_t{2});
        QCOMPARE(nine.runFrom(0, 1), std::int64_t{1});
        QCOMPARE(nine.runFrom(0, 2), std::int64_t{1});
        QCOMPARE(DimCut(9, 1, 2).runFrom(0, 3), std::int64_t{6});
        QCOMPARE(DimCut(9, 4, 100).runFrom(0, 3), std::int64_t{6}); // pieces of one element each
    }

    void allSmallCutsAgreeWithListsOfIndices()
    {
        for (std::int64_t length = 0; length <= 16; ++length) {
            for (int parts = 1; parts <= 5; ++parts) {
                for (std::int64_t splitFactor = 1; splitFactor <= 7; ++splitFactor) {
                    const QString wrong = fault(length, parts, splitFactor);
                    QVERIFY2(wrong.isEmpty(), qPrintable(QString("length %1, %2 parts, split factor %3: %4")
                                                             .arg(length)
                                                             .arg(parts)
                                                             .arg(splitFactor)
                                                             .arg(wrong)));
                }
            }
        }
    }

    void largerCutsAgreeWithListsOfIndices()
    {
        for (unsigned seed = 1; seed <= 100; ++seed) {
            std::mt19937 random(seed);
            const std::int64_t length = random() % 120;
            const int parts = 1 + static_cast<int>(random() % 40);
            const std::int64_t splitFactor = 1 + random() % 250;
            const QString wrong = fault(length, parts, splitFactor);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(wrong)));
        }
    }

    void theLongestDimensionsDoNotOverflow()
    {
        constexpr std::int64_t Longest = std::numeric_limits<std::int64_t>::max();
        for (const std::int64_t length : {Longest, Longest - 1, std::int64_t{1} << 62, (std::int64_t{1} << 62) + 1}) {
            for (const int parts : {1, 2, 3, 4, 1 << 20, std::numeric_limits<int>::max()}) {
                for (const std::int64_t splitFactor :
                     {std::int64_t{1}, std::int64_t{2}, std::int64_t{1} << 40, Longest}) {
                    const DimCut cut(length, parts, splitFactor);
                    for (const std::int64_t position :
                         {std::int64_t{0}, std::int64_t{1}, length / 3, length / 2, length - 2, length - 1}) {
                        const PartPosition held = cut.part(position);
                        QVERIFY(held.part >= 0 && held.part < parts);
                        QVERIFY(held.position >= 0 && held.position < cut.size(held.part));
                        QVERIFY(cut.size(held.part) <= cut.largest());
                        QCOMPARE(cut.whole(held.part, held.position), position);
                        const std::int64_t run = cut.runFrom(held.part, held.position);
                        QVERIFY(run >= 1 && run <= cut.size(held.part) - held.position);
                        QCOMPARE(cut.whole(held.part, held.position + run - 1), position + run - 1);
                    }
                    QVERIFY(cut.size(parts - 1) >= 0);
                }
            }
        }
    }

    void aSplitFactorBeyondTheLengthLeavesAllToTheFirstPart()
    {
        const DimCut cut(5, 3, std::numeric_limits<std::int64_t>::max());
        QCOMPARE(sizes(cut, 3), (Indices{5, 0, 0}));
        QCOMPARE(indices(cut, 0), (Indices{0, 1, 2, 3, 4}));
    }
};

PIPESCOPE_TEST(TestDimCut)
#include "tst_dim_cut.moc"

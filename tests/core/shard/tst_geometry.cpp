#include "shard/geometry.h"

#include "support/layouts.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::shard;
using tests::heldIndices;
using tests::Indices;
using tests::layoutOf;
using tests::placesOf;
using tests::RandomLayouts;

namespace {

/// Along tensor dimension 0, rank by rank.
Indices sizes(const Layout &layout)
{
    Indices all;
    for (const LocalShard &shard : localShards(layout))
        all.push_back(shard.sizes.front());
    return all;
}

Indices offsets(const Layout &layout)
{
    Indices all;
    for (const LocalShard &shard : localShards(layout))
        all.push_back(shard.offsets.front());
    return all;
}

/// The global indices that a rank holds along tensor dimension 0.
Indices held(const Layout &layout, int rank)
{
    const Coordinate place = layout.mesh().coordinateAt(rank);
    Indices all;
    for (std::int64_t i = 0; i < localSize(layout, place, 0); ++i)
        all.push_back(globalIndex(layout, place, 0, i));
    return all;
}

std::vector<int> holdersOf(const Layout &layout, const Sizes &element)
{
    std::vector<int> ranks;
    for (const RankId rank : holders(layout, element))
        ranks.push_back(rank.value);
    return ranks;
}

Indices indicesIn(const std::vector<IndexRange> &ranges)
{
    Indices all;
    for (const IndexRange &range : ranges) {
        for (std::int64_t i = range.begin; i < range.end; ++i)
            all.push_back(i);
    }
    return all;
}

bool areApart(const std::vector<IndexRange> &ranges)
{
    const auto touch = [](const IndexRange &a, const IndexRange &b) { return a.end >= b.begin; };
    return std::adjacent_find(ranges.begin(), ranges.end(), touch) == ranges.end();
}

/// What a place says of one tensor dimension, against the list of its indices. "" where it is right.
QString faultAt(const Layout &layout, const Coordinate &place, int dim)
{
    const Indices list = heldIndices(layout, place, dim);
    const std::int64_t length = layout.shape()[static_cast<std::size_t>(dim)];
    if (localSize(layout, place, dim) != std::ssize(list))
        return "localSize";
    const LocalShard shard = localShard(layout, place);
    const auto at = static_cast<std::size_t>(dim);
    if (shard.sizes[at] != std::ssize(list) || shard.offsets[at] != (list.empty() ? length : list.front()))
        return "localShard";
    for (std::int64_t i = 0; i < std::ssize(list); ++i) {
        if (globalIndex(layout, place, dim, i) != list[static_cast<std::size_t>(i)])
            return "globalIndex";
    }
    for (std::int64_t index = 0; index < length; ++index) {
        const auto found = std::find(list.begin(), list.end(), index);
        const auto expected = found == list.end() ? std::nullopt : std::optional<std::int64_t>(found - list.begin());
        if (localIndex(layout, place, dim, index) != expected)
            return "localIndex";
    }
    const HeldRanges all = heldRanges(layout, place, dim, 1000);
    if (!all.complete || indicesIn(all.ranges) != list || !areApart(all.ranges))
        return "heldRanges";
    const HeldRanges first = heldRanges(layout, place, dim, 1);
    if (first.complete != (all.ranges.size() <= 1) ||
        first.ranges.size() != std::min<std::size_t>(1, all.ranges.size()))
        return "heldRanges of one";
    return {};
}

QString bandFault(const Layout &layout, int dim)
{
    const std::int64_t length = layout.shape()[static_cast<std::size_t>(dim)];
    const std::vector<int> cutters = tests::cuttersOf(layout, dim);
    std::int64_t end = 0;
    const std::vector<Band> all = bands(layout, dim, 0, 1000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Band &band = all[i];
        if (band.range.begin != end || band.range.end <= end || band.parts.size() != cutters.size())
            return "the bands have gaps";
        if (i > 0 && all[i - 1].parts == band.parts)
            return "a band goes on in the next";
        end = band.range.end;
        Coordinate place(static_cast<std::size_t>(layout.mesh().ndim()), 0);
        for (std::size_t cut = 0; cut < cutters.size(); ++cut)
            place[static_cast<std::size_t>(cutters[cut])] = band.parts[cut];
        const Indices list = heldIndices(layout, place, dim);
        for (std::int64_t index = band.range.begin; index < band.range.end; ++index) {
            if (std::find(list.begin(), list.end(), index) == list.end())
                return "a band is somebody else's";
            if (bands(layout, dim, index, 1) != std::vector<Band>{{{index, band.range.end}, band.parts}})
                return "a band from its middle on";
        }
    }
    return end == length ? QString() : "the bands end early";
}

/// Of a random element; "" where all ranks that hold it are told, and no other.
QString holderFault(const Layout &layout, RandomLayouts &random)
{
    Sizes element;
    for (const std::int64_t size : layout.shape()) {
        if (size == 0)
            return {};
        element.push_back(random.below(static_cast<int>(size)));
    }
    std::vector<int> expected;
    for (int i = 0; i < layout.mesh().size(); ++i) {
        bool holds = true;
        for (int dim = 0; dim < layout.ndim(); ++dim) {
            const Indices list = heldIndices(layout, layout.mesh().coordinateAt(i), dim);
            holds = holds && std::find(list.begin(), list.end(), element[static_cast<std::size_t>(dim)]) != list.end();
        }
        if (holds)
            expected.push_back(layout.mesh().ranks()[static_cast<std::size_t>(i)].value);
    }
    return holdersOf(layout, element) == expected ? QString() : "holders";
}

QString fault(const Layout &layout, RandomLayouts &random)
{
    const std::vector<LocalShard> shards = localShards(layout);
    std::vector<bool> done;
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim)
        done.push_back(random.below(2) == 0);
    std::size_t i = 0;
    for (const Coordinate &place : placesOf(layout.mesh())) {
        if (shards[i++] != localShard(layout, place))
            return "localShards";
        const Sizes after = sizesAfter(layout, place, done);
        for (int dim = 0; dim < layout.ndim(); ++dim) {
            if (const QString wrong = faultAt(layout, place, dim); !wrong.isEmpty())
                return wrong;
            if (after[static_cast<std::size_t>(dim)] != std::ssize(heldIndices(layout, place, dim, done)))
                return "sizesAfter";
        }
    }
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        if (const QString wrong = bandFault(layout, dim); !wrong.isEmpty())
            return wrong;
    }
    return holderFault(layout, random);
}

bool holdTheSameSlowly(const Layout &a, const Layout &b)
{
    for (int meshDim = 0; meshDim < a.mesh().ndim(); ++meshDim) {
        const Placement &inA = a.placements()[static_cast<std::size_t>(meshDim)];
        const Placement &inB = b.placements()[static_cast<std::size_t>(meshDim)];
        if (a.mesh().size(meshDim) > 1 && (isPartial(inA) || isPartial(inB)) && inA != inB)
            return false;
    }
    for (const Coordinate &place : placesOf(a.mesh())) {
        for (int dim = 0; dim < a.ndim(); ++dim) {
            if (heldIndices(a, place, dim) != heldIndices(b, place, dim))
                return false;
        }
    }
    return true;
}

} // namespace

class TestGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneMeshDimensionCutsAsTorchChunk()
    {
        for (std::int64_t length = 0; length <= 16; ++length) {
            const Layout layout = layoutOf("8", "S0", {length});
            const std::int64_t chunk = (length + 7) / 8;
            for (int rank = 0; rank < 8; ++rank) {
                const std::int64_t begin = std::min(length, rank * chunk);
                const std::int64_t end = std::min(length, begin + chunk);
                QCOMPARE(localShard(layout, Coordinate{rank}), (LocalShard{{end - begin}, {begin}}));
            }
        }
    }

    void nestedCutsCutWhatTheLastOneLeft()
    {
        QCOMPARE(sizes(layoutOf("2,2", "S0,S0", {5})), (Indices{2, 1, 1, 1}));
        QCOMPARE(sizes(layoutOf("3,2", "S0,S0", {7})), (Indices{2, 1, 2, 1, 1, 0}));
        QCOMPARE(sizes(layoutOf("4,2", "S0,S0", {18, 2})), (Indices{3, 2, 3, 2, 3, 2, 2, 1}));
        QCOMPARE(offsets(layoutOf("4,2", "S0,S0", {18, 2})), (Indices{0, 3, 5, 8, 10, 13, 15, 17}));
        QCOMPARE(sizes(layoutOf("4,2", "S0,S0", {13, 2})), (Indices{2, 2, 2, 2, 2, 2, 1, 0}));
        QCOMPARE(offsets(layoutOf("4,2", "S0,S0", {13, 2})).back(), std::int64_t{13});
    }

    void aStridedShardIsNestedFromTheRight()
    {
        // Nine rows for each rank of the right dimension, cut in 3, 3, 3 and 0.
        const Layout layout = layoutOf("4,2", "SS(0,2),S0", {18, 2});
        for (int dp = 0; dp < 4; ++dp) {
            for (int tp = 0; tp < 2; ++tp) {
                const LocalShard shard = localShard(layout, Coordinate{dp, tp});
                QCOMPARE(shard.sizes, (Sizes{dp < 3 ? 3 : 0, 2}));
                QCOMPARE(shard.offsets, (Sizes{dp < 3 ? 9 * tp + 3 * dp : 18, 0}));
            }
        }
        const Layout eight = layoutOf("2,2", "SS(0,2),S0", {8});
        QCOMPARE(held(eight, 0), (Indices{0, 1}));
        QCOMPARE(held(eight, 1), (Indices{4, 5}));
        QCOMPARE(held(eight, 2), (Indices{2, 3}));
        QCOMPARE(held(eight, 3), (Indices{6, 7}));
        QVERIFY(holdTheSame(eight, layoutOf("2,2", "S0,S0", {8}, "0:1,0")));
        QVERIFY(!holdTheSame(eight, layoutOf("2,2", "S0,S0", {8})));
    }

    void aStridedShardHoldsAChunkOfEveryPiece()
    {
        const Layout eight = layoutOf("4", "SS(0,2)", {8});
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(held(eight, rank), (Indices{rank, rank + 4}));
        const Layout nine = layoutOf("4", "SS(0,2)", {9});
        QCOMPARE(held(nine, 0), (Indices{0, 1, 5}));
        QCOMPARE(held(nine, 1), (Indices{2, 3, 6}));
        QCOMPARE(held(nine, 2), (Indices{4, 7}));
        QCOMPARE(held(nine, 3), (Indices{8}));
        const Layout five = layoutOf("2", "SS(0,2)", {5});
        QCOMPARE(held(five, 0), (Indices{0, 1, 3}));
        QCOMPARE(held(five, 1), (Indices{2, 4}));
        QCOMPARE(heldRanges(nine, Coordinate{0}, 0, 9).ranges, (std::vector<IndexRange>{{0, 2}, {5, 6}}));
    }

    void aSplitFactorOfOneIsAPlainShard()
    {
        for (std::int64_t length = 0; length < 20; ++length)
            QVERIFY(holdTheSame(layoutOf("4", "SS(0,1)", {length}), layoutOf("4", "S0", {length})));
    }

    void stridedAndPlainCutsHoldEveryElementOnce()
    {
        for (const std::int64_t length : {2, 3, 5, 11}) {
            const Layout layout = layoutOf("2,2", "SS(0,2),S0", {length});
            Indices all;
            for (int rank = 0; rank < 4; ++rank) {
                const Indices part = held(layout, rank);
                all.insert(all.end(), part.begin(), part.end());
            }
            std::sort(all.begin(), all.end());
            Indices expected(static_cast<std::size_t>(length));
            std::iota(expected.begin(), expected.end(), 0);
            QCOMPARE(all, expected);
        }
    }

    void allPairsOnTwoMeshDimensionsAreSlicesOfTheWhole()
    {
        for (const char *placements : {"R,R", "R,S0", "R,S1", "S0,R", "S0,S0", "S0,S1", "S1,R", "S1,S0", "S1,S1"}) {
            const Layout layout = layoutOf("2,4", placements, {16, 24});
            std::int64_t elements = 0;
            for (const LocalShard &shard : localShards(layout)) {
                QVERIFY(shard.offsets[0] + shard.sizes[0] <= 16 && shard.offsets[1] + shard.sizes[1] <= 24);
                elements += shard.sizes[0] * shard.sizes[1];
            }
            std::int64_t copies = 1;
            for (int meshDim = 0; meshDim < 2; ++meshDim)
                copies *=
                    isSharded(layout.placements()[static_cast<std::size_t>(meshDim)]) ? 1 : layout.mesh().size(meshDim);
            QCOMPARE(elements, 16 * 24 * copies);
        }
        QCOMPARE(localShard(layoutOf("2,4", "S1,S0", {16, 24}), Coordinate{1, 3}), (LocalShard{{4, 12}, {12, 12}}));
    }

    void replicasHoldTheSame()
    {
        // Hybrid sharding with tensor parallelism: the replica's coordinate does not matter.
        const Layout layout = layoutOf("2,2,2", "R,SS(0,2),S0", {11, 3});
        for (int dp = 0; dp < 2; ++dp) {
            for (int tp = 0; tp < 2; ++tp)
                QCOMPARE(localShard(layout, Coordinate{0, dp, tp}), localShard(layout, Coordinate{1, dp, tp}));
        }
        QCOMPARE(holdersOf(layoutOf("2,2", "R,S0", {4}), {3}), (std::vector<int>{1, 3}));
        QCOMPARE(holdersOf(layoutOf("2,2", "S0,P", {4}), {3}), (std::vector<int>{2, 3}));
        QCOMPARE(holdersOf(layoutOf("2,2", "R,P", {}), {}), (std::vector<int>{0, 1, 2, 3}));
    }

    void unevenSizesArePartsOfTorchChunkOnEveryDimension()
    {
        for (const std::int64_t size : {13, 14, 3, 1, 0}) {
            for (int dim = 0; dim < 3; ++dim) {
                Sizes shape{12, 12, 12};
                shape[static_cast<std::size_t>(dim)] = size;
                const Layout layout = layoutOf("4", "S" + std::to_string(dim), shape);
                const std::int64_t chunk = (size + 3) / 4;
                for (int rank = 0; rank < 4; ++rank) {
                    Sizes expected = shape;
                    expected[static_cast<std::size_t>(dim)] = std::clamp<std::int64_t>(size - rank * chunk, 0, chunk);
                    QCOMPARE(localShard(layout, Coordinate{rank}).sizes, expected);
                }
            }
        }
    }

    void bandsShowWhoHoldsNeighbours()
    {
        QCOMPARE(bands(layoutOf("2", "SS(0,2)", {5}), 0, 0, 9),
                 (std::vector<Band>{{{0, 2}, {0}}, {{2, 3}, {1}}, {{3, 4}, {0}}, {{4, 5}, {1}}}));
        QCOMPARE(bands(layoutOf("2,2", "S0,S0", {8}, "0:1,0"), 0, 2, 2),
                 (std::vector<Band>{{{2, 4}, {0, 1}}, {{4, 6}, {1, 0}}}));
        QCOMPARE(bands(layoutOf("2", "S0", {5, 3}), 1, 0, 9), (std::vector<Band>{{{0, 3}, {}}}));
        QVERIFY(bands(layoutOf("2", "S0", {5}), 0, 5, 9).empty());
        QVERIFY(bands(layoutOf("2", "S0", {0}), 0, 0, 9).empty());
    }

    void randomLayoutsAgreeWithListsOfIndices()
    {
        for (unsigned seed = 1; seed <= 2000; ++seed) {
            RandomLayouts random(seed);
            const Layout layout = random.layout();
            const QString wrong = fault(layout, random);
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QString("seed %1: %2 on %3: %4")
                                    .arg(seed)
                                    .arg(layout.specText().c_str(), layout.mesh().text().c_str(), wrong)));
        }
    }

    void everyElementIsHeldByAsManyRanksAsCopiesAreMade()
    {
        for (unsigned seed = 1; seed <= 500; ++seed) {
            RandomLayouts random(seed);
            const Layout layout = random.layout();
            std::int64_t copies = 1;
            for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim)
                copies *=
                    isSharded(layout.placements()[static_cast<std::size_t>(meshDim)]) ? 1 : layout.mesh().size(meshDim);
            std::int64_t elements = 0;
            for (const LocalShard &shard : localShards(layout))
                elements +=
                    std::accumulate(shard.sizes.begin(), shard.sizes.end(), std::int64_t{1}, std::multiplies<>());
            QVERIFY2(elements == layout.numel() * copies, qPrintable(QString("seed %1").arg(seed)));
        }
    }

    void layoutsAreTheSameWhereAllListsAre()
    {
        int same = 0;
        for (unsigned seed = 1; seed <= 3000; ++seed) {
            RandomLayouts random(seed, {3, 2, 2, 8});
            const Layout a = random.layout();
            const Layout b = random.layout(a.mesh(), a.shape());
            const bool expected = holdTheSameSlowly(a, b);
            same += expected && a != b ? 1 : 0;
            QVERIFY2(
                holdTheSame(a, b) == expected && holdTheSame(b, a) == expected && holdTheSame(a, a),
                qPrintable(QString("seed %1: %2 and %3").arg(seed).arg(a.specText().c_str(), b.specText().c_str())));
        }
        QVERIFY2(same > 50, "the random layouts are never the same");
    }

    void partialValuesAndOtherTensorsAreNotTheSame()
    {
        const Layout whole = layoutOf("2,2", "R,R", {4});
        QVERIFY(!holdTheSame(whole, layoutOf("2,2", "R,P", {4})));
        QVERIFY(!holdTheSame(layoutOf("2", "P(sum)", {4}), layoutOf("2", "P(avg)", {4})));
        QVERIFY(!holdTheSame(layoutOf("2", "NormP(2)", {4}), layoutOf("2", "NormP(3)", {4})));
        QVERIFY(!holdTheSame(whole, layoutOf("2,2", "R,R", {5})));
        QVERIFY(!holdTheSame(whole, layoutOf("a=2,b=2", "R,R", {4})));
        QVERIFY(holdTheSame(layoutOf("1,2", "P,S0", {4}), layoutOf("1,2", "S0,S0", {4})));
        QVERIFY(holdTheSame(layoutOf("1,2", "R,S0", {4}), layoutOf("1,2", "SS(0,3),S0", {4})));
    }

    void theLargestTensorsCostNoMoreThanSmallOnes()
    {
        constexpr std::int64_t Longest = std::numeric_limits<std::int64_t>::max();
        LayoutRequest request{tests::meshOf("2,3,4"),
                              {StridedShard{0, Longest / 2}, Shard{0}, StridedShard{0, 1'000'003}},
                              {Longest},
                              {},
                              {},
                              "int8"};
        const Layout layout = *Layout::make(request);
        for (const Coordinate &place : placesOf(layout.mesh())) {
            const std::int64_t size = localSize(layout, place, 0);
            QVERIFY(size >= 0);
            const HeldRanges ranges = heldRanges(layout, place, 0, 4);
            QCOMPARE(ranges.complete, size == 0);
            for (const std::int64_t local : {std::int64_t{0}, size / 3, size / 2, size - 1}) {
                if (local < 0 || local >= size)
                    continue;
                const std::int64_t index = globalIndex(layout, place, 0, local);
                QVERIFY(index >= 0 && index < Longest);
                QCOMPARE(*localIndex(layout, place, 0, index), local);
                QCOMPARE(holdersOf(layout, {index}), (std::vector<int>{layout.mesh().rankAt(place).value}));
            }
        }
        QCOMPARE(bands(layout, 0, Longest / 2, 5).size(), std::size_t{5});
        QCOMPARE(bands(layout, 0, Longest - 1, 5).size(), std::size_t{1});
    }

    void waysToCutInBillionsOfBandsAreCompared()
    {
        const Sizes rows{std::int64_t{1} << 40};
        const Layout a = layoutOf("2,2", "SS(0,1073741824),S0", rows);
        QVERIFY(holdTheSame(a, layoutOf("2,2", "SS(0,1073741824),SS(0,1)", rows)));
        QVERIFY(holdTheSame(a, layoutOf("2,2", "SS(0,1073741825),S0", rows))); // pieces of the same length
        QVERIFY(!holdTheSame(a, layoutOf("2,2", "SS(0,1075000000),S0", rows)));
        QVERIFY(!holdTheSame(a, layoutOf("2,2", "SS(0,1073741824),SS(0,536870912)", rows)));
        QVERIFY(!holdTheSame(a, layoutOf("2,2", "S0,S0", rows)));
        QVERIFY(!holdTheSame(a, layoutOf("2,2", "S0,S0", rows, "0:1,0")));
        QVERIFY(!holdTheSame(layoutOf("2,2", "S0,S0", rows, "0:1,0"), a));
    }
};

PIPESCOPE_TEST(TestGeometry)
#include "tst_geometry.moc"

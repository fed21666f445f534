#include "shardview/shard_axis.h"

#include "support/layouts.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <chrono>

using namespace pipescope;
using namespace pipescope::shardview;
using tests::layoutOf;
using Kind = AxisBand::Kind;

namespace {

ShardAxis axisOf(std::int64_t length, const char *mesh, const char *placements)
{
    return {layoutOf(mesh, placements, {length}), 0};
}

/// "H0[0,3) P0[3,4) M[4,9)", in positions.
QString written(const std::vector<AxisBand> &bands)
{
    QStringList words;
    for (const AxisBand &band : bands) {
        const QString places = QStringLiteral("[%1,%2)").arg(band.positions.begin).arg(band.positions.end);
        words << (band.kind == Kind::Mixed
                      ? "M" + places
                      : (band.kind == Kind::Held ? "H" : "P") + QString::number(band.part) + places);
    }
    return words.join(' ');
}

QByteArray written(const shard::Layout &layout)
{
    return QByteArray::fromStdString(layout.mesh().text() + " " + layout.specText());
}

QString allBands(const ShardAxis &axis)
{
    return written(axis.bands(0, static_cast<double>(axis.extent()), 1000));
}

/// Each index and each padded place is in exactly one band, and in that of its holder.
bool agreesWithEachElement(const shard::Layout &layout, int dim)
{
    const ShardAxis axis(layout, dim);
    std::int64_t position = 0;
    std::int64_t index = 0;
    bool agrees = true;
    for (const AxisBand &band : axis.bands(0, static_cast<double>(axis.extent()), 100'000)) {
        agrees =
            agrees && band.kind != Kind::Mixed && band.positions.begin == position && band.positions.end > position;
        if (!agrees)
            return false;
        shard::Coordinate place(layout.placements().size(), 0);
        axis.setPlace(band.part, place);
        const tests::Indices held = tests::heldIndices(layout, place, dim);
        agrees = axis.partOf(place) == band.part && axis.size(band.part) == std::ssize(held);
        if (band.kind == Kind::Padding)
            agrees = agrees && held.back() == index - 1 && axis.spotAt(position) == AxisSpot{band.part, std::nullopt} &&
                     band.positions.end - position == axis.largest() - std::ssize(held);
        else
            agrees = agrees && band.indices.begin == index && axis.runAt(index) == band.indices;
        for (; agrees && index < band.indices.end; ++index)
            agrees = std::find(held.begin(), held.end(), index) != held.end() &&
                     axis.spotAt(axis.positionOf(index)) == AxisSpot{band.part, index};
        position = band.positions.end;
    }
    return agrees && position == axis.extent() && index == axis.length();
}

} // namespace

class TestShardAxis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWholeDimensionIsOneBandOfOnePart()
    {
        const ShardAxis axis = axisOf(8, "4", "R");
        QCOMPARE(axis.parts(), 1);
        QCOMPARE(axis.extent(), 8);
        QCOMPARE(allBands(axis), QString("H0[0,8)"));
        QCOMPARE(allBands(ShardAxis()), QString("H0[0,1)"));
    }

    void evenPartsStandSideBySide()
    {
        QCOMPARE(allBands(axisOf(8, "4", "S0")), QString("H0[0,2) H1[2,4) H2[4,6) H3[6,8)"));
        QVERIFY(!axisOf(8, "4", "S0").hasPadding());
    }

    void afterASmallerPartIsRoomForItsPadding()
    {
        const ShardAxis axis = axisOf(10, "4", "S0");
        QCOMPARE(axis.length(), 10);
        QCOMPARE(axis.largest(), 3);
        QCOMPARE(allBands(axis), QString("H0[0,3) H1[3,6) H2[6,9) H3[9,10) P3[10,12)"));
        QCOMPARE(axis.extent(), 12);
    }

    void paddingStandsAfterEachSmallerPartOfNestedCuts()
    {
        QCOMPARE(allBands(axisOf(5, "2,2", "S0,S0")),
                 QString("H0[0,2) H1[2,3) P1[3,4) H2[4,5) P2[5,6) H3[6,7) P3[7,8)"));
    }

    void aPartWithoutElementsHasNoRoom()
    {
        QCOMPARE(allBands(axisOf(2, "4", "S0")), QString("H0[0,1) H1[1,2)"));
        QCOMPARE(axisOf(0, "4", "S0").extent(), 0);
        QCOMPARE(allBands(axisOf(0, "4", "S0")), QString());
    }

    void aStridedPartHasABandInEachPiece()
    {
        QCOMPARE(allBands(axisOf(8, "4", "SS(0,2)")),
                 QString("H0[0,1) H1[1,2) H2[2,3) H3[3,4) H0[4,5) H1[5,6) H2[6,7) H3[7,8)"));
        QCOMPARE(allBands(axisOf(9, "4", "SS(0,2)")),
                 QString("H0[0,2) H1[2,4) H2[4,5) H0[5,6) H1[6,7) H2[7,8) P2[8,9) H3[9,10) P3[10,12)"));
    }

    void positionsAreIndicesAndThePaddingBeforeThem()
    {
        const ShardAxis axis = axisOf(5, "2,2", "S0,S0");
        const std::vector<std::int64_t> positions{0, 1, 2, 4, 6, 8};
        for (std::size_t index = 0; index < positions.size(); ++index)
            QCOMPARE(axis.positionOf(static_cast<std::int64_t>(index)), positions[index]);
        QCOMPARE(axis.spotAt(2), (AxisSpot{1, 2}));
        QCOMPARE(axis.spotAt(3), (AxisSpot{1, std::nullopt}));
        QCOMPARE(axis.spotAt(4), (AxisSpot{2, 3}));
        QCOMPARE(axis.spotAt(7), (AxisSpot{3, std::nullopt}));
    }

    void aPartIsFoundAndPlacedInTheWholeMesh()
    {
        const ShardAxis axis(layoutOf("2,3,2", "S0,S1,S0", {8, 6}), 0);
        QCOMPARE(axis.parts(), 4);
        shard::Coordinate place{0, 2, 0};
        axis.setPlace(3, place);
        QCOMPARE(place, (shard::Coordinate{1, 2, 1}));
        QCOMPARE(axis.partOf({1, 0, 0}), 2);
    }

    void bandsOfLessThanAPixelAreJoined()
    {
        const ShardAxis axis = axisOf(4096, "4", "SS(0,512)"); // bands of two
        QCOMPARE(written(axis.bands(0, 4096, 512)), QString("M[0,4096)"));
        const std::vector<AxisBand> close = axis.bands(0, 16, 512);
        QCOMPARE(written(close), QString("H0[0,2) H1[2,4) H2[4,6) H3[6,8) H0[8,10) H1[10,12) H2[12,14) H3[14,16)"));
    }

    void aBandThatIsPartlySeenIsWhole()
    {
        const ShardAxis axis = axisOf(1000, "4", "S0");
        QCOMPARE(written(axis.bands(300, 510, 100)), QString("H1[250,500) H2[500,750)"));
    }

    void bandsAgreeWithEachElementOfSmallTensors()
    {
        tests::RandomLayouts layouts(7, {.meshDims = 3, .meshSize = 4, .tensorDims = 2, .tensorSize = 30});
        for (int round = 0; round < 300; ++round) {
            const shard::Layout layout = layouts.layout();
            const QByteArray what = "seed 7: " + written(layout);
            for (int dim = 0; dim < layout.ndim(); ++dim)
                QVERIFY2(agreesWithEachElement(layout, dim), what);
        }
    }

    void bandsNeitherOverlapNorLeaveGapsAtAnyZoom()
    {
        tests::RandomLayouts layouts(11, {.meshDims = 3, .meshSize = 16, .tensorDims = 1, .tensorSize = 5000});
        for (int round = 0; round < 400; ++round) {
            const shard::Layout layout = layouts.layout();
            const QByteArray what = "seed 11: " + written(layout);
            const ShardAxis axis(layout, 0);
            if (axis.extent() == 0)
                continue;
            const double begin = layouts.below(static_cast<int>(axis.extent()));
            const double end = begin + 1 + layouts.below(2000);
            const int pixels = 1 + layouts.below(300);
            const std::vector<AxisBand> bands = axis.bands(begin, end, pixels);
            QVERIFY2(!bands.empty(), what);
            QVERIFY2(static_cast<double>(bands.front().positions.begin) <= begin, what);
            QVERIFY2(static_cast<double>(bands.back().positions.end) >=
                         std::min(end, static_cast<double>(axis.extent())),
                     what);
            for (std::size_t i = 0; i < bands.size(); ++i) {
                QVERIFY2(bands[i].positions.begin < bands[i].positions.end, what);
                QVERIFY2(i == 0 || bands[i - 1].positions.end == bands[i].positions.begin, what);
                QVERIFY2(i == 0 || bands[i].kind != Kind::Mixed || bands[i - 1].kind != Kind::Mixed, what);
            }
        }
    }

    void whatIsAskedOfALongDimensionFollowsThePixels()
    {
        // A million million indices in a thousand million bands, over 4096 parts.
        const ShardAxis axis = axisOf(1000000000000, "64,64", "SS(0,1000000),S0");
        const auto begin = std::chrono::steady_clock::now();
        const std::vector<AxisBand> all = axis.bands(0, static_cast<double>(axis.extent()), 2000);
        QVERIFY(all.size() <= 4096 + 2000);
        QVERIFY(std::any_of(all.begin(), all.end(), [](const AxisBand &band) { return band.kind == Kind::Mixed; }));
        const std::vector<AxisBand> close = axis.bands(5e11, 5e11 + 4000, 2000);
        QVERIFY(!close.empty() && close.size() <= 2000);
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)); // not the hours of each band
    }
};

PIPESCOPE_TEST(TestShardAxis)
#include "tst_shard_axis.moc"

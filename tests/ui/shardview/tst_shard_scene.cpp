#include "shardview/shard_scene.h"

#include "scenes.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::shardview;
using tests::layoutOf;
using tests::sceneOf;

namespace {

std::vector<RankId> ranks(const std::vector<int> &numbers)
{
    std::vector<RankId> ids;
    for (const int number : numbers)
        ids.push_back(RankId{number});
    return ids;
}

bool holds(const shard::Layout &layout, const shard::Coordinate &place, const shard::Sizes &element)
{
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        const tests::Indices held = tests::heldIndices(layout, place, dim);
        if (std::find(held.begin(), held.end(), element[static_cast<std::size_t>(dim)]) == held.end())
            return false;
    }
    return true;
}

/// Whether the scene names for each element that it shows the ranks that hold it, and none else.
bool agreesWithEachElement(const ShardScene &scene)
{
    const shard::Layout &layout = scene.layout();
    shard::Sizes element = scene.view().at;
    bool agrees = true;
    for (std::int64_t row = 0; row < scene.rows().length(); ++row)
        for (std::int64_t column = 0; column < scene.columns().length(); ++column) {
            if (scene.view().rowDim >= 0)
                element[static_cast<std::size_t>(scene.view().rowDim)] = row;
            element[static_cast<std::size_t>(scene.view().columnDim)] = column;
            std::vector<RankId> wanted;
            for (const shard::Coordinate &place : tests::placesOf(layout.mesh()))
                if (holds(layout, place, element))
                    wanted.push_back(layout.mesh().rankAt(place));
            std::vector<RankId> told = scene.ranksAt(scene.rows().partAt(row), scene.columns().partAt(column));
            for (const RankId rank : told) {
                const auto place = scene.placeOf(rank);
                agrees = agrees && place && scene.rankAt(*place) == rank;
            }
            std::sort(told.begin(), told.end());
            agrees = agrees && told == wanted;
        }
    return agrees;
}

} // namespace

class TestShardScene : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theUsualViewIsOfTheLastTwoDimensions()
    {
        QCOMPARE(usualView({8, 4}), (ShardView{0, 1, {0, 0}}));
        QCOMPARE(usualView({2, 8, 4}), (ShardView{1, 2, {0, 0, 0}}));
        QCOMPARE(usualView({8}), (ShardView{-1, 0, {0}}));
        QCOMPARE(usualView({}), (ShardView{-1, -1, {}}));
    }

    void aViewStaysForShapesOfAsManyDimensions()
    {
        QCOMPARE(fittedView({2, 0, {0, 5, 0}}, {8, 4, 6}), (ShardView{2, 0, {0, 3, 0}}));
        QCOMPARE(fittedView({2, 0, {0, 5, 0}}, {8, 4}), (ShardView{0, 1, {0, 0}}));
        QCOMPARE(fittedView({0, 1, {0, 0}}, {8}), (ShardView{-1, 0, {0}}));
        QCOMPARE(fittedView({-1, 0, {3}}, {8, 4}), (ShardView{0, 1, {0, 0}}));
        QCOMPARE(fittedView({0, 1, {0, 0, 5}}, {0, 4, 4}), (ShardView{0, 1, {0, 0, 3}}));
    }

    void rowsAndColumnsAreCutByTheirOwnMeshDimensions()
    {
        const auto scene = sceneOf("2,4", "S0,S1", {8, 8});
        QCOMPARE(scene->rows().parts(), 2);
        QCOMPARE(scene->columns().parts(), 4);
        QCOMPARE(scene->sheets(), 1);
        QCOMPARE(scene->rankAt({0, 1, 2}), RankId{6});
        QCOMPARE(*scene->placeOf(RankId{6}), (RankPlace{0, 1, 2}));
        QVERIFY(!scene->placeOf(RankId{8}));
    }

    void replicasAreSheets()
    {
        const auto scene = sceneOf("2,4", "R,S0", {8, 8});
        QCOMPARE(scene->sheets(), 2);
        QCOMPARE(scene->copies(), 2);
        QCOMPARE(scene->terms(), 1);
        QCOMPARE(scene->ranksAt(1, 0), ranks({1, 5}));
        QCOMPARE(*scene->placeOf(RankId{5}), (RankPlace{1, 1, 0}));
    }

    void summandsAndCopiesAreCountedApart()
    {
        const auto scene = sceneOf("2,3,2", "P,R,S1", {8, 8});
        QCOMPARE(scene->sheets(), 6);
        QCOMPARE(scene->terms(), 2);
        QCOMPARE(scene->copies(), 3);
        QCOMPARE(scene->ranksAt(0, 1), ranks({1, 3, 5, 7, 9, 11}));
    }

    void ranksWithoutElementsAreListed()
    {
        const auto scene = sceneOf("4", "S0", {2, 3});
        QCOMPARE(scene->emptyRanks(), ranks({2, 3}));
        QVERIFY(!scene->placeOf(RankId{2}));
        QVERIFY(scene->placeOf(RankId{1}));
    }

    void ranksThatHoldOtherIndicesOfWhatIsNotSeenAreElsewhere()
    {
        const shard::Layout layout = layoutOf("2,2", "S0,S1", {4, 6, 5});
        const ShardScene first(layout, {1, 2, {0, 0, 0}});
        QCOMPARE(first.ranksElsewhere(), ranks({2, 3}));
        QCOMPARE(first.ranksAt(1, 0), ranks({1}));
        const ShardScene last(layout, {1, 2, {3, 0, 0}});
        QCOMPARE(last.ranksElsewhere(), ranks({0, 1}));
        QCOMPARE(last.ranksAt(1, 0), ranks({3}));
        QVERIFY(!last.placeOf(RankId{1}));
    }

    void aTensorWithoutDimensionsIsOneElement()
    {
        const auto scene = sceneOf("2,2", "R,P", {});
        QVERIFY(!scene->isEmpty());
        QCOMPARE(scene->ranksAt(0, 0), ranks({0, 1, 2, 3}));
        QCOMPARE(scene->rows().extent(), 1);
        QCOMPARE(scene->columns().extent(), 1);
    }

    void aTensorWithoutElementsHasNothingToSee()
    {
        const auto scene = sceneOf("2", "S0", {4, 0});
        QVERIFY(scene->isEmpty());
        QCOMPARE(scene->emptyRanks(), ranks({0, 1}));
        QVERIFY(!scene->placeOf(RankId{0}));
    }

    void everySliceNamesTheHoldersOfEachOfItsElements()
    {
        tests::RandomLayouts layouts(19, {.meshDims = 3, .meshSize = 3, .tensorDims = 3, .tensorSize = 7});
        for (int round = 0; round < 150; ++round) {
            const shard::Layout layout = layouts.layout();
            if (layout.numel() == 0)
                continue;
            ShardView view;
            view.at.resize(layout.shape().size());
            for (std::size_t dim = 0; dim < layout.shape().size(); ++dim)
                view.at[dim] = layouts.below(static_cast<int>(layout.shape()[dim]));
            view.columnDim = layouts.below(layout.ndim());
            view.rowDim =
                layout.ndim() == 1 ? -1 : (view.columnDim + 1 + layouts.below(layout.ndim() - 1)) % layout.ndim();
            QVERIFY2(agreesWithEachElement(ShardScene(layout, view)),
                     ("seed 19: " + layout.mesh().text() + " " + layout.specText()).c_str());
        }
    }
};

PIPESCOPE_TEST(TestShardScene)
#include "tst_shard_scene.moc"

#include "dtensor/route.h"

#include "core/dtensor/dtensor_support.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::Sizes;

namespace {

shard::Layout layoutOver(const shard::DeviceMesh &mesh, const char *placements, const Sizes &shape)
{
    auto layout = shard::Layout::make({mesh, placementsOf(placements), shape, {}, {}, "float32"});
    return *std::move(layout);
}

} // namespace

class TestRoute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBlockIsWhatBothHold()
    {
        const shard::DeviceMesh mesh = meshOf({4});
        const shard::Layout rows = layoutOver(mesh, "S0", {10, 7});
        const shard::Layout columns = layoutOver(mesh, "S1", {10, 7});
        // Rank 1 has rows 3-5, rank 3 gets column 6.
        QCOMPARE(blockBetween(rows, {1}, columns, {3}), (Block{{{0, 3, 3}}, {{6, 0, 1}}}));
        // Rank 3 has row 9, rank 0 gets columns 0-1.
        QCOMPARE(blockBetween(rows, {3}, columns, {0}), (Block{{{0, 9, 1}}, {{0, 0, 2}}}));
        QCOMPARE(blockBetween(rows, {1}, rows, {2}), (Block{{}, {{0, 0, 7}}}));
    }

    void aStridedShardIsTakenApartAndPutTogetherInRuns()
    {
        const shard::DeviceMesh mesh = meshOf({2});
        const shard::Layout strided = layoutOver(mesh, "SS(0,2)", {8});
        const shard::Layout plain = layoutOver(mesh, "S0", {8});
        const shard::Layout whole = layoutOver(mesh, "R", {8});
        // Rank 1 has 2, 3 and 6, 7.
        QCOMPARE(blockBetween(strided, {1}, whole, {0}), (Block{{{0, 2, 2}, {2, 6, 2}}}));
        QCOMPARE(blockBetween(whole, {0}, strided, {1}), (Block{{{2, 0, 2}, {6, 2, 2}}}));
        QCOMPARE(blockBetween(strided, {1}, plain, {1}), (Block{{{2, 2, 2}}}));
        QCOMPARE(blockBetween(strided, {1}, strided, {1}),
                 (Block{{{0, 0, 4}}})); // runs that follow one another are one
    }

    void blocksAreCopiedAndTaken()
    {
        const at::Tensor from = counted(0, {4, 6});
        const Block block{{{0, 1, 1}, {2, 2, 2}}, {{1, 0, 3}}};
        at::Tensor to = at::zeros({4, 3});
        copyBlock(to, from, block);
        at::Tensor expected = at::zeros({4, 3});
        expected[1].copy_(from[0].slice(0, 1, 4));
        expected.slice(0, 2, 4).copy_(from.slice(0, 2, 4).slice(1, 1, 4));
        QVERIFY(sameBits(to, expected));

        const Block oneRun{{{1, 0, 2}}, {{2, 0, 3}}};
        const at::Tensor view = takeBlock(from, oneRun, {2, 3});
        QVERIFY(sameBits(view, from.slice(0, 1, 3).slice(1, 2, 5)));
        QVERIFY(view.storage().data() == from.storage().data());
        const Block twoRuns{{{0, 0, 1}, {3, 1, 1}}, {{0, 0, 6}}};
        QVERIFY(sameBits(takeBlock(from, twoRuns, {2, 6}), at::stack({from[0], from[3]})));
    }

    void aTensorOfNoDimensionsIsOneElement()
    {
        const at::Tensor to = at::zeros({});
        copyBlock(to, at::scalar_tensor(5), {});
        QCOMPARE(to.item<float>(), 5.0F);
    }

    void everyRankOfALineIsTakenFrom()
    {
        const shard::DeviceMesh mesh = meshOf({2, 2});
        const shard::Layout before = layoutOver(mesh, "R,S0", {5});
        const Route route = routeOf(before, layoutOver(mesh, "R,R", {5}), lineOf({2, 3}), RankId{3});
        QCOMPARE(route.sizes, Sizes{5});
        QCOMPARE(route.from.size(), std::size_t(2));
        QCOMPARE(*route.from[0], (Block{{{0, 0, 3}}}));
        QCOMPARE(*route.from[1], (Block{{{0, 3, 2}}}));
        QCOMPARE(route.text, std::string("RS(0) to RR of [5]"));
    }

    void aRouteThatDoesNotFitTheLineIsRefused()
    {
        CollectiveRequest request = allGather(at::ones({2}), 0);
        request.route = Route{{4}, {Block{{{0, 0, 2}}}}, "by hand"};
        const auto call = checkRequest(request, lineOf({0, 1}));
        QVERIFY(!call);
        QCOMPARE(call.error().message, std::string("all_gather: a route from 1 ranks on a line of 2"));
    }

    void aRouteBeyondATensorIsAnError()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) {
            CollectiveRequest request = allGather(at::ones({2}), 0);
            const Block beyond{{{1, 0, 2}}};
            request.route = Route{{4}, {beyond, beyond}, "by hand"};
            return self.run(self.everyone(), request);
        });
        QVERIFY2(error.message.starts_with("all_gather of float32[2], by hand: "), error.message.c_str());
    }
};

PIPESCOPE_TEST(TestRoute)
#include "tst_route.moc"

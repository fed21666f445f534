#include "shard/device_mesh.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <limits>

using namespace pipescope;
using shard::Coordinate;
using shard::DeviceMesh;
using shard::Line;

namespace {

using Names = std::vector<std::string>;

std::vector<RankId> ids(const std::vector<int> &values)
{
    std::vector<RankId> ranks;
    for (const int value : values)
        ranks.push_back(RankId{value});
    return ranks;
}

std::vector<int> values(const std::vector<RankId> &ranks)
{
    std::vector<int> all;
    for (const RankId rank : ranks)
        all.push_back(rank.value);
    return all;
}

template <class T>
std::string errorOf(const Result<T> &result)
{
    return result ? "no error" : result.error().message;
}

std::string makeError(std::vector<int> shape, Names names = {}, std::string device = "cpu")
{
    return errorOf(DeviceMesh::make(std::move(shape), std::move(names), std::move(device)));
}

DeviceMesh cube()
{
    return *DeviceMesh::make({2, 2, 2}, {"dp", "cp", "tp"});
}

std::vector<int> sliced(const DeviceMesh &mesh, const Names &names, int rank)
{
    return values(mesh.slice(names, RankId{rank})->ranks());
}

std::string sliceError(const DeviceMesh &mesh, const Names &names, int rank = 0)
{
    return errorOf(mesh.slice(names, RankId{rank}));
}

std::string flattenError(DeviceMesh &mesh, const Names &names, const std::string &name = {})
{
    return errorOf(mesh.flatten(names, name));
}

} // namespace

class TestDeviceMesh : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAreInRowMajorOrder()
    {
        const DeviceMesh mesh = *DeviceMesh::make({2, 4}, {"dp", "tp"}, "cuda");
        QCOMPARE(mesh.ndim(), 2);
        QCOMPARE(mesh.size(), 8);
        QCOMPARE(mesh.size(1), 4);
        QCOMPARE(values(mesh.ranks()), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(*mesh.coordinate(RankId{6}), (Coordinate{1, 2}));
        QCOMPARE(mesh.rankAt(Coordinate{1, 2}), RankId{6});
        QCOMPARE(*mesh.dim("tp"), 1);
        QCOMPARE(mesh.deviceType(), std::string("cuda"));
    }

    void givenRanksKeepTheirPlaces()
    {
        const DeviceMesh mesh = *DeviceMesh::fromRanks(ids({7, 0, 5, 3, 1, 2}), {2, 3});
        QCOMPARE(*mesh.coordinate(RankId{5}), (Coordinate{0, 2}));
        QCOMPARE(*mesh.coordinate(RankId{1}), (Coordinate{1, 1}));
        QCOMPARE(*mesh.coordinate(RankId{0}), (Coordinate{0, 1}));
        QCOMPARE(mesh.rankAt(Coordinate{1, 0}), RankId{3});
        for (int i = 0; i < mesh.size(); ++i)
            QCOMPARE(mesh.rankAt(mesh.coordinateAt(i)), mesh.ranks()[static_cast<std::size_t>(i)]);
    }

    void aRankOutsideHasNoCoordinate()
    {
        const DeviceMesh mesh = *DeviceMesh::fromRanks(ids({0, 2}), {2});
        for (const int rank : {1, 3, 1000, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
            QVERIFY(!mesh.coordinate(RankId{rank}));
        QCOMPARE(*mesh.coordinate(RankId{2}), (Coordinate{1}));
    }

    void theTextIsThatOfPyTorch()
    {
        QCOMPARE(DeviceMesh::make({2, 4}, {"dp", "tp"})->text(),
                 std::string("DeviceMesh((dp=2, tp=4), 'cpu', stride=(4, 1))"));
        QCOMPARE(DeviceMesh::make({4})->text(), std::string("DeviceMesh((4,), 'cpu', stride=(1,))"));
        QCOMPARE(DeviceMesh::make({4}, {"z"})->text(), std::string("DeviceMesh((z=4), 'cpu', stride=(1,))"));
        QCOMPARE(DeviceMesh::make({4, 1})->text(), std::string("DeviceMesh((4, 1), 'cpu', stride=(1, ()))"));
        DeviceMesh mesh = cube();
        QCOMPARE(mesh.slice(Names{"dp"}, RankId{1})->text(), std::string("DeviceMesh((dp=2), 'cpu', stride=(4,))"));
        QVERIFY(mesh.flatten(Names{"dp", "cp"}));
        QVERIFY(mesh.flatten(Names{"dp", "tp"}));
        QCOMPARE(mesh.slice(Names{"dp_cp"}, RankId{0})->text(),
                 std::string("DeviceMesh((dp_cp=4), 'cpu', stride=(2,))"));
        QCOMPARE(mesh.slice(Names{"dp_tp"}, RankId{0})->text(),
                 std::string("DeviceMesh((dp_tp=4), 'cpu', stride=((4, 1),))"));
    }

    void meshesAreEqualInRanksShapeNamesAndDevices()
    {
        DeviceMesh mesh = cube();
        QVERIFY(mesh == cube());
        QVERIFY(mesh != *DeviceMesh::make({2, 2, 2}));
        QVERIFY(mesh != *DeviceMesh::make({2, 2, 2}, {"dp", "cp", "tp"}, "cuda"));
        QVERIFY(mesh != *DeviceMesh::make({2, 4}, {"dp", "tp"}));
        QVERIFY(mesh != *DeviceMesh::fromRanks(ids({1, 0, 2, 3, 4, 5, 6, 7}), {2, 2, 2}, {"dp", "cp", "tp"}));
        QVERIFY(mesh.flatten(Names{"dp", "cp"}));
        QVERIFY(mesh == cube());
    }

    void linesRunAlongOneDimensionOrSeveral()
    {
        const DeviceMesh mesh = *DeviceMesh::make({2, 4});
        QCOMPARE(values(mesh.line(Coordinate{1, 2}, std::vector{0})), (std::vector<int>{2, 6}));
        QCOMPARE(values(mesh.line(Coordinate{1, 2}, std::vector{1})), (std::vector<int>{4, 5, 6, 7}));
        QCOMPARE(mesh.lines(std::vector{1}), (std::vector<Line>{ids({0, 1, 2, 3}), ids({4, 5, 6, 7})}));
        QCOMPARE(mesh.lines(std::vector{0}), (std::vector<Line>{ids({0, 4}), ids({1, 5}), ids({2, 6}), ids({3, 7})}));
        QCOMPARE(mesh.lines(std::vector{1, 0}), (std::vector<Line>{ids({0, 4, 1, 5, 2, 6, 3, 7})}));
        QCOMPARE(values(mesh.line(Coordinate{1, 2}, std::vector<int>{})), (std::vector<int>{6}));
        QCOMPARE(mesh.lines(std::vector<int>{}).size(), std::size_t{8});
    }

    void everyRankIsInOneLine()
    {
        const DeviceMesh mesh = *DeviceMesh::fromRanks(ids({5, 3, 1, 0, 2, 4, 9, 8, 7, 6, 11, 10}), {2, 3, 2});
        for (const std::vector<int> &dims : std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 2}, {2, 1}, {0, 1, 2}}) {
            std::vector<int> all;
            for (const Line &line : mesh.lines(dims)) {
                for (const RankId rank : line) {
                    all.push_back(rank.value);
                    QCOMPARE(mesh.line(*mesh.coordinate(rank), dims), line);
                }
            }
            std::sort(all.begin(), all.end());
            QCOMPARE(all, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
        }
    }

    void aSliceIsThePartThatContainsTheRank()
    {
        const DeviceMesh mesh = *DeviceMesh::make({2, 4}, {"dp", "tp"});
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(sliced(mesh, {"tp"}, rank), (std::vector<int>{0, 1, 2, 3}));
        for (int rank = 4; rank < 8; ++rank)
            QCOMPARE(sliced(mesh, {"tp"}, rank), (std::vector<int>{4, 5, 6, 7}));
        QCOMPARE(sliced(mesh, {"dp"}, 1), (std::vector<int>{1, 5}));
        QVERIFY(*mesh.slice(Names{"dp", "tp"}, RankId{3}) == mesh);
        const DeviceMesh part = *cube().slice(Names{"dp", "tp"}, RankId{2});
        QCOMPARE(part.shape(), (std::vector<int>{2, 2}));
        QCOMPARE(part.names(), (Names{"dp", "tp"}));
        QCOMPARE(values(part.ranks()), (std::vector<int>{2, 3, 6, 7}));
        QCOMPARE(sliced(part, {"dp"}, 7), (std::vector<int>{3, 7}));
    }

    void aFlattenedDimensionIsKnownByItsName()
    {
        DeviceMesh mesh = cube();
        QVERIFY(mesh.flatten(Names{"dp", "cp"}));
        QCOMPARE(mesh.flattenings(), (std::vector<shard::Flattening>{{{0, 1}, "dp_cp"}}));
        QCOMPARE(sliced(mesh, {"dp_cp"}, 4), (std::vector<int>{0, 2, 4, 6}));
        QCOMPARE(sliced(mesh, {"dp_cp"}, 3), (std::vector<int>{1, 3, 5, 7}));
        const DeviceMesh both = *mesh.slice(Names{"dp_cp", "tp"}, RankId{0});
        QCOMPARE(both.shape(), (std::vector<int>{4, 2}));
        QCOMPARE(values(both.ranks()), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
        QVERIFY(mesh.flatten(Names{"dp", "cp"}, "dp_cp"));
        QVERIFY(mesh.flatten(Names{"dp"}));
        QVERIFY(mesh.flatten(Names{"dp"}, "dp"));
        QCOMPARE(mesh.flattenings().size(), std::size_t{1});
        QVERIFY(mesh.flatten(Names{"dp_cp", "tp"}, "all"));
        QCOMPARE(mesh.flattenings().back(), (shard::Flattening{{0, 1, 2}, "all"}));
    }

    void aWrongShapeIsRefused()
    {
        QCOMPARE(makeError({}), std::string("the mesh has no dimensions; a shape such as 2,4 is expected"));
        QCOMPARE(makeError({2, 0}),
                 std::string("the mesh shape (2, 0) has the size 0; a dimension has at least 1 rank"));
        QCOMPARE(makeError({-3}), std::string("the mesh shape (-3,) has the size -3; a dimension has at least 1 rank"));
        constexpr int Largest = std::numeric_limits<int>::max();
        for (const std::vector<int> &shape : std::vector<std::vector<int>>{
                 {1 << 20, 2}, {Largest}, {Largest, Largest}, {1 << 16, 1 << 16, 1 << 16, 1 << 16}})
            QVERIFY2(makeError(shape).find("has more than 1048576 ranks") != std::string::npos,
                     makeError(shape).c_str());
        QVERIFY(DeviceMesh::make({1 << 10, 1 << 10}));
        QVERIFY(DeviceMesh::make(std::vector<int>(16, 2)));
        QCOMPARE(makeError(std::vector<int>(17, 1)),
                 std::string("the mesh has 17 dimensions; at most 16 are possible"));
    }

    void wrongNamesAreRefusedInPyTorchsWords()
    {
        QCOMPARE(makeError({2, 2}, {"a", "a"}),
                 std::string("Each mesh_dim_name must be unique. Found repeated mesh_dim_name in mesh_dim_names ('a', "
                             "'a')"));
        QCOMPARE(makeError({2, 2}, {"a"}),
                 std::string("mesh_shape and mesh_dim_names should have same length! Found len(mesh_dim_names): 1 and "
                             "len(mesh_shape):2."));
        QCOMPARE(makeError({2, 2}, {"a", ""}),
                 std::string("a name in mesh_dim_names ('a', '') is empty; name all dimensions or none"));
        QCOMPARE(errorOf(cube().dim("x")), std::string("Mesh dimension 'x' does not exist. Available mesh dimensions "
                                                       "are: mesh_dim_names=('dp', 'cp', 'tp')"));
        QCOMPARE(cube().dim("x").error().code, ErrorCode::NotFound);
        QCOMPARE(errorOf(DeviceMesh::make({2})->dim("x")), std::string("No `mesh_dim_names` found."));
    }

    void aDeviceTypeHasNoIndexAndIsKnown()
    {
        QCOMPARE(makeError({2}, {}, "cuda:0"),
                 std::string("Device type with index is not supported but got cuda:0. If you maintained a "
                             "'torch.device' object, it's recommended to pass in 'device.type'."));
        QCOMPARE(makeError({2}, {}, "cudo"),
                 std::string("Expected one of cpu, cuda, xpu, mps, hpu, mtia, xla, meta, privateuseone as the device "
                             "type of the mesh, found 'cudo'. Did you mean cuda?"));
        QVERIFY(!DeviceMesh::make({2}, {}, ""));
    }

    void wrongRanksAreRefused()
    {
        QCOMPARE(errorOf(DeviceMesh::fromRanks(ids({0, 1, 2}), {2, 2})),
                 std::string("the mesh shape (2, 2) has 4 places and 3 ranks are given; give one for each place"));
        QCOMPARE(errorOf(DeviceMesh::fromRanks(ids({0, 1, 1, 2}), {4})),
                 std::string("rank 1 stands in the mesh twice; a rank has one place"));
        QCOMPARE(errorOf(DeviceMesh::fromRanks(ids({0, -1}), {2})),
                 std::string("the mesh has the rank -1; ranks begin at 0"));
        QVERIFY(!DeviceMesh::fromRanks({}, {}));
        QVERIFY(!DeviceMesh::fromRanks({}, {0}));
    }

    void aWrongSliceIsRefusedInPyTorchsWords()
    {
        DeviceMesh mesh = cube();
        QVERIFY(mesh.flatten(Names{"dp", "cp"}));
        QVERIFY(mesh.flatten(Names{"dp", "tp"}));
        QCOMPARE(sliceError(*DeviceMesh::make({2}), {"a"}),
                 std::string("Cannot slice a DeviceMesh without mesh_dim_names!"));
        QCOMPARE(sliceError(mesh, {"x"}), std::string("Invalid mesh_dim_names ('x',) specified. Valid mesh_dim_names "
                                                      "are ['dp', 'cp', 'tp', 'dp_cp', 'dp_tp']."));
        QCOMPARE(sliceError(mesh, {"tp", "dp"}), std::string("Invalid mesh_dim_names ('tp', 'dp') specified. Mesh dim "
                                                             "indices should be in ascending order."));
        QCOMPARE(sliceError(mesh, {"dp", "dp"}),
                 std::string("Slicing overlapping dim_names ('dp', 'dp') is not allowed."));
        QCOMPARE(sliceError(mesh, {"dp", "dp_cp"}),
                 std::string("Slicing overlapping dim_names ('dp', 'dp_cp') is not allowed."));
        QCOMPARE(sliceError(mesh, {"cp", "dp_cp"}),
                 std::string("Slicing overlapping dim_names ('cp', 'dp_cp') is not allowed."));
        QCOMPARE(sliceError(mesh, {"tp", "dp_cp"}),
                 std::string("Invalid mesh_dim_names ('tp', 'dp_cp') specified. Mesh "
                             "dim indices should be in ascending order."));
        QCOMPARE(sliceError(mesh, {"dp_tp", "cp"}),
                 std::string("Invalid mesh_dim_names ('dp_tp', 'cp') specified. Mesh "
                             "dim indices should be in ascending order."));
        QVERIFY(sliceError(mesh, {}).starts_with("Invalid mesh_dim_names () specified."));
        QCOMPARE(mesh.slice(Names{"dp"}, RankId{8}).error().code, ErrorCode::NotFound);
        QCOMPARE(sliceError(mesh, {"dp"}, 8),
                 std::string("rank 8 is not in DeviceMesh((dp=2, cp=2, tp=2), 'cpu', stride=(4, 2, 1)), so it has no "
                             "part of it"));
    }

    void aSingleRankMayStandAnywhereInASlice()
    {
        const DeviceMesh mesh = *DeviceMesh::make({1, 2}, {"a", "b"});
        const DeviceMesh turned = *mesh.slice(Names{"b", "a"}, RankId{0});
        QCOMPARE(turned.shape(), (std::vector<int>{2, 1}));
        QCOMPARE(values(turned.ranks()), (std::vector<int>{0, 1}));
        QCOMPARE(sliceError(mesh, {"a", "a"}), std::string("Slicing overlapping dim_names ('a', 'a') is not allowed."));
    }

    void aWrongFlatteningIsRefusedInPyTorchsWords()
    {
        DeviceMesh mesh = cube();
        DeviceMesh unnamed = *DeviceMesh::make({2, 2});
        QCOMPARE(flattenError(unnamed, {"a"}), std::string("Cannot flatten a DeviceMesh without mesh_dim_names!"));
        QCOMPARE(flattenError(mesh, {"dp", "cp"}, "tp"),
                 std::string("tp already exists for submesh of the DeviceMesh((dp=2, cp=2, tp=2), 'cpu', stride=(4, 2, "
                             "1)). The mesh_dim_names of submesh and flattened mesh are ('dp', 'cp', 'tp'). Please "
                             "specify another valid mesh_dim_name."));
        QVERIFY(mesh.flatten(Names{"dp", "cp"}, "both"));
        QCOMPARE(flattenError(mesh, {"cp", "tp"}, "both"),
                 std::string("Flatten mesh with mesh_dim_name both has been created before, Please specify another "
                             "valid mesh_dim_name."));
        QCOMPARE(flattenError(mesh, {"cp", "dp"}),
                 std::string("Invalid mesh_dim_names ('cp', 'dp') specified. Mesh dim "
                             "indices should be in ascending order."));
        QCOMPARE(mesh.flattenings().size(), std::size_t{1});
    }
};

PIPESCOPE_TEST(TestDeviceMesh)
#include "tst_device_mesh.moc"

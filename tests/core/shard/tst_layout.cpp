#include "shard/layout.h"

#include "base/dtype.h"
#include "support/layouts.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;
using tests::meshOf;

namespace {

LayoutRequest request(std::string_view mesh, Placements placements, Sizes shape)
{
    return {meshOf(mesh), std::move(placements), std::move(shape), {}, {}, "float32"};
}

std::string errorOf(LayoutRequest asked)
{
    const auto layout = Layout::make(std::move(asked));
    return layout ? "no error" : layout.error().message;
}

std::string errorOf(std::string_view mesh, Placements placements, Sizes shape)
{
    return errorOf(request(mesh, std::move(placements), std::move(shape)));
}

std::string orderError(std::string_view placements, ShardOrder order)
{
    LayoutRequest asked = request("2,2,2", *parsePlacements(placements), {8, 8});
    asked.order = std::move(order);
    return errorOf(std::move(asked));
}

std::string orderTextError(std::string_view written)
{
    const auto order = parseShardOrder(written, meshOf("dp=2,tp=2"));
    return order ? "no error" : order.error().message;
}

} // namespace

class TestLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLayoutKnowsWhatItWasMadeOf()
    {
        LayoutRequest asked = request("dp=2,tp=4", {Shard{-1}, Partial{}}, {8, 6, 4});
        asked.dtype = "half";
        const Layout layout = *Layout::make(asked);
        QCOMPARE(layout.mesh(), asked.mesh);
        QCOMPARE(layout.placements(), (Placements{Shard{2}, Partial{}}));
        QCOMPARE(layout.shape(), (Sizes{8, 6, 4}));
        QCOMPARE(layout.stride(), (Sizes{24, 4, 1}));
        QCOMPARE(layout.dtype(), std::string("float16"));
        QCOMPARE(layout.itemSize(), 2);
        QCOMPARE(layout.numel(), std::int64_t{192});
        QVERIFY(layout.cuts(0).empty() && layout.cuts(1).empty());
        QCOMPARE(layout.cuts(2), (std::vector<Cut>{{0, 1}}));
    }

    void negativeDimensionsCountFromTheBack()
    {
        QCOMPARE(layoutOf("4", "S-1", {3, 12}).placements(), (Placements{Shard{1}}));
        QCOMPARE(layoutOf("4", "SS(-2,3)", {3, 12}).placements(), (Placements{StridedShard{0, 3}}));
        QVERIFY(layoutOf("4", "S-1", {3, 12}) == layoutOf("4", "S1", {3, 12}));
        LayoutRequest asked = request("2,2", {Shard{-1}, Shard{1}}, {3, 12});
        asked.order = {{-1, {1, 0}}};
        QCOMPARE(Layout::make(asked)->order(), (ShardOrder{{1, {1, 0}}}));
    }

    void cutsComeFromTheLeftOrInTheirOrder()
    {
        QCOMPARE(layoutOf("2,3,4", "S0,S1,S0", {8, 8}).cuts(0), (std::vector<Cut>{{0, 1}, {2, 1}}));
        QCOMPARE(layoutOf("2,3,4", "S0,S1,S0", {8, 8}, "0:2,0").cuts(0), (std::vector<Cut>{{2, 1}, {0, 1}}));
        QCOMPARE(layoutOf("2,2", "SS(0,2),S0", {8}).cuts(0), (std::vector<Cut>{{0, 2}, {1, 1}}));
        QCOMPARE(layoutOf("4,3,2", "S0,S0,S0", {24}, "0:2,0,1").cuts(0), (std::vector<Cut>{{2, 1}, {0, 1}, {1, 1}}));
    }

    void anOrderFromTheLeftIsDropped()
    {
        QVERIFY(layoutOf("2,2", "S0,S0", {8}, "0:0,1").order().empty());
        QVERIFY(layoutOf("2,2", "S0,S0", {8}, "0:0,1") == layoutOf("2,2", "S0,S0", {8}));
        QVERIFY(layoutOf("2,2", "SS(0,2),S0", {8}, "0:0,1") == layoutOf("2,2", "SS(0,2),S0", {8}));
        QVERIFY(layoutOf("2,2", "S0,S0", {8}, "0:1,0") != layoutOf("2,2", "S0,S0", {8}));
        QCOMPARE(layoutOf("2,2,2,2", "S1,S0,S0,S1", {8, 8}, "1:3,0; 0:2,1").order(),
                 (ShardOrder{{0, {2, 1}}, {1, {3, 0}}}));
    }

    void theTextTellsTheOrderWhereADimensionIsCutTwice()
    {
        QCOMPARE(layoutOf("2,2", "S0,R", {8, 4}).text(), std::string("S(0)R"));
        QCOMPARE(layoutOf("2,2", "S0,S0", {8, 4}).text(), std::string("S(0)[0]S(0)[1]"));
        QCOMPARE(layoutOf("2,2", "S0,S0", {8, 4}, "0:1,0").text(), std::string("S(0)[1]S(0)[0]"));
        QCOMPARE(layoutOf("2,2,2,2", "P,S1,S1,R", {8, 4}, "1:2,1").text(), std::string("P(sum)S(1)[1]S(1)[0]R"));
        QCOMPARE(layoutOf("2,2", "SS(0,2),S0", {8, 4}).text(), std::string("_S(0, 2)S(0)"));
        QCOMPARE(layoutOf("2,2,2", "S0,S1,S0", {8, 4}).text(), std::string("S(0)[0]S(1)S(0)[1]"));
        QCOMPARE(layoutOf("2,2", "S0,R", {8, 4}).specText(), std::string("Spec(f32[8, 4](S(0)R))"));
        QCOMPARE(layoutOf("2", "P(avg)", {}).specText(), std::string("Spec(f32[](P(avg)))"));
    }

    void theNumberOfPlacementsIsThatOfMeshDimensions()
    {
        QCOMPARE(
            errorOf("2,2", {Shard{0}}, {8}),
            std::string("`placements` must have the same length as `device_mesh.ndim`! Found placements length: 1, "
                        "and device_mesh.ndim: 2."));
        QVERIFY(errorOf("2", {}, {8}).find("length: 0, and device_mesh.ndim: 1.") != std::string::npos);
    }

    void aShardIsOfADimensionThatThereIs()
    {
        QCOMPARE(errorOf("4", {Shard{2}}, {8}),
                 std::string("Sharding dim 2 greater than tensor ndim 1 for placement number 0: it is from -1 to 0"));
        QCOMPARE(errorOf("4", {Shard{1}}, {8}),
                 std::string("Sharding dim 1 greater than tensor ndim 1 for placement number 0: it is from -1 to 0"));
        QCOMPARE(errorOf("2,2", {Replicate{}, StridedShard{-3, 2}}, {8, 8}),
                 std::string("Sharding dim -3 greater than tensor ndim 2 for placement number 1: it is from -2 to 1"));
        QCOMPARE(errorOf("4", {Shard{0}}, {}),
                 std::string("Sharding dim 0 greater than tensor ndim 0 for placement number 0: a tensor without "
                             "dimensions is replicated or partial"));
        for (const int dim : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
            QVERIFY(errorOf("4", {Shard{dim}}, {8}).starts_with("Sharding dim"));
        QVERIFY(Layout::make(request("2,2", {Replicate{}, Partial{}}, {})));
    }

    void aSplitFactorIsAtLeastOne()
    {
        QCOMPARE(errorOf("4", {StridedShard{0, 0}}, {8}),
                 std::string("_StridedShard(dim=0, sf=0) for placement number 0 has a split factor below 1"));
        QVERIFY(errorOf("4", {StridedShard{0, std::numeric_limits<std::int64_t>::min()}}, {8}).ends_with("below 1"));
    }

    void partialPlacementsAreOfOneKind()
    {
        QCOMPARE(errorOf("2,2", {Partial{ReduceOp::Sum}, Partial{ReduceOp::Max}}, {8}),
                 std::string("Mixed Partial reduce types are not supported in the same placement list. Found reduce "
                             "ops: {'max', 'sum'}. Please ensure all Partial placements use the same reduce "
                             "operation."));
        QVERIFY(errorOf("2,2", {Partial{}, NormPartial{2}}, {8}).find("{'norm 2', 'sum'}") != std::string::npos);
        QVERIFY(errorOf("2,2", {NormPartial{3}, NormPartial{2}}, {8}).find("{'norm 2', 'norm 3'}") !=
                std::string::npos);
        QVERIFY(errorOf("2,2,2", {Partial{}, Partial{ReduceOp::Avg}, Partial{ReduceOp::Min}}, {8})
                    .find("{'avg', 'min', 'sum'}") != std::string::npos);
        for (const Placements &fine :
             {Placements{Partial{}, Partial{ReduceOp::Avg}}, Placements{Partial{ReduceOp::Max}, Partial{ReduceOp::Max}},
              Placements{NormPartial{2}, NormPartial{2}}, Placements{Partial{ReduceOp::Product}, Replicate{}}})
            QVERIFY(Layout::make(request("2,2", fine, {8})));
        for (const double p : {0.0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()})
            QVERIFY(errorOf("2", {NormPartial{p}}, {8}).find("p is neither 0 nor infinite") != std::string::npos);
    }

    void anOrderNamesTheMeshDimensionsThatCut()
    {
        const std::string begin = "shard_order ShardOrderEntry(tensor_dim=0, mesh_dims=(";
        QCOMPARE(orderError("S0,S1,S0", {{0, {0}}}), begin +
                                                         "0,)) is no order of the mesh dims that shard tensor dim 0: "
                                                         "name each of (0, 2) once");
        for (const std::vector<int> &meshDims :
             std::vector<std::vector<int>>{{2, 1}, {0, 2, 2}, {}, {2, 0, 1}, {-1, 0}, {2, 99}})
            QVERIFY(orderError("S0,S1,S0", {{0, meshDims}}).ends_with("name each of (0, 2) once"));
        QCOMPARE(orderError("S0,R,S0", {{1, {1}}}),
                 std::string("shard_order ShardOrderEntry(tensor_dim=1, mesh_dims=(1,)) is of a tensor dim that no "
                             "placement shards: leave it out"));
        QCOMPARE(orderError("S0,R,S0", {{2, {0}}}),
                 std::string("shard_order ShardOrderEntry(tensor_dim=2, mesh_dims=(0,)) has invalid tensor dim 2: the "
                             "tensor has 2 dimensions"));
        QCOMPARE(orderError("S0,R,S0", {{0, {2, 0}}, {-2, {2, 0}}}),
                 std::string("shard_order has two entries for tensor dim 0; give one"));
        QCOMPARE(orderError("SS(0,2),R,S0", {{0, {2, 0}}}),
                 begin + "2, 0)) is of a tensor dim with a _StridedShard, whose split factor says an order, too. This "
                         "may result in conflicting shard order: use Shard, or leave out the order");
        QVERIFY(orderError("S0,R,S0", {{std::numeric_limits<int>::min(), {}}}).find("invalid tensor dim") !=
                std::string::npos);
    }

    void sizesAreBounded()
    {
        QCOMPARE(errorOf("2", {Shard{0}}, {3, -1}), std::string("the shape [3, -1] has the negative size -1"));
        constexpr std::int64_t Longest = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(errorOf("2", {Shard{0}}, {Longest}),
                 std::string("a tensor of shape [9223372036854775807] has more than 2^63 - 1 bytes; make it smaller"));
        for (const Sizes &shape : {Sizes{Longest, Longest}, Sizes{std::int64_t{1} << 31, std::int64_t{1} << 31},
                                   Sizes{std::int64_t{1} << 40, 0, std::int64_t{1} << 40}, Sizes(64, 2)})
            QVERIFY(errorOf("2", {Shard{0}}, shape).ends_with("make it smaller"));
        LayoutRequest bytes = request("2", {Shard{0}}, {Longest});
        bytes.dtype = "int8";
        QCOMPARE(Layout::make(bytes)->numel(), Longest);
        QVERIFY(Layout::make(request("2", {Shard{63}}, Sizes(64, 1))));
        QCOMPARE(errorOf("2", {Shard{0}}, Sizes(65, 1)),
                 std::string("the tensor has 65 dimensions; at most 64 are possible"));
        QCOMPARE(layoutOf("2", "S0", {5, 0, 3}).numel(), std::int64_t{0});
        QCOMPARE(layoutOf("2", "S0", {5, 0, 3}).stride(), (Sizes{3, 3, 1}));
    }

    void stridesGoWithTheShape()
    {
        LayoutRequest asked = request("2", {Shard{0}}, {6, 8});
        asked.stride = {1, 6};
        QCOMPARE(Layout::make(asked)->stride(), (Sizes{1, 6}));
        asked.stride = {1};
        QCOMPARE(errorOf(asked),
                 std::string("the stride (1) has 1 numbers and the shape [6, 8] has 2; give one for each dimension"));
        asked.stride = {8, -1};
        QCOMPARE(errorOf(asked), std::string("the stride (8, -1) has a negative number, which PyTorch does not allow"));
    }

    void aDtypeIsKnownByItsNames()
    {
        for (const Dtype &dtype : Dtypes) {
            LayoutRequest asked = request("2", {Shard{0}}, {4});
            asked.dtype = dtype.abbreviation;
            QCOMPARE(Layout::make(asked)->dtype(), std::string(dtype.name));
            QCOMPARE(Layout::make(asked)->itemSize(), dtype.bytes);
        }
        LayoutRequest asked = request("2", {Shard{0}}, {4});
        for (const char *wrong : {"float31", "", "torch.float32"}) {
            asked.dtype = wrong;
            QVERIFY2(errorOf(asked).starts_with("there is no dtype '" + std::string(wrong) + "'; one such as"), wrong);
        }
        asked.dtype = "float23";
        QVERIFY(errorOf(asked).find("Did you mean float32") != std::string::npos);
    }

    void anOrderIsReadByNumberAndByName()
    {
        const DeviceMesh mesh = meshOf("dp=2,tp=2");
        QCOMPARE(*parseShardOrder("0:1,0", mesh), (ShardOrder{{0, {1, 0}}}));
        QCOMPARE(*parseShardOrder(" 0 : tp, dp ;-1:0", mesh), (ShardOrder{{0, {1, 0}}, {-1, {0}}}));
        QCOMPARE(*parseShardOrder("0:1,0;", mesh), (ShardOrder{{0, {1, 0}}}));
        QCOMPARE(orderTextError(""), std::string("expected a tensor dimension, found the end at column 1."));
        QCOMPARE(orderTextError("0"),
                 std::string("expected ':' and the mesh dimensions that cut it, found the end at column 2."));
        QCOMPARE(orderTextError("0:2"), std::string("there is no mesh dimension 2: they are 0 to 1 at column 3"));
        QCOMPARE(orderTextError("0:-1"), std::string("there is no mesh dimension -1: they are 0 to 1 at column 3"));
        QCOMPARE(orderTextError("0:pp"), std::string("Mesh dimension 'pp' does not exist. Available mesh dimensions "
                                                     "are: mesh_dim_names=('dp', 'tp') at column 3"));
        QCOMPARE(orderTextError("0:1,"), std::string("expected a mesh dimension, found the end at column 5."));
        QCOMPARE(orderTextError("0:1 0"), std::string("expected ',', ';' or the end, found '0' at column 5."));
        QVERIFY(!parseShardOrder("0:dp", meshOf("2,2")));
    }
};

PIPESCOPE_TEST(TestLayout)
#include "tst_layout.moc"

#include "dtensor/dtensor.h"

#include "core/dtensor/dtensor_support.h"
#include "shard/geometry.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::Sizes;

namespace {

// The tensor on every rank of the mesh, and what each has of it: "" where all is as torch.chunk says.
std::string distributionFault(const at::Tensor &whole, const std::vector<int> &meshShape, const std::string &text,
                              std::optional<int> source)
{
    const shard::DeviceMesh mesh = meshOf(meshShape);
    Error error;
    const std::vector<at::Tensor> locals = onRanks(
        mesh.size(),
        [&](const RankContext &self) -> Result<at::Tensor> {
            auto made = distributeTensor(self, whole, mesh, placementsOf(text), source);
            if (!made)
                return made.error();
            return made->local;
        },
        &error);
    if (locals.empty())
        return error.message;
    for (const RankId rank : mesh.ranks()) {
        if (!sameBits(locals[rank.index()], partOf(whole, mesh, placementsOf(text), rank)))
            return "rank " + std::to_string(rank.value) + " has something else under " + text;
    }
    return "";
}

std::string errorOf(const at::Tensor &tensor, const std::vector<int> &meshShape, const std::string &placements,
                    std::optional<int> source = 0)
{
    const shard::DeviceMesh mesh = meshOf(meshShape);
    return errorOnRanks(mesh.size(),
                        [&](const RankContext &self) -> Result<at::Tensor> {
                            auto made = distributeTensor(self, tensor, mesh, placementsOf(placements), source);
                            if (!made)
                                return made.error();
                            return made->local;
                        })
        .message;
}

} // namespace

class TestDistributeTensor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRankGetsItsChunkOfEvenUnevenAndEmptyDimensions()
    {
        for (const std::int64_t size : {13, 14, 12, 3, 1, 0}) {
            for (const int dim : {0, 1, 2}) {
                Sizes sizes{2, 3, 4};
                sizes[static_cast<std::size_t>(dim)] = size;
                const std::string placements = "S" + std::to_string(dim);
                for (const std::optional<int> source : {std::optional(0), std::optional<int>()}) {
                    const std::string fault = distributionFault(counted(0, sizes), {4}, placements, source);
                    QVERIFY2(fault.empty(), fault.c_str());
                }
            }
        }
    }

    void meshesOfSeveralDimensionsCutFromTheLeft()
    {
        for (const char *placements : {"S0,S0", "S0,S1", "S1,S0", "R,S0", "S1,R", "S0,S2", "S2,S2"}) {
            for (const std::vector<int> &shape : {std::vector<int>{2, 2}, {3, 2}, {2, 4}, {1, 3}}) {
                const std::string fault = distributionFault(counted(0, {5, 7, 3}), shape, placements, 0);
                QVERIFY2(fault.empty(), fault.c_str());
            }
        }
    }

    void stridedShardsComeFromAnySourceAlsoWhereTheyAreUneven()
    {
        for (const std::optional<int> source : {std::optional(0), std::optional(1), std::optional<int>()}) {
            for (const std::int64_t size : {8, 9, 5, 2, 0}) {
                for (const char *placements : {"SS(0,2),R", "SS(0,2),S0", "SS(0,3),S1", "S0,SS(0,2)"}) {
                    const std::string fault = distributionFault(counted(0, {size, 3}), {2, 2}, placements, source);
                    QVERIFY2(fault.empty(), fault.c_str());
                }
            }
        }
    }

    void theValuesAreThoseOfTheSourceAlongEachMeshDimension()
    {
        const shard::DeviceMesh mesh = meshOf({2, 2});
        for (const char *placements : {"S0,R", "R,R", "S0,S1"}) {
            const std::vector<at::Tensor> locals = onRanks(4, [&](const RankContext &self) -> Result<at::Tensor> {
                const at::Tensor own = counted(self.rank.value, {4, 4});
                const at::Tensor before = own.clone();
                auto made = distributeTensor(self, own, mesh, placementsOf(placements), 1);
                if (!made)
                    return made.error();
                if (!sameBits(own, before))
                    return Error{ErrorCode::Internal, "the tensor was overwritten", {}, {}};
                return made->local;
            });
            QCOMPARE(locals.size(), std::size_t(4));
            for (const RankId rank : mesh.ranks()) // (1, 1) is rank 3
                QVERIFY(
                    sameBits(locals[rank.index()], partOf(counted(3, {4, 4}), mesh, placementsOf(placements), rank)));
        }
    }

    void aPartialIsSharedOut()
    {
        const shard::DeviceMesh mesh = meshOf({4});
        const auto localsOf = [&](const at::Tensor &tensor, const char *placement) {
            return onRanks(4, [&](const RankContext &self) -> Result<at::Tensor> {
                auto made = distributeTensor(self, tensor, mesh, placementsOf(placement));
                if (!made)
                    return made.error();
                return made->local;
            });
        };
        const at::Tensor x = counted(1, {3});
        for (const at::Tensor &local : localsOf(x, "P"))
            QVERIFY(sameBits(local, x / 4));
        for (const char *same : {"P(avg)", "P(max)", "P(min)"})
            for (const at::Tensor &local : localsOf(x, same))
                QVERIFY(sameBits(local, x));
        for (const at::Tensor &local : localsOf(x, "NormP(2)"))
            QVERIFY(sameBits(local, x / 2));
        const at::Tensor whole = counted(1, {3}, at::kLong);
        const std::vector<at::Tensor> integers = localsOf(whole, "P");
        QVERIFY(sameBits(integers[0], whole));
        for (const std::size_t rank : {1, 2, 3})
            QVERIFY(sameBits(integers[rank], at::zeros_like(whole)));
    }

    void withoutPlacementsItIsReplicated()
    {
        const shard::DeviceMesh mesh = meshOf({2, 1});
        const Traffic traffic = trafficOf(2, [&](const RankContext &self) -> Status {
            auto made = distributeTensor(self, at::ones({3}), mesh);
            if (!made)
                return made.error();
            if (made->layout.text() != "RR")
                return Error{ErrorCode::Internal, made->layout.text(), {}, {}};
            return Success{};
        });
        QVERIFY(traffic.status);
    }

    void theCollectivesAreUpstreams()
    {
        const auto traffic = [](const std::vector<int> &shape, const char *placements, std::optional<int> source) {
            const shard::DeviceMesh mesh = meshOf(shape);
            const Traffic seen = trafficOf(mesh.size(), [&](const RankContext &self) -> Status {
                auto made = distributeTensor(self, at::ones({12, 3}), mesh, placementsOf(placements), source);
                return made ? Status(Success{}) : Status(made.error());
            });
            return seen.status ? seen.collectives : std::vector<std::string>{seen.status.error().message};
        };
        using Texts = std::vector<std::string>;
        QCOMPARE(traffic({4}, "S0", 0), (Texts{"scatter(0) 144>36"}));
        QCOMPARE(traffic({4}, "R", 0), (Texts{"broadcast(0) 144>144"}));
        QCOMPARE(traffic({4}, "P", 0), (Texts{"broadcast(0) 144>144"}));
        QCOMPARE(traffic({2, 2}, "S0,R", 0), (Texts{"scatter(0) 144>72", "broadcast(1) 72>72"}));
        QCOMPARE(traffic({2, 2}, "S0,S1", 0), (Texts{"scatter(0) 144>72", "scatter(1) 72>48"}));
        QCOMPARE(traffic({2, 2}, "S0,S1", {}), Texts{});
    }

    void theResultIsALeafWithTheTensorsRequiresGrad()
    {
        const shard::DeviceMesh mesh = meshOf({2});
        for (const bool grad : {false, true}) {
            const at::Tensor x = at::ones({3, 2}).t().requires_grad_(grad);
            const Status status = runSpmd(2, [&](const RankContext &self) -> Status {
                for (const char *placements : {"S0", "R"}) {
                    auto made = distributeTensor(self, x, mesh, placementsOf(placements));
                    if (!made)
                        return made.error();
                    if (made->local.requires_grad() != grad || !made->local.is_leaf() ||
                        made->layout.stride() != Sizes{1, 2} || made->layout.shape() != Sizes{2, 3})
                        return Error{ErrorCode::Internal, "something is lost", {}, {}};
                }
                return Success{};
            });
            QVERIFY(status);
        }
    }

    void metaTensorsStayMeta()
    {
        const shard::DeviceMesh mesh = meshOf({2, 2});
        const std::vector<at::Tensor> locals = onRanks(4, [&](const RankContext &self) -> Result<at::Tensor> {
            const at::Tensor huge = at::empty({std::int64_t{1} << 30, 5}, at::TensorOptions(at::kMeta));
            auto made = distributeTensor(self, huge, mesh, placementsOf("S0,S1"));
            if (!made)
                return made.error();
            return made->local;
        });
        QCOMPARE(locals.size(), std::size_t(4));
        QVERIFY(locals[3].is_meta());
        QCOMPARE(locals[3].sizes().vec(), (Sizes{std::int64_t{1} << 29, 2}));
    }

    void aRankOutsideTheMeshHoldsNothing()
    {
        auto mesh = shard::DeviceMesh::fromRanks(lineOf({0, 2}), {2});
        QVERIFY(mesh);
        const std::vector<at::Tensor> locals = onRanks(4, [&](const RankContext &self) -> Result<at::Tensor> {
            auto made = distributeTensor(self, counted(0, {4}), *mesh, placementsOf("S0"));
            if (!made)
                return made.error();
            auto whole = redistribute(self, *made, placementsOf("R"));
            if (!whole)
                return whole.error();
            return whole->local;
        });
        QCOMPARE(locals.size(), std::size_t(4));
        for (const std::size_t rank : {0, 2})
            QVERIFY(sameBits(locals[rank], counted(0, {4})));
        for (const std::size_t rank : {1, 3})
            QCOMPARE(locals[rank].numel(), std::int64_t(0));
    }

    void whatUpstreamRefusesIsRefusedInItsWords()
    {
        const at::Tensor x = at::ones({4, 4});
        const at::Tensor leaf = at::ones({4}).requires_grad_(true);
        QVERIFY2(errorOf(leaf * 2, {2}, "S0")
                     .ends_with("`distribute_tensor` should be used to distribute leaf tensors! "
                                "but found non-leaf tensor!"),
                 errorOf(leaf * 2, {2}, "S0").c_str());
        QVERIFY(errorOf(x, {2, 2}, "S0")
                    .ends_with("`placements` must have the same length as `device_mesh.ndim`! Found "
                               "placements length: 1, and device_mesh.ndim: 2."));
        QVERIFY(errorOf(x, {2}, "S2").find("Sharding dim 2 greater than tensor ndim 2") != std::string::npos);
        QVERIFY(errorOf(x, {2}, "P(product)").ends_with("Replicate to Partial(product) conversion is not supported."));
        QVERIFY(errorOf(x, {2, 2}, "P(sum),P(max)")
                    .find("Mixed Partial reduce types are not supported in the same "
                          "placement list.") != std::string::npos);
        QVERIFY2(errorOf(x, {4, 2}, "S0,S1", 2)
                     .ends_with("there is no rank 2 along mesh dimension 1, which has 2; "
                                "src_data_rank is counted along each mesh dimension"),
                 errorOf(x, {4, 2}, "S0,S1", 2).c_str());
        QVERIFY(errorOf(x, {2}, "R", -1).find("there is no rank -1") != std::string::npos);
        QVERIFY(errorOf({}, {1}, "R").ends_with("there is no tensor to distribute"));
    }
};

PIPESCOPE_TEST(TestDistributeTensor)
#include "tst_distribute_tensor.moc"

#include "dtensor/dtensor.h"

#include "core/dtensor/dtensor_support.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::Sizes;

namespace {

using Locals = std::function<at::Tensor(int rank)>;

struct Made
{
    std::vector<shard::Layout> layouts; // by rank
    std::string error;
};

Made madeOf(const std::vector<int> &meshShape, const std::string &placements, const Locals &locals,
            const std::optional<Sizes> &shape = {})
{
    const shard::DeviceMesh mesh = meshOf(meshShape);
    std::vector<std::optional<shard::Layout>> layouts(static_cast<std::size_t>(mesh.size()));
    Made made;
    const Error error = errorOnRanks(mesh.size(), [&](const RankContext &self) -> Result<at::Tensor> {
        auto tensor = fromLocal(self, locals(self.rank.value), mesh, placementsOf(placements), shape);
        if (!tensor)
            return tensor.error();
        layouts[self.rank.index()] = tensor->layout;
        return tensor->local;
    });
    made.error = error.message;
    for (const auto &layout : layouts) {
        if (layout)
            made.layouts.push_back(*layout);
    }
    return made;
}

void verifyShape(const Made &made, std::size_t ranks, const Sizes &shape)
{
    QVERIFY2(made.error == "no error", made.error.c_str());
    QCOMPARE(made.layouts.size(), ranks);
    for (const shard::Layout &layout : made.layouts)
        QCOMPARE(layout.shape(), shape);
}

Locals rowsOf(const std::vector<int> &rows)
{
    return [rows](int rank) { return at::ones({rows[static_cast<std::size_t>(rank)], 2}); };
}

} // namespace

class TestFromLocal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGlobalShapeIsWhatThePartsMakeUp()
    {
        verifyShape(madeOf({4}, "S0", [](int) { return at::ones({3, 3}); }), 4, {12, 3});
        verifyShape(madeOf({4}, "S-1", [](int) { return at::ones({3, 3}); }), 4, {3, 12});
        verifyShape(madeOf({4}, "R", [](int) { return at::ones({3, 3}); }), 4, {3, 3});
        verifyShape(madeOf({4}, "P", [](int) { return at::ones({3, 3}); }), 4, {3, 3});
        verifyShape(madeOf({4}, "P", [](int) { return at::scalar_tensor(3); }), 4, {});
    }

    void unevenPartsMakeUpTheRightShapeOnEveryRank() // pytorch#110762
    {
        verifyShape(madeOf({4}, "S0", rowsOf({3, 3, 3, 1})), 4, {10, 2});
        verifyShape(madeOf({4}, "S0", rowsOf({1, 1, 0, 0})), 4, {2, 2});
        verifyShape(madeOf({2, 2}, "S0,S0", rowsOf({2, 1, 1, 1})), 4, {5, 2});
        verifyShape(madeOf({2, 2}, "R,S0", rowsOf({3, 2, 3, 2})), 4, {5, 2});
        verifyShape(madeOf({2}, "SS(0,2)", rowsOf({3, 2})), 2, {5, 2});
    }

    void raggedPartsAreRefused() // pytorch#144109
    {
        const Locals ragged = [](int rank) { return at::ones({2, rank + 2}); };
        for (const std::optional<Sizes> &shape : {std::optional<Sizes>(), std::optional(Sizes{2, 14})}) {
            const Made made = madeOf({4}, "S1", ragged, shape);
            QVERIFY2(made.error.ends_with("expected 4,4,4,2 on dim 1, got 2,3,4,5"), made.error.c_str());
            QVERIFY(made.layouts.empty());
        }
        QVERIFY(madeOf({4}, "S0", rowsOf({3, 3, 1, 3})).error.ends_with("expected 3,3,3,1 on dim 0, got 3,3,1,3"));
        QVERIFY(madeOf({2, 2}, "S0,S0", rowsOf({2, 2, 1, 0}))
                    .error.ends_with("expected 2,1,1,1 on dim 0, got "
                                     "2,2,1,0"));
    }

    void dimensionsThatNothingCutsMustBeAlike()
    {
        const Made made = madeOf({2}, "S1", [](int rank) { return at::ones({2 + rank, 3}); });
        QVERIFY2(made.error.find("Non-sharded dimensions should have identical size across ranks.") !=
                     std::string::npos,
                 made.error.c_str());
        QVERIFY(made.error.ends_with("expected 2,2 on dim 0, got 2,3"));
    }

    void aShapeThatIsGivenIsChecked()
    {
        verifyShape(madeOf({4}, "S0", rowsOf({3, 3, 3, 1}), Sizes{10, 2}), 4, {10, 2});
        QVERIFY(madeOf({4}, "S0", rowsOf({3, 3, 3, 1}), Sizes{12, 2})
                    .error.ends_with("expected 3,3,3,3 on dim 0, got "
                                     "3,3,3,1"));
        const Made replicated = madeOf({2}, "R", rowsOf({3, 3}), Sizes{4, 2});
        QVERIFY2(replicated.error.ends_with("expected 4,4 on dim 0, got 3,3"), replicated.error.c_str());
        QVERIFY(replicated.error.find("Non-sharded") == std::string::npos);
        QVERIFY(madeOf({2}, "R", rowsOf({3, 3}), Sizes{3, 2, 1})
                    .error.ends_with("the local tensors have 2 dimensions, "
                                     "the shape that is given has 3"));
        QVERIFY(!madeOf({2}, "R", rowsOf({3, 3}), Sizes{-3, 2}).layouts.size());
        QVERIFY(madeOf({2}, "R", rowsOf({3, 3}), Sizes(65, 1)).error.ends_with("a tensor has at most 64"));
    }

    void partsOfDifferentKindsAreRefused()
    {
        const std::string words = "Inconsistent tensor metadata (including shape and stride) across ranks.";
        const Made dtypes = madeOf(
            {3}, "S0", [](int rank) { return at::ones({2}, at::TensorOptions(rank == 2 ? at::kHalf : at::kFloat)); });
        QVERIFY2(dtypes.error.ends_with(words + " The dtypes of ranks 0 and 2 differ."), dtypes.error.c_str());
        const Made dims = madeOf({2}, "S0", [](int rank) { return rank == 0 ? at::ones({2}) : at::ones({2, 1}); });
        QVERIFY2(dims.error.ends_with(words + " The tensors of ranks 0 and 1 have 1 and 2 dimensions."),
                 dims.error.c_str());
    }

    void placementsThatDoNotFitAreRefused()
    {
        const auto errorOfPlacements = [](const std::string &text) {
            return madeOf({2}, text, [](int) { return at::ones({3}); }).error;
        };
        QVERIFY2(errorOfPlacements("S2").find("Sharding dim 2 greater than tensor ndim 1 for placement number 0") !=
                     std::string::npos,
                 errorOfPlacements("S2").c_str());
        QVERIFY(errorOfPlacements("S0,R").find("must have the same length") != std::string::npos);
    }

    void theLocalTensorIsShared()
    {
        const shard::DeviceMesh mesh = meshOf({2});
        const Status status = runSpmd(2, [&](const RankContext &self) -> Status {
            const at::Tensor own = at::ones({2});
            auto made = fromLocal(self, own, mesh, placementsOf("S0"));
            if (!made)
                return made.error();
            own.add_(1);
            if (made->local.data_ptr() != own.data_ptr() || made->local[0].item<float>() != 2)
                return Error{ErrorCode::Internal, "it was copied", {}, {}};
            return Success{};
        });
        QVERIFY(status);
    }

    void aRankOutsideTheMeshTakesNoPart()
    {
        const auto mesh = shard::DeviceMesh::fromRanks(lineOf({2, 0}), {2});
        QVERIFY(mesh);
        const std::vector<at::Tensor> locals = onRanks(3, [&](const RankContext &self) -> Result<at::Tensor> {
            auto made = fromLocal(self, counted(self.rank.value, {2}), *mesh, placementsOf("S0"));
            if (!made)
                return made.error();
            return fullTensor(self, *made);
        });
        QCOMPARE(locals.size(), std::size_t(3));
        QVERIFY(sameBits(locals[0], at::cat({counted(2, {2}), counted(0, {2})})));
        QVERIFY(sameBits(locals[2], locals[0]));
        QCOMPARE(locals[1].numel(), std::int64_t(0));
    }
};

PIPESCOPE_TEST(TestFromLocal)
#include "tst_from_local.moc"

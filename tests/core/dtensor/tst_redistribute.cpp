#include "dtensor/dtensor.h"

#include "core/dtensor/dtensor_support.h"

#include "support/test_program.h"

#include <QTest>
#include <cmath>
#include <random>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::Planner;
using shard::Sizes;

namespace {

constexpr Planner Planners[] = {Planner::Upstream, Planner::Cheapest};

bool isWhole(const shard::Placements &placements)
{
    return std::none_of(placements.begin(), placements.end(),
                        [](const shard::Placement &placement) { return shard::isPartial(placement); });
}

// Multiples of 720, so that every share of a Partial over up to six ranks is a whole number.
at::Tensor numbers(at::IntArrayRef sizes)
{
    return counted(1, sizes, at::kDouble) * 720;
}

struct Case
{
    std::string from;
    std::string to;
};

// Each rank goes from one to the other and compares its part with what the whole tensor says.
Status walk(const RankContext &self, const shard::DeviceMesh &mesh, const at::Tensor &whole, const Case &one,
            Planner planner)
{
    const auto fault = [&](const std::string &what) {
        return Error{ErrorCode::Internal, one.from + " to " + one.to + ": " + what, {}, {}};
    };
    auto begun = distributeTensor(self, whole, mesh, placementsOf(one.from), std::nullopt);
    if (!begun)
        return begun.error();
    RedistributeOptions options;
    options.planner = planner;
    auto ended = redistribute(self, *begun, placementsOf(one.to), options);
    if (!ended)
        return fault(ended.error().message);
    const shard::Placements to = placementsOf(one.to);
    if (isWhole(to) && !sameBits(ended->local, partOf(whole, mesh, to, self.rank)))
        return fault("the rank holds something else");
    const auto full = fullTensor(self, *ended, options);
    if (!full)
        return fault(full.error().message);
    return sameBits(*full, whole) ? Status(Success{}) : Status(fault("the whole is something else"));
}

// "" where all cases go right.
std::string faultOf(RankWorld &world, const shard::DeviceMesh &mesh, const at::Tensor &whole,
                    const std::vector<Case> &cases, Planner planner)
{
    const Status status = world.run([&](const RankContext &self) -> Status {
        for (const Case &one : cases) {
            if (auto done = walk(self, mesh, whole, one, planner); !done)
                return done;
        }
        return Success{};
    });
    return status ? "" : status.error().message;
}

std::vector<Case> pairsOf(const std::vector<std::string> &froms, const std::vector<std::string> &tos, int meshDims)
{
    const auto allOf = [meshDims](const std::vector<std::string> &words) {
        std::vector<std::string> texts = words;
        for (int dim = 1; dim < meshDims; ++dim) {
            std::vector<std::string> longer;
            for (const std::string &text : texts) {
                for (const std::string &word : words)
                    longer.push_back(text + "," + word);
            }
            texts = std::move(longer);
        }
        return texts;
    };
    std::vector<Case> cases;
    for (const std::string &from : allOf(froms)) {
        for (const std::string &to : allOf(tos))
            cases.push_back({from, to});
    }
    return cases;
}

} // namespace

#define VERIFY_CASES(...)                                                                                              \
    do {                                                                                                               \
        const std::string fault = faultOf(__VA_ARGS__);                                                                \
        QVERIFY2(fault.empty(), fault.c_str());                                                                        \
    } while (false)

class TestRedistribute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPairOnAMeshOfTwoByFour()
    {
        auto world = RankWorld::make(8);
        QVERIFY(world);
        const auto cases = pairsOf({"R", "S0", "S1", "P"}, {"R", "S0", "S1"}, 2);
        QCOMPARE(cases.size(), std::size_t(144));
        for (const Planner planner : Planners)
            VERIFY_CASES(**world, meshOf({2, 4}), numbers({16, 24}), cases, planner);
    }

    void everyPairOfUnevenAndEmptyShards()
    {
        auto world = RankWorld::make(6);
        QVERIFY(world);
        for (const Sizes &sizes : {Sizes{5, 7}, Sizes{0, 4}}) {
            for (const Planner planner : Planners)
                VERIFY_CASES(**world, meshOf({3, 2}), numbers(sizes),
                             pairsOf({"R", "S0", "S1", "P"}, {"R", "S0", "S1"}, 2), planner);
        }
    }

    void everyPairWithStridedShards()
    {
        auto world = RankWorld::make(4);
        QVERIFY(world);
        const std::vector<std::string> words{"R", "S0", "S1", "SS(0,2)"};
        for (const Planner planner : Planners) {
            VERIFY_CASES(**world, meshOf({2, 2}), numbers({7, 3}), pairsOf(words, words, 2), planner);
            VERIFY_CASES(**world, meshOf({2, 2}), numbers({8, 4}), pairsOf({"S0", "SS(0,3)"}, words, 2), planner);
        }
    }

    void randomPairsOnAMeshOfThreeDimensions()
    {
        auto world = RankWorld::make(8);
        QVERIFY(world);
        std::mt19937 random(16);
        const auto pick = [&random](int to) { return std::uniform_int_distribution(0, to)(random); };
        const char *words[] = {"R", "S0", "S1", "S2", "SS(1,2)", "P"};
        for (const Planner planner : Planners) {
            std::vector<Case> cases;
            for (int i = 0; i < 150; ++i) {
                Case one;
                for (int dim = 0; dim < 3; ++dim) {
                    one.from += std::string(dim > 0 ? "," : "") + words[pick(5)];
                    one.to += std::string(dim > 0 ? "," : "") + words[pick(4)];
                }
                cases.push_back(std::move(one));
            }
            VERIFY_CASES(**world, meshOf({2, 2, 2}), numbers({5, 7, 3}), cases, planner);
        }
    }

    void partialsOfEveryKindAreReduced()
    {
        auto world = RankWorld::make(4);
        QVERIFY(world);
        for (const char *kind : {"P(sum)", "P(avg)", "P(max)", "P(min)"}) {
            const std::string partial = kind;
            const std::vector<Case> cases{{partial, "R"}, {partial, "S0"}, {partial, "S1"}, {partial, partial}};
            VERIFY_CASES(**world, meshOf({4}), numbers({5, 3}), cases, Planner::Upstream);
        }
        const std::vector<Case> mixed{{"P(sum),P(avg)", "R,R"},   {"P(avg),P(sum)", "S0,S1"},
                                      {"P(sum),P(avg)", "S0,S0"}, {"P(avg),P(avg)", "R,S1"},
                                      {"P(max),P(max)", "R,R"},   {"P(sum),S0", "P(sum),S1"}};
        for (const Planner planner : Planners)
            VERIFY_CASES(**world, meshOf({2, 2}), numbers({4, 6}), mixed, planner);
        shard::DeviceMesh flattened = meshOf({2, 2}, {"dp", "tp"});
        QVERIFY(flattened.flatten(std::vector<std::string>{"dp", "tp"}));
        VERIFY_CASES(**world, flattened, numbers({4, 6}), mixed, Planner::Upstream);
    }

    /// One collective for both would divide the sum, and int64 would come back as float32.
    void anAverageOfIntegersIsRefusedBesideASumToo()
    {
        auto world = RankWorld::make(4);
        QVERIFY(world);
        shard::DeviceMesh mesh = meshOf({2, 2}, {"dp", "tp"});
        QVERIFY(mesh.flatten(std::vector<std::string>{"dp", "tp"}));
        const Status ended = (*world)->run([&mesh](const RankContext &self) -> Status {
            auto made =
                fromLocal(self, at::ones({4}, at::TensorOptions(at::kLong)), mesh, placementsOf("P(sum),P(avg)"));
            if (!made)
                return made.error();
            auto whole = redistribute(self, *made, placementsOf("R,R"));
            return whole ? Status(Success{}) : Status(whole.error());
        });
        QVERIFY(!ended);
        QCOMPARE(ended.error().code, ErrorCode::Unsupported);
        QVERIFY2(ended.error().message.find("int64 tensors need not be of that type") != std::string::npos,
                 ended.error().message.c_str());
    }

    void aProductAndANormAreReduced()
    {
        const shard::DeviceMesh mesh = meshOf({3});
        const auto reduced = [&](const char *placement, const char *to) {
            return onRanks(3, [&, placement, to](const RankContext &self) -> Result<at::Tensor> {
                auto made = fromLocal(self, at::full({3}, self.rank.value + 1, at::TensorOptions(at::kDouble)), mesh,
                                      placementsOf(placement));
                if (!made)
                    return made.error();
                auto ended = redistribute(self, *made, placementsOf(to));
                if (!ended)
                    return ended.error();
                return ended->local;
            });
        };
        QVERIFY(sameBits(reduced("P(product)", "R")[1], at::full({3}, 6, at::TensorOptions(at::kDouble))));
        QVERIFY(
            at::allclose(reduced("NormP(2)", "R")[2], at::full({3}, std::sqrt(14.0), at::TensorOptions(at::kDouble))));
        QVERIFY(
            at::allclose(reduced("NormP(3)", "S0")[0], at::full({1}, std::cbrt(36.0), at::TensorOptions(at::kDouble))));
    }

    void aShardBecomesASumByZeros()
    {
        const shard::DeviceMesh mesh = meshOf({4});
        const at::Tensor x = counted(0, {7}, at::kDouble) + 1;
        const std::vector<at::Tensor> locals = onRanks(4, [&](const RankContext &self) -> Result<at::Tensor> {
            auto made = distributeTensor(self, x, mesh, placementsOf("S0"));
            if (!made)
                return made.error();
            auto ended = redistribute(self, *made, placementsOf("P"));
            if (!ended)
                return ended.error();
            return ended->local;
        });
        QCOMPARE(locals.size(), std::size_t(4));
        at::Tensor expected = at::zeros_like(x);
        expected[2] = x[2];
        expected[3] = x[3];
        QVERIFY(sameBits(locals[1], expected));
        QVERIFY(sameBits(locals[0] + locals[1] + locals[2] + locals[3], x));
    }

    void unevenNestedShardsComeBackWholeOverAFlattenedMesh() // pytorch#194457
    {
        auto world = RankWorld::make(4);
        QVERIFY(world);
        shard::DeviceMesh mesh = meshOf({2, 2}, {"dp", "tp"});
        QVERIFY(mesh.flatten(std::vector<std::string>{"dp", "tp"}));
        for (const std::int64_t rows : {5, 6, 7, 8})
            VERIFY_CASES(**world, mesh, numbers({rows, 3}), {{"S0,S0", "R,R"}, {"S0,S0", "S1,S1"}}, Planner::Upstream);
    }

    void cutsInAnotherOrderAreReached()
    {
        const shard::DeviceMesh mesh = meshOf({2, 2});
        const at::Tensor x = counted(0, {5}, at::kDouble);
        auto target = shard::Layout::make({mesh, placementsOf("S0,S0"), {5}, {{0, {1, 0}}}, {}, "float64"});
        QVERIFY(target);
        const std::vector<at::Tensor> locals = onRanks(4, [&](const RankContext &self) -> Result<at::Tensor> {
            auto made = distributeTensor(self, x, mesh, placementsOf("S0,S0"));
            if (!made)
                return made.error();
            auto ended = redistribute(self, *made, *target);
            if (!ended)
                return ended.error();
            return ended->local;
        });
        QCOMPARE(locals.size(), std::size_t(4));
        // Mesh dimension 1 cuts first: 0-2 and 3-4; then mesh dimension 0: 0-1, 2 and 3, 4.
        QVERIFY(sameBits(locals[0], x.slice(0, 0, 2)));
        QVERIFY(sameBits(locals[1], x.slice(0, 3, 4)));
        QVERIFY(sameBits(locals[2], x.slice(0, 2, 3)));
        QVERIFY(sameBits(locals[3], x.slice(0, 4, 5)));
    }

    void theCollectivesAreThoseOfThePlan()
    {
        const auto traffic = [](const std::vector<int> &shape, const Sizes &sizes, const char *from, const char *to) {
            const shard::DeviceMesh mesh = meshOf(shape);
            const Traffic seen = trafficOf(mesh.size(), [&](const RankContext &self) -> Status {
                auto made = distributeTensor(self, at::ones(sizes), mesh, placementsOf(from), std::nullopt);
                if (!made)
                    return made.error();
                auto ended = redistribute(self, *made, placementsOf(to));
                return ended ? Status(Success{}) : Status(ended.error());
            });
            return seen.status ? seen.collectives : std::vector<std::string>{seen.status.error().message};
        };
        using Texts = std::vector<std::string>;
        QCOMPARE(traffic({4}, {6, 4}, "P", "R"), (Texts{"all_reduce(0) 96>96"}));
        QCOMPARE(traffic({4}, {12, 3}, "S0", "R"), (Texts{"all_gather(0) 36>144"}));
        QCOMPARE(traffic({4}, {13, 3}, "S0", "R"), (Texts{"all_gather(0) 48>156"})); // 192 with upstream's padding
        QCOMPARE(traffic({4}, {12, 3}, "P", "S0"), (Texts{"reduce_scatter(0) 144>36"}));
        QCOMPARE(traffic({4}, {12, 5}, "R", "S0"), Texts{});
        QCOMPARE(traffic({4}, {4, 4}, "S0", "P"), Texts{});
        QCOMPARE(traffic({4}, {8, 8}, "S0", "S1"), (Texts{"all_to_all(0) 64>64"}));
        QCOMPARE(traffic({2, 2}, {8, 8}, "S0,S1", "S0,S0"), (Texts{"all_to_all(1) 64>64"}));
        QCOMPARE(traffic({2, 2}, {8, 8}, "S0,S1", "S1,S0"), (Texts{"all_gather(1) 64>128", "all_to_all(0) 128>128"}));
        QCOMPARE(traffic({2, 2}, {8, 4}, "P,P", "R,R"), (Texts{"all_reduce(0) 128>128", "all_reduce(1) 128>128"}));
        QCOMPARE(traffic({4, 1}, {8, 8}, "S0,S1", "S0,R"), Texts{});
    }

    void theSamePlacementsKeepTheLocalTensor()
    {
        const shard::DeviceMesh mesh = meshOf({2});
        const Status status = runSpmd(2, [&](const RankContext &self) -> Status {
            auto made = distributeTensor(self, at::ones({3, 2}), mesh, placementsOf("S0"));
            if (!made)
                return made.error();
            auto same = redistribute(self, *made, placementsOf("S-2"));
            if (!same)
                return same.error();
            auto chunk = redistribute(self, *made, placementsOf("R"));
            if (!chunk)
                return chunk.error();
            auto back = redistribute(self, *chunk, placementsOf("S0"));
            if (!back)
                return back.error();
            if (same->local.data_ptr() != made->local.data_ptr() ||
                (self.rank.value == 0 && back->local.data_ptr() == chunk->local.data_ptr()))
                return Error{ErrorCode::Internal, "memory is shared wrongly", {}, {}};
            return Success{};
        });
        QVERIFY2(status, status ? "" : status.error().message.c_str());
    }

    void whatUpstreamRefusesIsRefusedInItsWords()
    {
        const auto errorOf = [](const char *from, const char *to) {
            const shard::DeviceMesh mesh = meshOf({2, 2});
            return errorOnRanks(4,
                                [&](const RankContext &self) -> Result<at::Tensor> {
                                    auto made = distributeTensor(self, at::ones({4, 4}), mesh, placementsOf(from));
                                    if (!made)
                                        return made.error();
                                    auto ended =
                                        redistribute(self, *made, *to ? placementsOf(to) : shard::Placements{});
                                    if (!ended)
                                        return ended.error();
                                    return ended->local;
                                })
                .message;
        };
        QVERIFY(errorOf("R,R", "P,R")
                    .ends_with("Can not redistribute from R to P(sum), only Shard to Partial(sum) "
                               "redistribution is supported!"));
        QVERIFY(errorOf("P,R", "P(avg),R").find("Can not redistribute from P(sum) to P(avg)") != std::string::npos);
        QVERIFY(errorOf("R,R", "").ends_with("placements is needed for redistribute!"));
        QVERIFY(errorOf("R,R", "S0").find("must have the same length") != std::string::npos);
        QVERIFY(errorOf("R,R", "S0,S2").find("Sharding dim 2 greater than tensor ndim 2") != std::string::npos);
    }

    void anotherMeshIsRefused()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) -> Result<at::Tensor> {
            auto made = distributeTensor(self, at::ones({4}), meshOf({2}), placementsOf("R"));
            if (!made)
                return made.error();
            const auto other = shard::Layout::make({meshOf({2}, {"dp"}), placementsOf("R"), {4}, {}, {}, "float32"});
            auto ended = redistribute(self, *made, *other);
            if (!ended)
                return ended.error();
            return ended->local;
        });
        QVERIFY2(error.message.ends_with("Cross device mesh comm not supported yet!"), error.message.c_str());
    }
};

PIPESCOPE_TEST(TestRedistribute)
#include "tst_redistribute.moc"

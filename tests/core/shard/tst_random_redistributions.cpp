// Random redistributions of both planners, carried out on numbers: each rank ends with exactly the elements, in the
// order, that the target gives it. Uneven, empty and strided shards, explicit orders, all kinds of Partial,
// flattenings.
#include "shard/redistribution.h"
#include "support/carry_out.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shard;

namespace {

constexpr int MostRanks = 8; // for which all shares are whole numbers

class RandomPairs
{
public:
    explicit RandomPairs(unsigned seed)
        : m_random(seed)
    {
    }

    struct Pair
    {
        Layout from;
        Layout to;
    };

    Pair pair()
    {
        const DeviceMesh mesh = randomMesh();
        Sizes shape(static_cast<std::size_t>(1 + m_random.below(3)));
        for (std::int64_t &size : shape)
            size = m_random.below(shape.size() == 1 ? 25 : 8);
        const std::vector<Placement> partials = randomPartials();
        Layout from = withPartials(m_random.layout(mesh, shape), [&](std::size_t) { return oneOf(partials); });
        Layout to = withPartials(m_random.layout(mesh, shape),
                                 [&](std::size_t dim) { return targetFor(from.placements()[dim], partials); });
        return {std::move(from), std::move(to)};
    }

private:
    DeviceMesh randomMesh()
    {
        std::vector<int> shape(static_cast<std::size_t>(1 + m_random.below(3)));
        int ranks = 1;
        for (int &size : shape) {
            size = 1 + m_random.below(std::min(4, MostRanks / ranks));
            ranks *= size;
        }
        const std::vector<std::string> all{"a", "b", "c"};
        const std::vector<std::string> names(all.begin(), all.begin() + std::ssize(shape));
        DeviceMesh mesh = *DeviceMesh::make(shape, names);
        for (std::size_t left = 0; left < names.size(); ++left)
            for (std::size_t right = left + 1; right < names.size(); ++right)
                if (m_random.below(2) == 0)
                    flatten(mesh, {names[left], names[right]});
        if (names.size() == all.size() && m_random.below(2) == 0)
            flatten(mesh, all);
        return mesh;
    }

    static void flatten(DeviceMesh &mesh, const std::vector<std::string> &names)
    {
        const Status done = mesh.flatten(names);
        QVERIFY(done);
    }

    // Kinds that may stand side by side.
    std::vector<Placement> randomPartials()
    {
        switch (m_random.below(6)) {
        case 0:
            return {Partial{ReduceOp::Max}};
        case 1:
            return {Partial{ReduceOp::Min}};
        case 2:
            return {Partial{ReduceOp::Product}};
        case 3:
            return {NormPartial{2}};
        default:
            return {Partial{ReduceOp::Sum}, Partial{ReduceOp::Avg}};
        }
    }

    Placement oneOf(const std::vector<Placement> &placements)
    {
        return placements[static_cast<std::size_t>(m_random.below(static_cast<int>(placements.size())))];
    }

    // A Partial that the source may become, or Replicate.
    Placement targetFor(const Placement &source, const std::vector<Placement> &partials)
    {
        if (isPartial(source))
            return source;
        if (std::holds_alternative<Shard>(source))
            return partials.front() == Placement(Partial{}) ? partials.front() : Placement(Replicate{});
        if (std::holds_alternative<StridedShard>(source) || partials.front() == Placement(Partial{ReduceOp::Product}))
            return Replicate{};
        return oneOf(partials);
    }

    template <class Choose>
    static Layout withPartials(const Layout &layout, Choose choose)
    {
        LayoutRequest request{layout.mesh(),  layout.placements(), layout.shape(),
                              layout.order(), layout.stride(),     layout.dtype()};
        for (std::size_t dim = 0; dim < request.placements.size(); ++dim)
            if (isPartial(request.placements[dim]))
                request.placements[dim] = choose(dim);
        return *Layout::make(std::move(request));
    }

    tests::RandomLayouts m_random;
};

std::string failingCase(int i, const RandomPairs::Pair &pair, const std::string &wrong)
{
    return "case " + std::to_string(i) + ", " + pair.from.mesh().text() + ", " + pair.from.specText() + " -> " +
           pair.to.specText() + ": " + wrong;
}

void compareAll(Planner planner, unsigned seed, int cases)
{
    RandomPairs pairs(seed);
    for (int i = 0; i < cases; ++i) {
        const RandomPairs::Pair pair = pairs.pair();
        const auto plan = planRedistribution(pair.from, pair.to, planner, {}, AskedBy::Operator);
        QVERIFY2(plan, failingCase(i, pair, plan ? "" : plan.error().message).c_str());
        const std::string wrong = tests::wrongIn(*plan, pair.from, pair.to);
        QVERIFY2(wrong.empty(), failingCase(i, pair, wrong).c_str());
    }
}

} // namespace

class TestRandomRedistributions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pyTorchsPlansGiveEachRankItsElements() { compareAll(Planner::Upstream, 16, 3000); }

    void cheapestPlansGiveEachRankItsElements() { compareAll(Planner::Cheapest, 61, 3000); }

    // The check itself.
    void wrongStepsAreFound()
    {
        const auto wrong = [](Collective collective, int meshDim, const char *before, const char *after) {
            const Layout from = tests::layoutOf("2,2", before, {8, 4});
            const Layout to = tests::layoutOf("2,2", after, {8, 4});
            const Redistribution plan{{{{meshDim}, collective, from, to, {}, 0}}, 0, {}, {}};
            return tests::wrongIn(plan, from, to);
        };
        QCOMPARE(wrong(Collective::AllGather, 1, "S0,S0", "S0,R"), std::string());
        // Under another cut, alone, of the wrong dimension, too early.
        QVERIFY(!wrong(Collective::AllGather, 0, "S0,S0", "R,S0").empty());
        QVERIFY(!wrong(Collective::LocalChunk, 1, "S0,S0", "S0,R").empty());
        QVERIFY(!wrong(Collective::AllToAll, 0, "S0,S1", "S0,S0").empty());
        QVERIFY(!wrong(Collective::AllGather, 1, "S0,S0", "R,R").empty());
        // Not reduced, reduced along another dimension, a sum that is none.
        QVERIFY(!wrong(Collective::LocalChunk, 0, "P,R", "S0,R").empty());
        QVERIFY(!wrong(Collective::AllReduce, 1, "P,R", "R,R").empty());
        QVERIFY(!wrong(Collective::LocalPartial, 0, "S0,R", "P(max),R").empty());
        QVERIFY(!wrong(Collective::None, 0, "R,R", "S0,R").empty());
    }
};

PIPESCOPE_TEST(TestRandomRedistributions)
#include "tst_random_redistributions.moc"

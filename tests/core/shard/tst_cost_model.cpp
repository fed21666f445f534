#include "shard/cost_model.h"

#include "shard/redistribution.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>
#include <cmath>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;

namespace {

constexpr int OneHost = 8; // devices

struct PricedSize
{
    Sizes shape;
    double gather, exchange, reduce, reduceScatter;
};

double priceOf(const char *from, const char *to, const Sizes &shape, int devicesPerHost)
{
    CostModel costs;
    costs.devicesPerHost = devicesPerHost;
    return redistributeCost(layoutOf("4", from, shape), layoutOf("4", to, shape), costs);
}

bool isPrice(double price, double expected)
{
    constexpr double Shown = 0.0005; // the expected prices have three places
    return std::abs(price - expected) <= Shown;
}

void comparePrices(const std::vector<PricedSize> &sizes, int devicesPerHost)
{
    for (const PricedSize &size : sizes) {
        QVERIFY(isPrice(priceOf("S0", "R", size.shape, devicesPerHost), size.gather));
        QVERIFY(isPrice(priceOf("S0", "S1", size.shape, devicesPerHost), size.exchange));
        QVERIFY(isPrice(priceOf("P", "R", size.shape, devicesPerHost), size.reduce));
        QVERIFY(isPrice(priceOf("P", "S0", size.shape, devicesPerHost), size.reduceScatter));
    }
}

} // namespace

class TestCostModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pricesOnOneHostAreUpstreams()
    {
        comparePrices({{{4096, 4096}, 542.893, 143.023, 1079.185, 542.893},
                       {{1024, 1024}, 41.806, 17.751, 77.012, 41.806},
                       {{16, 8}, 8.404, 9.401, 10.208, 8.404}},
                      OneHost);
    }

    void cpuRanksAreHostsOfTheirOwn()
    {
        comparePrices({{{4096, 4096}, 2444.212, 623.078, 4881.824, 2444.212},
                       {{1024, 1024}, 166.544, 53.661, 326.489, 166.544},
                       {{16, 8}, 14.719, 15.705, 22.837, 14.719}},
                      1);
    }

    void theOuterDimensionLeavesTheHostFirst()
    {
        CostModel costs;
        costs.devicesPerHost = 4;
        const LinkCosts links(tests::meshOf("2,4"), costs);
        const double inner = links.microseconds(Collective::AllGather, dimSet(1), 0);
        const double outer = links.microseconds(Collective::AllGather, dimSet(0), 0);
        QCOMPARE(inner, 6.6 + 3 * 0.6);
        QCOMPARE(outer, 6.6 + 2.7);
        // A line over both has the slower hop, 7 times.
        QCOMPARE(links.microseconds(Collective::AllGather, dimSet(0) | dimSet(1), 0), 6.6 + 7 * 2.7);
        QCOMPARE(links.least(), inner);
        QCOMPARE(links.ranks(dimSet(0) | dimSet(1)), 8);
    }

    void everyConstantCounts()
    {
        CostModel costs{10, 0.5, 1, 2, 3, 4, 5, 4};
        const LinkCosts inside(tests::meshOf("4"), costs);
        // Base, 3 hops, 3 quarters of 4 GiB at 10 GiB/s.
        QCOMPARE(inside.microseconds(Collective::AllGather, dimSet(0), 1), 3 + 3 + 0.3e6);
        QCOMPARE(inside.microseconds(Collective::ReduceScatter, dimSet(0), 4), 3 + 3 + 0.3e6);
        QCOMPARE(inside.microseconds(Collective::AllReduce, dimSet(0), 4), 3 + 6 + 0.6e6);
        QCOMPARE(inside.microseconds(Collective::AllToAll, dimSet(0), 4), 3 + 3 + 0.3e6 + 4);
        QCOMPARE(inside.microseconds(Collective::LocalChunk, dimSet(0), 4), 0.0);
        costs.devicesPerHost = 1;
        const LinkCosts between(tests::meshOf("4"), costs);
        QCOMPARE(between.microseconds(Collective::AllGather, dimSet(0), 1), 3 + 6 + 0.6e6);
    }

    void whatUpstreamCannotPriceIsInfinite()
    {
        const Sizes shape{8, 8};
        const auto price = [&](const char *from, const char *to) {
            return redistributeCost(layoutOf("2,2", from, shape), layoutOf("2,2", to, shape));
        };
        QVERIFY(std::isinf(price("S0,R", "P,R")));
        QVERIFY(std::isinf(price("SS(0,2),S0", "R,R")));
        QVERIFY(std::isinf(price("S0,S0", "SS(0,2),S0")));
        QVERIFY(std::isinf(price("P,R", "P(avg),R")));
        QVERIFY(std::isinf(redistributeCost(layoutOf("2,2", "S0,R", shape), layoutOf("4", "R", shape))));
        QCOMPARE(price("R,R", "SS(0,2),S0"), 0.0); // it looks no further where all is replicated
        QCOMPARE(price("SS(0,2),S0", "SS(0,2),S0"), 0.0);
        QCOMPARE(price("R,R", "P,S0"), 0.0);
    }

    void aDimensionOfOneRankCostsTheBaseAsUpstreamHasIt()
    {
        QCOMPARE(redistributeCost(layoutOf("4,1", "R,S0", {8}), layoutOf("4,1", "R,R", {8})), 6.6);
    }

    void namesAreThoseOfCommDebugMode()
    {
        QCOMPARE(std::string(collectiveName(Collective::AllToAll)), std::string("all_to_all"));
        QVERIFY(moves(Collective::Broadcast) && moves(Collective::AllGather));
        QVERIFY(!moves(Collective::None) && !moves(Collective::LocalChunk) && !moves(Collective::LocalPartial));
    }
};

PIPESCOPE_TEST(TestCostModel)
#include "tst_cost_model.moc"

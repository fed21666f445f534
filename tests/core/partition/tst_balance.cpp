#include "partition/balance.h"

#include "core/partition/loads.h"
#include "partition/cut.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using pipescope::tests::loads;
using Costs = std::vector<double>;
using Positions = std::vector<int>;

namespace {

Positions everywhere(std::size_t nodes)
{
    Positions allowed(nodes - 1);
    std::iota(allowed.begin(), allowed.end(), 1);
    return allowed;
}

Costs balancedLoads(const Costs &costs, int stages)
{
    const auto cuts = balance(costs, everywhere(costs.size()), stages);
    return cuts ? loads(costs, *cuts) : Costs{};
}

// Every choice of `stages` - 1 positions, compared by the words of balance.h.
Positions bruteForce(const Costs &costs, const Positions &allowed, int stages)
{
    std::vector<bool> chosen(allowed.size(), false);
    std::fill(chosen.begin(), chosen.begin() + stages - 1, true);
    Positions best;
    double bestLargest = std::numeric_limits<double>::infinity();
    double bestSquares = 0;
    do {
        Positions cuts;
        for (std::size_t i = 0; i < allowed.size(); ++i) {
            if (chosen[i])
                cuts.push_back(allowed[i]);
        }
        const Costs parts = loads(costs, cuts);
        const double largest = *std::max_element(parts.begin(), parts.end());
        const double squares = std::inner_product(parts.begin(), parts.end(), parts.begin(), 0.0);
        const bool better = largest != bestLargest   ? largest < bestLargest
                            : squares != bestSquares ? squares < bestSquares
                                                     : cuts > best;
        if (better) {
            best = cuts;
            bestLargest = largest;
            bestSquares = squares;
        }
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return best;
}

} // namespace

class TestBalance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void c19FiveEqualLayersInFourStages() { QCOMPARE(balancedLoads(Costs(5, 1.0), 4), (Costs{2, 1, 1, 1})); }

    void c19ThirtyEightEqualLayersInEightStages()
    {
        QCOMPARE(balancedLoads(Costs(38, 1.0), 8), (Costs{5, 5, 5, 5, 5, 5, 4, 4}));
    }

    void fractionsThatDoNotAddUpExactlyAreStillEqual()
    {
        // 0.1 + 0.1 + 0.1 is not 0.3: comparing sums of doubles would break the ties of the case above at random.
        const auto cuts = balance(Costs(38, 0.1), everywhere(38), 8);
        QVERIFY(bool(cuts));
        QCOMPARE(*cuts, (Positions{5, 10, 15, 20, 25, 30, 34}));
    }

    void aHeavyNodeStandsAloneAndTheRestIsEven()
    {
        // The largest part is 10 whatever is done; the others are to be even all the same.
        QCOMPARE(balancedLoads({1, 1, 1, 1, 1, 1, 10}, 4), (Costs{2, 2, 2, 10}));
    }

    void onlyAllowedPositionsAreUsed()
    {
        const auto cuts = balance({1, 1, 1, 1, 1, 1}, {1, 5}, 2);
        QVERIFY(bool(cuts));
        QCOMPARE(*cuts, (Positions{5}));
    }

    void oneStageNeedsNoCut()
    {
        const auto cuts = balance({1, 2}, {1}, 1);
        QVERIFY(bool(cuts));
        QVERIFY(cuts->empty());
    }

    void nodesThatCostNothingGoWithTheEarlierPart()
    {
        const auto cuts = balance({1, 0, 0, 1, 0}, everywhere(5), 2);
        QVERIFY(bool(cuts));
        QCOMPARE(*cuts, (Positions{3}));
    }

    void wherePartsHaveToBeEmptyOfCostTheyStillHaveANode()
    {
        const auto cuts = balance({0, 0, 7, 0}, everywhere(4), 4);
        QVERIFY(bool(cuts));
        QCOMPARE(*cuts, (Positions{1, 2, 3}));
    }

    void whenNothingCostsAnythingNodesAreCounted()
    {
        const auto cuts = balance(Costs(6, 0.0), everywhere(6), 3);
        QVERIFY(bool(cuts));
        QCOMPARE(*cuts, (Positions{2, 4}));
    }

    void tooFewPlacesSayHowManyStagesArePossible()
    {
        const auto cuts = balance({1, 1, 1, 1, 1}, {2, 4}, 4);
        QVERIFY(!cuts);
        QCOMPARE(cuts.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(cuts.error().message,
                 std::string("4 stages are not possible: there are 2 places to cut at, so the most is 3"));
        QCOMPARE(balance({1}, {}, 0).error().message, std::string("0 stages are not possible: at least 1 is needed"));
    }

    void costsThatAreNoCostsAreRefused()
    {
        for (const double cost :
             {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            const auto cuts = balance({1, cost, 1}, {1, 2}, 2);
            QVERIFY(!cuts);
            QVERIFY(cuts.error().message.starts_with("the cost of node 1 is "));
        }
    }

    void randomSmallCasesAgreeWithTryingEverything()
    {
        for (unsigned seed = 1; seed <= 300; ++seed) {
            std::mt19937 random(seed);
            Costs costs(2 + random() % 10);
            for (double &cost : costs)
                cost = random() % 4 == 0 ? 0 : static_cast<double>(random() % (seed % 2 == 0 ? 4 : 100));
            costs[0] += 1;
            Positions allowed;
            for (int i = 1; i < static_cast<int>(costs.size()); ++i) {
                if (random() % 5 != 0)
                    allowed.push_back(i);
            }
            const int stages = 1 + static_cast<int>(random() % (allowed.size() + 1));
            const auto cuts = balance(costs, allowed, stages);
            QVERIFY(bool(cuts));
            QVERIFY2(*cuts == bruteForce(costs, allowed, stages), qPrintable(QString("seed %1").arg(seed)));
        }
    }

    void fiveThousandNodesInSixteenStages()
    {
        std::mt19937 random(1);
        Costs costs(5000);
        for (double &cost : costs)
            cost = static_cast<double>(random() % 1000);
        const auto cuts = balance(costs, everywhere(costs.size()), 16);
        QVERIFY(bool(cuts));
        QCOMPARE(cuts->size(), std::size_t(15));
        const Costs parts = loads(costs, *cuts);
        const double mean = std::accumulate(costs.begin(), costs.end(), 0.0) / 16;
        QVERIFY(*std::max_element(parts.begin(), parts.end()) < mean + 1000);
        QVERIFY(*std::min_element(parts.begin(), parts.end()) > mean - 2000);
        QBENCHMARK_ONCE
        {
            QVERIFY(bool(balance(costs, everywhere(costs.size()), 16)));
        }
    }

    void measuredSecondsComeFirst()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param w w 1000
            a = aten::mm x w @1 %9
            b = aten::sin a @1 %9
            c = aten::cos b @1
            d = aten::tan c @3
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{3}));
    }

    void flopsComeWhereNothingWasMeasured()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param w w 1000
            a = aten::mm x w %5
            b = aten::sin a
            c = aten::mm b w %5
            d = aten::mm c w %10
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{3}));
    }

    void parameterBytesComeLast()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            param v v 400
            param w w 1000
            buffer m m 4000
            a = aten::mm x v
            b = aten::mul a m
            c = aten::mm b v v
            d = aten::mm c w
        )");
        // 401, 1, 401, 1001: the buffer does not count, and a parameter counts once for each node.
        QCOMPARE(*balanceStages(graph, 2), (Positions{3}));
        QCOMPARE(*balanceStages(graph, 3), (Positions{2, 3}));
    }

    void illegalCutsAreNotChosen()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x @1
            b~a = aten::relu_ !a @1
            c~b = aten::relu_ !b @4
        )");
        const auto cuts = balanceStages(graph, 2);
        QVERIFY(!cuts);
        const std::string &message = cuts.error().message;
        QVERIFY2(
            message.starts_with("2 stages are not possible: there is no place to cut at, so the most is 1; between "
                                "/aten::sin and /aten::relu_#1 (3 of 3 operators) there is none: "),
            message.c_str());
        QVERIFY2(message.find("written in place by /aten::relu_") != std::string::npos, message.c_str());
    }

    void theNodeThatKeepsAModelInOnePieceIsNamed()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x
            b = prim::If a {
              c = aten::cos a
              d = aten::tan c
              e = aten::exp d
            }
            return b
        )");
        const auto cuts = balanceStages(graph, 3);
        QVERIFY(!cuts);
        QCOMPARE(
            cuts.error().message,
            std::string("3 stages are not possible: there is 1 place to cut at, so the most is 2; /prim::If runs as "
                        "one piece, with 3 operators inside"));
    }
};

PIPESCOPE_TEST(TestBalance)
#include "tst_balance.moc"

// Balancing a graph: what is sent, which modules are cut through. tst_balance.cpp has costs alone.
#include "partition/balance.h"

#include "core/partition/loads.h"
#include "partition/cut.h"
#include "partition/partition.h"
#include "support/graph_builder.h"
#include "support/random_graph.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using pipescope::tests::loads;
using Costs = std::vector<double>;
using Positions = std::vector<int>;

namespace {

double slowestOf(const Costs &costs, const Positions &cuts)
{
    const Costs parts = loads(costs, cuts);
    return *std::max_element(parts.begin(), parts.end());
}

std::vector<Positions> choicesOf(const Positions &allowed, int count)
{
    std::vector<Positions> choices;
    std::vector<bool> chosen(allowed.size(), false);
    std::fill(chosen.begin(), chosen.begin() + count, true);
    do {
        Positions cuts;
        for (std::size_t i = 0; i < allowed.size(); ++i) {
            if (chosen[i])
                cuts.push_back(allowed[i]);
        }
        choices.push_back(std::move(cuts));
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return choices;
}

// Every choice of `stages` - 1 legal cuts, compared by the words of balance.h. Costs and bytes are whole numbers.
Positions bruteForce(const ModelGraph &graph, int stages)
{
    Costs costs;
    for (const NodeId id : graph.order)
        costs.push_back(*graph.node(id).seconds);
    Positions allowed;
    for (const Cut &cut : allCuts(graph)) {
        if (cut.legal)
            allowed.push_back(cut.position);
    }
    const std::vector<Positions> choices = choicesOf(allowed, stages - 1);
    double quickest = std::numeric_limits<double>::infinity();
    for (const Positions &cuts : choices)
        quickest = std::min(quickest, slowestOf(costs, cuts));
    std::tuple<std::int64_t, int, double, Positions> best{std::numeric_limits<std::int64_t>::max(), 0, 0, {}};
    for (const Positions &cuts : choices) {
        if (slowestOf(costs, cuts) > quickest * 1.02)
            continue;
        const Costs parts = loads(costs, cuts);
        std::int64_t bytes = 0;
        const Result<Partition> made = makePartition(graph, cuts);
        for (const Transfer &transfer : made->transfers)
            bytes += transfer.from.valid() ? *graph.value(transfer.value).bytes : 0;
        int through = 0;
        for (const int cut : cuts)
            through += static_cast<int>(std::count_if(graph.calls.begin(), graph.calls.end(), [&](const auto &call) {
                return call.begin < cut && cut < call.end;
            }));
        Positions fromTheEnd; // so that the latest is the smallest
        std::transform(cuts.rbegin(), cuts.rend(), std::back_inserter(fromTheEnd), std::negate<>());
        best = std::min(
            best, {bytes, through, std::inner_product(parts.begin(), parts.end(), parts.begin(), 0.0), fromTheEnd});
    }
    Positions cuts;
    std::transform(std::get<3>(best).rbegin(), std::get<3>(best).rend(), std::back_inserter(cuts), std::negate<>());
    return cuts;
}

} // namespace

class TestBalanceStages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fewerBytesAreSentWhereTheSlowestStageIsHardlySlower()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::mm x @50 *8
            b = aten::sin a @1 *1000
            c = aten::mm b @51 *8
        )");
        // 51 and 51 sends 1000 bytes, 50 and 52 sends 8; 2 % of 51 is 1.02.
        QCOMPARE(*balanceStages(graph, 2), (Positions{1}));
    }

    void aStageThatIsSlowerByMoreIsNotTakenForAnyBytes()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::mm x @49 *8
            b = aten::sin a @2 *1000
            c = aten::mm b @51 *8
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{2})); // 49 and 53, with a limit of 52.02
    }

    void aValueIsSentOnceToEachStageThatUsesIt()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::mm x @100 *64
            b = aten::sin a @100 *64
            c = aten::cos b @1 *32
            d = aten::add c a @99 *64
            e = aten::add d a @1 *8
            f = aten::mm e @100 *8
        )");
        // The best is 200, so 204 is the limit. Cuts 1 and 5 send `a` once to three nodes, and e: 72. Others send more:
        // 3 and 5 a, c and e (104), 2 and 5 a, b and e (136), 1 and 4 a twice and d (192), 2 and 4 a twice, b and d.
        QCOMPARE(*balanceStages(graph, 3), (Positions{1, 5}));
    }

    void aBoundaryOfBlocksIsTakenWhereItSendsNoMore()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call blocks.0
            a = aten::mm x @50 *8
            b = aten::sin a @1 *8
            c = aten::cos b @1 *8
            end
            call blocks.1
            d = aten::mm c @50 *8
            end
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{3})); // not 2, which is even
    }

    void theOutermostBoundaryIsTaken()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call encoder
            call encoder.norm
            a = aten::mm x @50 *8
            end
            call encoder.linear
            b = aten::sin a @1 *8
            end
            c = aten::cos b @1 *8
            end
            d = aten::mm c @50 *8
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{3})); // 1 and 2 are inside the encoder
    }

    void bytesComeBeforeBoundariesOfBlocks()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call blocks.0
            a = aten::mm x @50 *8
            b = aten::sin a @1 *4
            c = aten::cos b @1 *8
            end
            d = aten::mm c @50 *8
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{2}));
    }

    void tensorsAreCountedWhereTheBytesOfOneAreNotKnown()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a, b = aten::chunk x @50 *1
            c = aten::add a b @1
            d = aten::mm c @51
        )");
        QCOMPARE(*balanceStages(graph, 2), (Positions{2}));
    }

    void whatIsEquallyCheapIsEven()
    {
        std::string text = "in v0\n";
        for (int i = 0; i < 38; ++i)
            text += "v" + std::to_string(i + 1) + " = aten::mm v" + std::to_string(i) + " @1 *8\n";
        QCOMPARE(*balanceStages(graphFromText(text), 8), (Positions{5, 10, 15, 20, 25, 30, 34}));
    }

    void randomSmallGraphsAgreeWithTryingEverything()
    {
        int tried = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            ModelGraph graph = graphFromText(tests::RandomGraph(seed).text());
            std::mt19937 random(seed);
            for (graph::Node &node : graph.nodes)
                node.seconds = static_cast<double>(random() % (seed % 3 == 0 ? 3 : 100));
            graph.nodes.front().seconds = seed % 2 == 0 ? 1000 : 1;
            for (graph::Value &value : graph.values)
                value.bytes = static_cast<std::int64_t>(random() % 4);
            for (int stages = 2; stages <= 4; ++stages) {
                const auto cuts = balanceStages(graph, stages);
                if (!cuts)
                    break;
                ++tried;
                QVERIFY2(*cuts == bruteForce(graph, stages),
                         qPrintable(QString("seed %1, %2 stages").arg(seed).arg(stages)));
            }
        }
        QVERIFY(tried > 500);
    }

    void tenThousandNodesOfWhichOneTakesHalfTheTime()
    {
        // So that the other stages may begin nearly anywhere.
        std::mt19937 random(1);
        std::string text = "in v0\n";
        for (int i = 0; i < 10000; ++i) {
            const int cost = i == 7000 ? 500000 : static_cast<int>(random() % 100);
            const int skipped = i < 20 ? 0 : i - static_cast<int>(random() % 20);
            text += "v" + std::to_string(i + 1) + " = aten::add v" + std::to_string(i) + " v" +
                    std::to_string(skipped) + " @" + std::to_string(cost) + " *" + std::to_string(1 + random() % 8) +
                    "\n";
        }
        const ModelGraph graph = graphFromText(text);
        Result<Positions> cuts = Positions{};
        QBENCHMARK_ONCE
        {
            cuts = balanceStages(graph, 16);
        }
        QVERIFY(bool(cuts));
        QCOMPARE(cuts->size(), std::size_t(15));
        Costs costs;
        for (const NodeId id : graph.order)
            costs.push_back(*graph.node(id).seconds);
        const Costs parts = loads(costs, *cuts);
        QVERIFY(*std::max_element(parts.begin(), parts.end()) <= 510000);
    }
};

QTEST_GUILESS_MAIN(TestBalanceStages)
#include "tst_balance_stages.moc"

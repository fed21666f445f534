// Balancing a graph: what is sent, which modules are cut through. tst_balance.cpp has costs alone.
#include "partition/balance.h"

#include "core/partition/loads.h"
#include "partition/cut.h"
#include "partition/partition.h"
#include "support/graph_builder.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
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

Costs costsOf(const ModelGraph &graph)
{
    Costs costs;
    for (const NodeId id : graph.order)
        costs.push_back(*graph.node(id).seconds);
    return costs;
}

double slowestOf(const Costs &costs, const Positions &cuts)
{
    const Costs parts = loads(costs, cuts);
    return *std::max_element(parts.begin(), parts.end());
}

double lightestOf(const Costs &costs, const Positions &cuts)
{
    const Costs parts = loads(costs, cuts);
    return *std::min_element(parts.begin(), parts.end());
}

// The choices as quick as the quickest, whose lightest stage is as heavy as it can be then; nearly, by balance.h.
std::vector<Positions> goodChoices(const Costs &costs, const std::vector<Positions> &choices)
{
    double quickest = std::numeric_limits<double>::infinity();
    for (const Positions &cuts : choices)
        quickest = std::min(quickest, slowestOf(costs, cuts));
    std::vector<Positions> quick;
    double lightest = 0;
    for (const Positions &cuts : choices) {
        if (slowestOf(costs, cuts) * 100 > quickest * 102)
            continue;
        quick.push_back(cuts);
        lightest = std::max(lightest, lightestOf(costs, cuts));
    }
    quick.erase(std::remove_if(quick.begin(), quick.end(),
                               [&](const Positions &cuts) { return lightestOf(costs, cuts) * 10 < lightest * 9; }),
                quick.end());
    return quick;
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
    const Costs costs = costsOf(graph);
    Positions allowed;
    for (const Cut &cut : allCuts(graph)) {
        if (cut.legal)
            allowed.push_back(cut.position);
    }
    std::tuple<std::int64_t, int, double, Positions> best{std::numeric_limits<std::int64_t>::max(), 0, 0, {}};
    for (const Positions &cuts : goodChoices(costs, choicesOf(allowed, stages - 1))) {
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
    void theFewestBytesAreSent_data()
    {
        addColumns();
        // 51 and 51 sends 1000 bytes, 50 and 52 sends 8; 2 % of 51 is 1.02.
        QTest::newRow("where the slowest stage is hardly slower") << R"(
            in x
            a = aten::mm x @50 *8
            b = aten::sin a @1 *1000
            c = aten::mm b @51 *8
        )" << 2 << Positions{1};
        // 49 and 53, with a limit of 52.02.
        QTest::newRow("not where it is slower by more") << R"(
            in x
            a = aten::mm x @49 *8
            b = aten::sin a @2 *1000
            c = aten::mm b @51 *8
        )" << 2 << Positions{2};
        // The best is 200, so 204 is the limit. Cuts 1 and 5 send `a` once to three nodes, and e: 72. Others send more:
        // 3 and 5 a, c and e (104), 2 and 5 a, b and e (136), 1 and 4 a twice and d (192), 2 and 4 a twice, b and d.
        QTest::newRow("a value is sent once to each stage that uses it") << R"(
            in x
            a = aten::mm x @100 *64
            b = aten::sin a @100 *64
            c = aten::cos b @1 *32
            d = aten::add c a @99 *64
            e = aten::add d a @1 *8
            f = aten::mm e @100 *8
        )" << 3 << Positions{1, 5};
        QTest::newRow("tensors are counted where the bytes of one are not known") << R"(
            in x
            a, b = aten::chunk x @50 *1
            c = aten::add a b @1
            d = aten::mm c @51
        )" << 2 << Positions{2};
    }

    void theFewestBytesAreSent() { compareCuts(); }

    void boundariesOfBlocksAreTaken_data()
    {
        addColumns();
        // Not 2, which is even.
        QTest::newRow("where one sends no more") << R"(
            in x
            call blocks.0
            a = aten::mm x @50 *8
            b = aten::sin a @1 *8
            c = aten::cos b @1 *8
            end
            call blocks.1
            d = aten::mm c @50 *8
            end
        )" << 2 << Positions{3};
        // 1 and 2 are inside the encoder.
        QTest::newRow("the outermost") << R"(
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
        )" << 2 << Positions{3};
        QTest::newRow("bytes come before") << R"(
            in x
            call blocks.0
            a = aten::mm x @50 *8
            b = aten::sin a @1 *4
            c = aten::cos b @1 *8
            end
            d = aten::mm c @50 *8
        )" << 2 << Positions{2};
    }

    void boundariesOfBlocksAreTaken() { compareCuts(); }

    void noStageIsNearlyEmptyBecauseOneNodeTakesLong_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<Costs>("expected");
        QTest::newRow("3") << 3 << Costs{350, 350, 300};
        QTest::newRow("4") << 4 << Costs{250, 250, 200, 300};
        QTest::newRow("5") << 5 << Costs{200, 200, 150, 150, 300};
        QTest::newRow("8") << 8 << Costs{100, 100, 100, 100, 100, 100, 100, 300};
    }

    // 14 blocks and a head that takes 30 %: with 4 stages and more it alone is the slowest, wherever the others are
    // cut.
    void noStageIsNearlyEmptyBecauseOneNodeTakesLong()
    {
        QFETCH(int, stages);
        std::string text = "in x\nv0 = aten::embedding x @0 *8\nw0 = aten::to v0 @0 *8\n";
        for (int i = 0; i < 14; ++i)
            text += fmt::format("v{0} = aten::mm w{1} @50 *1000\nw{0} = aten::relu v{0} @0 *1000\n", i + 1, i);
        text += "h = aten::mm w14 @300 *8\no = aten::view h @0 *8\np = aten::to o @0 *8\n";
        const ModelGraph graph = graphFromText(text);
        const Result<Positions> cuts = balanceStages(graph, stages);
        QVERIFY(bool(cuts));
        QTEST(loads(costsOf(graph), *cuts), "expected");
    }

    void theLightestStageMayBeATenthLighterForFewerBytes_data()
    {
        QTest::addColumn<int>("given");
        QTest::addColumn<Positions>("expected");
        QTest::newRow("a tenth") << 10 << Positions{1, 3};
        QTest::newRow("more") << 11 << Positions{2, 3};
    }

    void theLightestStageMayBeATenthLighterForFewerBytes()
    {
        QFETCH(int, given);
        const ModelGraph graph = graphFromText(fmt::format(R"(
            in x
            a = aten::mm x @{} *8
            b = aten::sin a @{} *1000
            c = aten::mm b @100 *8
            d = aten::mm c @1000 *8
        )",
                                                           100 - given, given));
        QTEST(*balanceStages(graph, 3), "expected"); // d alone; the others 100 and 100, or the first one given less
    }

    void constantsOfTheCodeWeighAsParametersDoAndBuffersDoNot()
    {
        const auto cutOf = [](const std::string &first, const std::string &last) {
            return *balanceStages(graphFromText("in x\n" + first + " a a 4000\n" + last + " b b 1000\n" + last +
                                                " c c 1000\n" + last +
                                                " d d 1000\np = aten::f x a\n"
                                                "q = aten::f p b\nr = aten::f q c\ns = aten::f r d\nreturn s"),
                                  2);
        };
        QCOMPARE(cutOf("param", "param"), Positions{1});
        QCOMPARE(cutOf("const", "const"), Positions{1});
        QCOMPARE(cutOf("const", "param"), Positions{1});
        QCOMPARE(cutOf("buffer", "const"), Positions{2}); // 1 and 1001, 1001 and 1001
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
        const Costs parts = loads(costsOf(graph), *cuts);
        QVERIFY(*std::max_element(parts.begin(), parts.end()) <= 510000);
    }

private:
    static void addColumns()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("stages");
        QTest::addColumn<Positions>("cuts");
    }

    static void compareCuts()
    {
        QFETCH(QString, text);
        QFETCH(int, stages);
        QFETCH(Positions, cuts);
        QCOMPARE(*balanceStages(graphFromText(text.toStdString()), stages), cuts);
    }
};

PIPESCOPE_TEST(TestBalanceStages)
#include "tst_balance_stages.moc"

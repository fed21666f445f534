#include "graphview/layered_layout.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope::graphview;

namespace {

LayeredInput inputOf(int nodes, std::vector<std::pair<int, int>> edges)
{
    LayeredInput input;
    input.nodes.assign(static_cast<std::size_t>(nodes), {100, 20});
    for (const auto &[from, to] : edges)
        input.edges.push_back({from, to});
    input.spacing = {10, 8, 30};
    return input;
}

LayeredInput randomInput(unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    LayeredInput input;
    const int nodes = 1 + below(80);
    for (int i = 0; i < nodes; ++i)
        input.nodes.push_back({20.0 + below(200), 10.0 + below(60), Pin::Free});
    for (int i = 1; i < nodes; ++i) {
        for (int k = below(4); k > 0; --k)
            input.edges.push_back({below(3) > 0 ? std::max(0, i - 1 - below(4)) : below(i), i, 0, 0});
    }
    return input;
}

QString faultOf(const LayeredInput &input, const LayeredOutput &out)
{
    const std::size_t count = input.nodes.size();
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            if (out.rows[a] == out.rows[b] && out.nodes[a].x < out.nodes[b].x + input.nodes[b].width &&
                out.nodes[b].x < out.nodes[a].x + input.nodes[a].width)
                return QStringLiteral("nodes %1 and %2 overlap").arg(a).arg(b);
        }
        if (out.nodes[a].x < 0 || out.nodes[a].y < 0 || out.nodes[a].x + input.nodes[a].width > out.width + 1e-9 ||
            out.nodes[a].y + input.nodes[a].height > out.height + 1e-9)
            return QStringLiteral("node %1 stands outside").arg(a);
    }
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        const auto from = static_cast<std::size_t>(input.edges[i].from);
        const auto to = static_cast<std::size_t>(input.edges[i].to);
        if (out.rows[to] <= out.rows[from])
            return QStringLiteral("edge %1 does not lead down").arg(i);
        if (out.edges[i].empty() != (out.rows[to] - out.rows[from] > MaxSpan))
            return QStringLiteral("edge %1 should %2 be drawn").arg(i).arg(out.edges[i].empty() ? "" : "not");
        for (std::size_t k = 1; k < out.edges[i].size(); ++k) {
            if (out.edges[i][k].y < out.edges[i][k - 1].y)
                return QStringLiteral("edge %1 rises").arg(i);
        }
    }
    return {};
}

} // namespace

class TestLayeredLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void nothingIsLaidOutAsNothing()
    {
        const auto out = layOutLayers({});
        QVERIFY(out);
        QCOMPARE(out->width, 0.0);
        QCOMPARE(out->height, 0.0);
    }

    void aChainStandsInOneColumn()
    {
        const auto out = layOutLayers(inputOf(3, {{0, 1}, {1, 2}}));
        QVERIFY(out);
        QVERIFY((out->nodes == std::vector<Point>{{0, 0}, {0, 50}, {0, 100}}));
        QVERIFY((out->edges[0] == std::vector<Point>{{50, 20}, {50, 50}}));
        QCOMPARE(out->width, 100.0);
        QCOMPARE(out->height, 120.0);
    }

    void aResidualPassesBesideTheChainWhichStaysStraight()
    {
        const auto out = layOutLayers(inputOf(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
        QVERIFY(out);
        QVERIFY(std::abs(out->nodes[1].x - out->nodes[2].x) <= 1);
        QVERIFY(std::abs(out->nodes[0].x - out->nodes[1].x) <= 12);
        const std::vector<Point> &residual = out->edges[3];
        QVERIFY(residual.size() >= 4);
        const double passes = residual[residual.size() / 2].x;
        QVERIFY(passes <= out->nodes[1].x - 8 || passes >= out->nodes[1].x + 108);
    }

    void portsStandInTheFirstAndTheLastRow()
    {
        LayeredInput input = inputOf(5, {{0, 1}, {1, 2}, {2, 3}, {1, 4}});
        input.nodes[0] = {8, 0, Pin::Top};
        input.nodes[4] = {8, 0, Pin::Bottom};
        const auto out = layOutLayers(input);
        QVERIFY(out);
        QVERIFY((out->rows == std::vector<int>{0, 1, 2, 3, 4}));
    }

    void whatTakesNothingStandsJustAboveItsFirstUse()
    {
        const auto out = layOutLayers(inputOf(5, {{0, 1}, {1, 2}, {2, 4}, {3, 4}}));
        QVERIFY(out);
        QCOMPARE(out->rows[3], 2);
    }

    void anEdgeOverMoreThanTheMostRowsIsLeftOut()
    {
        std::vector<std::pair<int, int>> edges;
        for (int i = 0; i <= MaxSpan; ++i)
            edges.emplace_back(i, i + 1);
        edges.emplace_back(0, MaxSpan);
        edges.emplace_back(0, MaxSpan + 1);
        const auto out = layOutLayers(inputOf(MaxSpan + 2, edges));
        QVERIFY(out);
        QVERIFY(!out->edges[edges.size() - 2].empty());
        QVERIFY(out->edges.back().empty());
    }

    void anEdgeThatDoesNotLeadToALaterNodeIsLeftOut()
    {
        const auto out = layOutLayers(inputOf(3, {{0, 1}, {2, 1}, {1, 1}, {1, 7}, {-1, 1}}));
        QVERIFY(out);
        QVERIFY(!out->edges[0].empty());
        for (std::size_t i = 1; i < 5; ++i)
            QVERIFY(out->edges[i].empty());
    }

    void twoThatCrossAreUncrossed()
    {
        // 0 -> 3 and 1 -> 2 cross in program order.
        const auto out = layOutLayers(inputOf(4, {{0, 3}, {1, 2}}));
        QVERIFY(out);
        QVERIFY((out->nodes[0].x < out->nodes[1].x) == (out->nodes[3].x < out->nodes[2].x));
    }

    void everyRandomGraphIsLaidOutWithoutOverlapAndDownwards()
    {
        for (unsigned seed = 0; seed < 400; ++seed) {
            const LayeredInput input = randomInput(seed);
            const auto out = layOutLayers(input);
            QVERIFY(out);
            const QString fault = faultOf(input, *out);
            QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(fault)));
            QVERIFY2(layOutLayers(input) == out, qPrintable(QStringLiteral("seed %1 differs").arg(seed)));
        }
    }

    void aStoppedLayoutGivesNothing()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!layOutLayers(randomInput(1), stop.get_token()));
    }
};

PIPESCOPE_TEST(TestLayeredLayout)
#include "tst_layered_layout.moc"

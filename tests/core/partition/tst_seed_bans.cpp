#include "partition/seed_bans.h"

#include "partition/cut.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::partition;

namespace {

/// The graph of a text, with what import/ says of its random nodes: they, and the ifs and loops around them, are so.
graph::ModelGraph randomGraph(const std::string &text)
{
    graph::ModelGraph graph = tests::graphFromText(text);
    for (const graph::Node &node : graph.nodes)
        if (node.op == "aten::rand" || node.op == "aten::manual_seed")
            for (NodeId id = node.id; id.valid(); id = graph.nodes[id.index()].parent)
                graph.nodes[id.index()].random = true;
    return graph;
}

/// CutPlaces where the graph may be cut.
std::vector<int> legalIn(const std::string &text)
{
    std::vector<int> positions;
    for (const Cut &cut : allCuts(randomGraph(text)))
        if (cut.legal)
            positions.push_back(cut.position);
    return positions;
}

using CutPlaces = std::vector<int>;

} // namespace

class TestSeedBans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsDrawnStaysWithItsSeed()
    {
        const std::string text = "in x\na = aten::sin x\naten::manual_seed\nb = aten::cos a\nr = aten::rand b\n"
                                 "c = aten::neg r\nreturn c";
        QCOMPARE(seedBans(randomGraph(text)), (std::vector<SeedBan>{{2, 3, NodeId{1}, NodeId{3}}}));
        QCOMPARE(legalIn(text), (CutPlaces{1, 4}));
        const Cut refused = allCuts(randomGraph(text))[1];
        QCOMPARE(
            refused.reason,
            std::string("/aten::manual_seed seeds the random numbers before the cut that /aten::rand draws after it; "
                        "stages in processes of their own share no generator, so both belong to one stage"));
    }

    void allThatIsDrawnAfterASeedBelongsToIt()
    {
        QCOMPARE(legalIn("in x\naten::manual_seed\na = aten::rand x\nb = aten::cos a\nr = aten::rand b\n"
                         "c = aten::neg r\nreturn c"),
                 CutPlaces{4});
    }

    void theNextSeedBeginsAnew()
    {
        QCOMPARE(legalIn("in x\naten::manual_seed\na = aten::rand x\naten::manual_seed\nb = aten::rand a\nreturn b"),
                 CutPlaces{2});
    }

    void aSeedInsideOfAnIfMayBeSetOrNot()
    {
        const std::string inside = "v = prim::If c x {\naten::manual_seed\nw = aten::neg x\n}\n";
        QCOMPARE(legalIn("in x\nin c : bool\n" + inside + "r = aten::rand v\nreturn r"), CutPlaces());
        // The one before it may be the one in effect.
        QCOMPARE(
            legalIn("in x\nin c : bool\naten::manual_seed\nu = aten::cos x\n" + inside + "r = aten::rand v\nreturn r"),
            CutPlaces());
    }

    void numbersDrawnInsideOfAnIfAreDrawn()
    {
        QCOMPARE(
            legalIn("in x\nin c : bool\naten::manual_seed\nu = aten::cos x\nv = prim::If c u {\nw = aten::rand u\n}\n"
                    "y = aten::neg v\nreturn y"),
            CutPlaces{3});
    }

    void withoutASeedNumbersMayBeDrawnAnywhere()
    {
        QCOMPARE(legalIn("in x\na = aten::rand x\nb = aten::rand a\nreturn b"), CutPlaces{1});
        QCOMPARE(legalIn("in x\na = aten::rand x\naten::manual_seed\nb = aten::neg a\nreturn b"), (CutPlaces{1, 2}));
    }

    void aGeneratorOfItsOwnIsNotTheProcesss()
    {
        QCOMPARE(legalIn("in x\nconst g : Generator\naten::manual_seed\na = aten::cos x\nb = aten::rand a g\nreturn b"),
                 (CutPlaces{1, 2}));
    }
};

PIPESCOPE_TEST(TestSeedBans)
#include "tst_seed_bans.moc"

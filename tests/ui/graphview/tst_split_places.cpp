#include "graphview/split_places.h"

#include "laid_out.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;
using tests::sceneOf;

namespace {

const char *const Chain = R"(in x
call a
v = aten::linear x
w = aten::relu v
end
call b
y = aten::linear w
z = aten::relu y
end
return z
)";

const char *const TwoBranches = R"(in x
a = aten::linear x
b = aten::linear a
c = aten::relu b
d = aten::linear a
e = aten::add c d
return e
)";

} // namespace

class TestSplitPlaces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void placesLieBetweenTheBoxesShown()
    {
        const graph::ModelGraph graph = tests::graphFromText(Chain);
        const GraphScene scene = sceneOf(graph);
        const std::vector<SplitPlace> places = splitPlaces(scene);
        QCOMPARE(places.size(), 1U);
        QCOMPARE(places[0].position, 2);
        QVERIFY(places[0].straight());
        QVERIFY(places[0].top > scene.rects[2].top() && places[0].bottom < scene.rects[3].bottom());
        QVERIFY(!placeOf(places, 1));
        QVERIFY(placeOf(places, 2));
    }

    void anOpenModuleHasPlacesInsideAndKeepsItsFrameWhole()
    {
        const graph::ModelGraph graph = tests::graphFromText(Chain);
        const GraphScene scene = sceneOf(graph, everythingOpen(graph));
        const std::vector<SplitPlace> places = splitPlaces(scene);
        QCOMPARE(places.size(), 3U);
        const auto frame = std::find_if(scene.tree.boxes.begin(), scene.tree.boxes.end(),
                                        [](const Box &box) { return box.title == "b"; });
        const QRectF &rect = scene.rects[static_cast<std::size_t>(frame - scene.tree.boxes.begin())];
        QVERIFY(placeOf(places, 2)->bottom <= rect.top());
        QVERIFY(placeOf(places, 3)->top > rect.top());
    }

    void branchesSideBySideHaveNoStraightLine()
    {
        const graph::ModelGraph graph = tests::graphFromText(TwoBranches);
        const std::vector<SplitPlace> places = splitPlaces(sceneOf(graph));
        QCOMPARE(places.size(), 4U);
        QVERIFY(placeOf(places, 1)->straight());
        QVERIFY(!placeOf(places, 3)->straight()); // relu is above the second linear or beside it
        QVERIFY(placeOf(places, 4)->straight());
    }

    void theGapUnderThePointerIsFound()
    {
        const graph::ModelGraph graph = tests::graphFromText(Chain);
        const std::vector<SplitPlace> places = splitPlaces(sceneOf(graph, everythingOpen(graph)));
        for (const SplitPlace &place : places) {
            const SplitPlace *found = gapAt(places, {(place.left + place.right) / 2, place.y()});
            QVERIFY(found);
            QCOMPARE(found->position, place.position);
            QVERIFY(!gapAt(places, {place.right + 100, place.y()}));
            QVERIFY(!gapAt(places, {place.left, place.top - 3}));
        }
        QVERIFY(!gapAt({}, {0, 0}));
    }

    void anEdgeGoesOverThePositionsBetweenItsBoxes()
    {
        const graph::ModelGraph graph = tests::graphFromText(TwoBranches);
        const GraphScene scene = sceneOf(graph);
        const auto skip = std::find_if(scene.edges.begin(), scene.edges.end(), [&](const SceneEdge &edge) {
            return positionsOf(scene, edge) == std::pair(1, 3);
        });
        QVERIFY(skip != scene.edges.end());
        QVERIFY(goesOver(scene, *skip, 1) && goesOver(scene, *skip, 3));
        QVERIFY(!goesOver(scene, *skip, 4));
        QCOMPARE(nearestPlace(splitPlaces(scene), -1000, 1, 3)->position, 1);
        QVERIFY(!nearestPlace(splitPlaces(scene), 0, 7, 9));
    }
};

PIPESCOPE_TEST(TestSplitPlaces)
#include "tst_split_places.moc"

#include "graphview/scene_index.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

GraphScene randomScene(unsigned seed)
{
    const graph::ModelGraph graph = tests::graphFromText(tests::randomGraphText(seed));
    LayoutCache cache;
    return *layOutGraph(buildBoxTree(graph, everythingOpen(graph)), estimatedWidth, cache);
}

bool touches(const QRectF &a, const QRectF &b)
{
    return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() && b.top() <= a.bottom();
}

} // namespace

class TestSceneIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void anEmptyIndexFindsNothing()
    {
        QVERIFY(SceneIndex().boxesIn({0, 0, 10, 10}).empty());
        QVERIFY(SceneIndex().edgesIn({0, 0, 10, 10}).empty());
    }

    void whatIsFoundIsWhatTouches()
    {
        for (unsigned seed = 0; seed < 100; ++seed) {
            const GraphScene scene = randomScene(seed);
            const SceneIndex index(scene);
            std::mt19937 random(seed);
            for (int i = 0; i < 20; ++i) {
                const auto number = [&](double most) { return static_cast<double>(random() % 1000) / 1000 * most; };
                const QRectF rect(number(scene.bounds.width()) - 50, number(scene.bounds.height()) - 50,
                                  number(scene.bounds.width()), number(400));
                std::vector<int> boxes;
                for (std::size_t k = 1; k < scene.rects.size(); ++k) {
                    if (touches(scene.rects[k], rect))
                        boxes.push_back(static_cast<int>(k));
                }
                std::vector<int> edges;
                for (std::size_t k = 0; k < scene.edges.size(); ++k) {
                    if (touches(scene.edges[k].bounds, rect))
                        edges.push_back(static_cast<int>(k));
                }
                QVERIFY2(index.boxesIn(rect) == boxes, qPrintable(QStringLiteral("seed %1").arg(seed)));
                QVERIFY2(index.edgesIn(rect) == edges, qPrintable(QStringLiteral("seed %1").arg(seed)));
            }
        }
    }

    void theInnermostBoxIsHit()
    {
        const GraphScene scene = randomScene(3);
        const SceneIndex index(scene);
        for (std::size_t i = 1; i < scene.rects.size(); ++i) {
            if (scene.tree.boxes[i].group < 0)
                QCOMPARE(index.boxAt(scene, scene.rects[i].center()), static_cast<int>(i));
        }
        QCOMPARE(index.boxAt(scene, scene.bounds.topLeft() + QPointF(1, 1)), 0);
        QCOMPARE(index.boxAt(scene, scene.bounds.topLeft() - QPointF(5, 5)), -1);
    }

    void anEdgeIsHitNearItsLineOnly()
    {
        const graph::ModelGraph graph = tests::graphFromText("in x\ny = aten::relu x\nreturn y\n");
        LayoutCache cache;
        const GraphScene scene = *layOutGraph(buildBoxTree(graph, {}), estimatedWidth, cache);
        const SceneIndex index(scene);
        const QPointF middle = (scene.points[0] + scene.points[1]) / 2;
        QCOMPARE(index.edgeAt(scene, middle + QPointF(3, 0), 4), 0);
        QCOMPARE(index.edgeAt(scene, middle + QPointF(5, 0), 4), -1);
    }
};

PIPESCOPE_TEST(TestSceneIndex)
#include "tst_scene_index.moc"

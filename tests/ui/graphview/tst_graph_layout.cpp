#include "graphview/graph_layout.h"
#include "laid_out.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>
#include <map>
#include <random>

using namespace pipescope;
using namespace pipescope::graphview;
using tests::graphFromText;
using tests::sceneOf;

namespace {

std::string layeredText(int count)
{
    std::string text = "in v0\n";
    for (int i = 0; i < count; ++i) {
        const std::string x = "v" + std::to_string(i);
        const std::string y = "v" + std::to_string(i + 1);
        text += "call layers." + std::to_string(i) + "\na" + y + " = aten::linear " + x + "\n" + y + " = aten::add a" +
                y + " " + x + "\nend\n";
    }
    return text + "return v" + std::to_string(count) + "\n";
}

const char *const Branches = R"(in x
call stem
s = aten::sin x
end
call left
l0 = aten::cos s
l1 = aten::tan l0
end
call middle
m0 = aten::linear s
m1 = aten::relu m0
m2 = aten::add m0 m1
end
call right
r0 = aten::exp s
end
call below
b0 = aten::log l1
end
call join
j = aten::cat b0 m2 r0
end
return j
)";

/// Where boxes are seen from the corner of one of them, which the canvas leaves where it is.
std::map<std::string, QRectF> byTitle(const GraphScene &scene, const std::string &held)
{
    std::map<std::string, QRectF> rects;
    for (std::size_t i = 1; i < scene.rects.size(); ++i)
        rects.emplace(scene.tree.boxes[i].title, scene.rects[i]);
    const QPointF corner = rects[held].topLeft();
    for (auto &[title, rect] : rects)
        rect.translate(-corner);
    return rects;
}

OpenBoxes someOpen(const graph::ModelGraph &graph, unsigned seed)
{
    std::mt19937 random(seed);
    OpenBoxes open = everythingOpen(graph);
    std::erase_if(open, [&](const BoxKey &) { return random() % 3 == 0; });
    return open;
}

QString faultOf(const GraphScene &scene)
{
    for (const Group &group : scene.tree.groups) {
        const QRectF &outer = scene.rects[static_cast<std::size_t>(group.box)];
        for (std::size_t i = 0; i < group.children.size(); ++i) {
            const QRectF &rect = scene.rects[static_cast<std::size_t>(group.children[i])];
            if (!outer.contains(rect))
                return QStringLiteral("box %1 leaves its parent").arg(group.children[i]);
            for (std::size_t k = 0; k < i; ++k) {
                if (rect.intersects(scene.rects[static_cast<std::size_t>(group.children[k])]))
                    return QStringLiteral("boxes %1 and %2 overlap").arg(group.children[i]).arg(group.children[k]);
            }
        }
    }
    for (std::size_t i = 0; i < scene.edges.size(); ++i) {
        const SceneEdge &edge = scene.edges[i];
        const auto points = scene.pointsOf(edge);
        const QRectF &outer =
            scene.rects[static_cast<std::size_t>(scene.tree.groups[static_cast<std::size_t>(edge.group)].box)];
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (k > 0 && points[k].y() < points[k - 1].y())
                return QStringLiteral("edge %1 rises").arg(i);
            if (!outer.adjusted(-0.5, -0.5, 0.5, 0.5).contains(points[k]))
                return QStringLiteral("edge %1 leaves its group").arg(i);
        }
        if (edge.from >= 0 &&
            std::abs(points.front().y() - scene.rects[static_cast<std::size_t>(edge.from)].bottom()) > 0.5)
            return QStringLiteral("edge %1 does not begin at its box").arg(i);
        if (edge.to >= 0 && std::abs(points.back().y() - scene.rects[static_cast<std::size_t>(edge.to)].top()) > 0.5)
            return QStringLiteral("edge %1 does not end at its box").arg(i);
    }
    return {};
}

// Every value of every wire is on a drawn edge of the same ends, or on a port of each end that is a box.
QString lostWire(const GraphScene &scene)
{
    const auto end = [](const Group &group, const WireEnd &of) {
        return of.kind == EndKind::Child ? group.children[static_cast<std::size_t>(of.index)] : -1;
    };
    const auto drawn = [&](std::size_t group, int from, int to, ValueId value) {
        return std::any_of(scene.edges.begin(), scene.edges.end(), [&](const SceneEdge &edge) {
            const auto values = scene.valuesOf(edge);
            return edge.group == static_cast<int>(group) && edge.from == from && edge.to == to &&
                   std::find(values.begin(), values.end(), value) != values.end();
        });
    };
    const auto ported = [&](int box, ScenePort::Side side, ValueId value) {
        return box < 0 || std::any_of(scene.ports.begin(), scene.ports.end(), [&](const ScenePort &port) {
                   return port.box == box && port.side == side &&
                          std::find(port.values.begin(), port.values.end(), value) != port.values.end();
               });
    };
    for (std::size_t g = 0; g < scene.tree.groups.size(); ++g) {
        const Group &group = scene.tree.groups[g];
        for (const Wire &wire : group.wires) {
            for (const ValueId value : wire.values) {
                const int from = end(group, wire.from);
                const int to = end(group, wire.to);
                if (!drawn(g, from, to, value) &&
                    !(ported(from, ScenePort::Side::Gives, value) && ported(to, ScenePort::Side::Takes, value)))
                    return QStringLiteral("value %1 from box %2 to %3 is lost").arg(value.value).arg(from).arg(to);
            }
        }
    }
    return {};
}

} // namespace

class TestGraphLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aClosedModuleIsAsLargeAsItsTexts()
    {
        const GraphScene scene = sceneOf(graphFromText(layeredText(1)), {});
        QCOMPARE(scene.rects[2].height(), 44.0);
        QCOMPARE(scene.rects[2].width(), 2 * std::ceil((20 + 16 + 8 * 7.2 + 8 + 62) / 2));
    }

    void anOpenModuleHoldsItsChildrenBelowItsTitle()
    {
        const GraphScene scene = sceneOf(graphFromText(layeredText(1)), {{BoxKind::Module, 0}});
        QVERIFY(scene.rects[2].contains(scene.rects[3]));
        QVERIFY(scene.rects[3].top() >= scene.rects[2].top() + 28);
        QVERIFY(scene.rects[4].bottom() <= scene.rects[2].bottom() - 16);
    }

    void identicalLayersAreLaidOutOnce()
    {
        const graph::ModelGraph graph = graphFromText(layeredText(9));
        LayoutCache cache;
        QVERIFY(layOutGraph(buildBoxTree(graph, everythingOpen(graph)), estimatedWidth, cache));
        QCOMPARE(cache.computed(), 2); // one layer, and the model
    }

    void openingAModuleLaysOutOnlyWhatItChanges()
    {
        const graph::ModelGraph graph = graphFromText(layeredText(9));
        LayoutCache cache;
        OpenBoxes open{{BoxKind::Module, 3}};
        QVERIFY(layOutGraph(buildBoxTree(graph, open), estimatedWidth, cache));
        const int before = cache.computed();
        open.insert({BoxKind::Module, 4});
        QVERIFY(layOutGraph(buildBoxTree(graph, open), estimatedWidth, cache));
        QCOMPARE(cache.computed(), before + 1); // the model
    }

    void openingAModuleLeavesTheRowsAndColumnsAroundItAsTheyWere_data()
    {
        QTest::addColumn<int>("opened");
        QTest::newRow("left") << 1;
        QTest::newRow("middle") << 2;
        QTest::newRow("right") << 3;
    }

    void openingAModuleLeavesTheRowsAndColumnsAroundItAsTheyWere()
    {
        QFETCH(const int, opened);
        const graph::ModelGraph graph = graphFromText(Branches);
        const std::string self = graph.calls[static_cast<std::size_t>(opened)].fqn;
        auto before = byTitle(sceneOf(graph, {}), self);
        auto after = byTitle(sceneOf(graph, {{BoxKind::Module, opened}}), self);
        const double wider = after[self].width() - before[self].width();
        QVERIFY(wider > 20 && after[self].height() > 100);
        // What stands left of it stays exactly where it was, what stands right of it moves by what it grew.
        bool isLeft = true;
        for (const std::string name : {"left", "middle", "right"}) {
            if (name == self)
                isLeft = false;
            else
                QCOMPARE(after[name], before[name].translated(isLeft ? 0 : wider, 0));
        }
        // Above it nothing goes up or down, and below all goes down by the same.
        for (const std::string name : {"x", "stem"})
            QCOMPARE(after[name].y(), before[name].y());
        const double lower = after["join"].y() - before["join"].y();
        QCOMPARE(lower, after[self].height() - before[self].height());
        for (const std::string name : {"below", "return"})
            QCOMPARE(after[name].y(), before[name].y() + lower);
        // What stood in one column does so still.
        for (const auto &[upper, under] : {std::pair("left", "below"), {"x", "stem"}, {"join", "return"}}) {
            QVERIFY(std::abs(before[upper].center().x() - before[under].center().x()) <= 1);
            QVERIFY(std::abs(after[upper].center().x() - after[under].center().x()) <= 1);
        }
    }

    void whatWasNotUsedIsForgotten()
    {
        const graph::ModelGraph graph = graphFromText(layeredText(2));
        LayoutCache cache;
        const auto layOut = [&] { return layOutGraph(buildBoxTree(graph, {}), estimatedWidth, cache).has_value(); };
        QVERIFY(layOut());
        cache.forgetUnused();
        QVERIFY(layOut());
        QCOMPARE(cache.computed(), 1);
        cache.forgetUnused();
        cache.forgetUnused(); // nothing was laid out since the last
        QVERIFY(layOut());
        QCOMPARE(cache.computed(), 2);
    }

    void aHubIsShownAsPorts()
    {
        std::string text = "in x\nin mask\nv0 = aten::relu x\n";
        for (int i = 0; i < 30; ++i)
            text += "v" + std::to_string(i + 1) + " = aten::add v" + std::to_string(i) + " mask\n";
        const GraphScene scene = sceneOf(graphFromText(text + "return v30\n"), {});
        QCOMPARE(lostWire(scene), QString());
        const auto gives = std::find_if(scene.ports.begin(), scene.ports.end(),
                                        [](const ScenePort &port) { return port.side == ScenePort::Side::Gives; });
        QVERIFY(gives != scene.ports.end());
        QCOMPARE(scene.tree.boxes[static_cast<std::size_t>(gives->box)].title, std::string("mask"));
        QCOMPARE(gives->at.y(), scene.rects[static_cast<std::size_t>(gives->box)].bottom());
        QCOMPARE(scene.ports.size(), 1U + 6U); // rows 25 to 30 below the mask's
    }

    void boxesNeverOverlapAndChildrenStayInside()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const graph::ModelGraph graph = graphFromText(tests::randomGraphText(seed));
            for (const OpenBoxes &open : {OpenBoxes{}, someOpen(graph, seed), everythingOpen(graph)}) {
                const GraphScene scene = sceneOf(graph, open);
                QString fault = faultOf(scene);
                if (fault.isEmpty())
                    fault = lostWire(scene);
                QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(fault)));
                const GraphScene again = sceneOf(graph, open);
                QVERIFY2(again.rects == scene.rects && again.points == scene.points,
                         qPrintable(QStringLiteral("seed %1 differs").arg(seed)));
            }
        }
    }
};

PIPESCOPE_TEST(TestGraphLayout)
#include "tst_graph_layout.moc"

#include "graphview/box_tree.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;
using tests::graphFromText;

namespace {

const char *const TwoLayers = R"(in x
call layers.0
call layers.0.fc
a = aten::linear x
end
b = aten::relu a
end
call layers.1
c = aten::linear b
d = aten::add c b
end
return d
)";

std::string titles(const BoxTree &tree, int group)
{
    std::string text;
    for (const int child : tree.groups[static_cast<std::size_t>(group)].children)
        text += (text.empty() ? "" : " ") + tree.boxes[static_cast<std::size_t>(child)].title;
    return text;
}

std::string endText(const graph::ModelGraph &graph, const BoxTree &tree, const Group &group, const WireEnd &end)
{
    const auto at = static_cast<std::size_t>(end.index);
    if (end.kind == EndKind::Child)
        return tree.boxes[static_cast<std::size_t>(group.children[at])].title;
    return end.kind == EndKind::InPort ? "in " + graph.value(group.inPorts[at]).name
                                       : "out " + graph.value(group.outPorts[at]).name;
}

/// "x>layers.0 layers.0>layers.1": the wires of a group.
std::string wires(const graph::ModelGraph &graph, const BoxTree &tree, std::size_t index)
{
    const Group &group = tree.groups[index];
    std::string text;
    for (const Wire &wire : group.wires)
        text += (text.empty() ? "" : ", ") + endText(graph, tree, group, wire.from) + " > " +
                endText(graph, tree, group, wire.to);
    return text;
}

} // namespace

class TestBoxTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void closedModulesStandForTheirNodes()
    {
        const graph::ModelGraph graph = graphFromText(TwoLayers);
        const BoxTree tree = buildBoxTree(graph, {});
        QCOMPARE(titles(tree, 0), std::string("x layers.0 layers.1 return"));
        QCOMPARE(tree.boxes[2].detail, std::string("Module · 2 ops"));
        QCOMPARE(wires(graph, tree, 0), std::string("x > layers.0, layers.0 > layers.1, layers.1 > return"));
        QCOMPARE(tree.boxOfNode, (std::vector<int>{2, 2, 3, 3}));
    }

    void anItemOfAListKeepsTheListsName()
    {
        const graph::ModelGraph graph = graphFromText(R"(in x
call features
call features.0
a = aten::relu x
end
call features.1.2
b = aten::relu a
end
end
call 7
c = aten::relu b
end
return c
)");
        const BoxTree tree = buildBoxTree(graph, {{BoxKind::Module, 0}});
        QCOMPARE(titles(tree, 1), std::string("features.0 features.1.2"));
        QCOMPARE(titles(tree, 0), std::string("x features 7 return")); // that is its whole name
    }

    void anOpenModuleHasPortsForWhatEntersAndLeaves()
    {
        const graph::ModelGraph graph = graphFromText(TwoLayers);
        const BoxTree tree = buildBoxTree(graph, {{BoxKind::Module, 0}});
        QCOMPARE(titles(tree, 1), std::string("fc relu"));
        QCOMPARE(wires(graph, tree, 0), std::string("x > layers.0, layers.0 > layers.1, layers.1 > return"));
        QCOMPARE(wires(graph, tree, 1), std::string("in x > fc, fc > relu, relu > out layers.0/aten::relu:0"));
    }

    void openingOneModuleKeepsTheKeysOfTheOthers()
    {
        const graph::ModelGraph graph = graphFromText(TwoLayers);
        const BoxTree closed = buildBoxTree(graph, {});
        const BoxTree open = buildBoxTree(graph, {{BoxKind::Module, 0}});
        for (const Box &box : closed.boxes) {
            QVERIFY(std::any_of(open.boxes.begin(), open.boxes.end(),
                                [&](const Box &other) { return other.key == box.key && other.title == box.title; }));
        }
    }

    void severalValuesBetweenTwoBoxesAreOneWire()
    {
        const graph::ModelGraph graph =
            graphFromText("in x\ncall a\np, q = aten::chunk x\nend\ncall b\nr = aten::add p q\nend\nreturn r\n");
        const BoxTree tree = buildBoxTree(graph, {});
        QCOMPARE(tree.groups[0].wires.size(), 3U);
        QCOMPARE(tests::namesOf(graph, tree.groups[0].wires[1].values), std::string("a/aten::chunk:0 a/aten::chunk:1"));
    }

    void whatAModelHoldsHasNoWire()
    {
        const graph::ModelGraph graph = graphFromText("in x\nparam w fc.w 8\ny = aten::linear x w\nreturn y\n");
        QCOMPARE(wires(graph, buildBoxTree(graph, {}), 0), std::string("x > linear, linear > return"));
    }

    void anOpenBlockShowsItsNodesAndItsConditionEndsAtItself()
    {
        const graph::ModelGraph graph =
            graphFromText("in x\nin c\ny = prim::If c x {\nz = aten::relu x\n}\nreturn y\n");
        const BoxTree closed = buildBoxTree(graph, {});
        QCOMPARE(titles(closed, 0), std::string("x c if return"));
        QCOMPARE(closed.boxes[3].detail, std::string("1 op inside"));
        const BoxTree open = buildBoxTree(graph, everythingOpen(graph));
        QCOMPARE(titles(open, 1), std::string("relu"));
        QCOMPARE(wires(graph, open, 0), std::string("c > if, x > if, if > return"));
        QCOMPARE(wires(graph, open, 1), std::string("in x > relu"));
    }

    void aSecondCallOfAModuleSaysSo()
    {
        const graph::ModelGraph graph =
            graphFromText("in x\ncall a\ny = aten::relu x\nend\ncall a\nz = aten::relu y\nend\nreturn z\n");
        QCOMPARE(titles(buildBoxTree(graph, {}), 0), std::string("x a a, call 2 return"));
    }

    void aModuleCallThatRunsNothingHasNoBox()
    {
        const graph::ModelGraph graph = graphFromText("in x\ncall a\nend\ny = aten::relu x\ncall b\nend\nreturn y\n");
        QCOMPARE(titles(buildBoxTree(graph, everythingOpen(graph)), 0), std::string("x relu return"));
    }

    void whatIsAroundANodeGivesItABoxOfItsOwn()
    {
        const graph::ModelGraph graph = graphFromText(TwoLayers);
        const BoxTree tree = buildBoxTree(graph, aroundNode(graph, NodeId{0}));
        QCOMPARE(tree.boxes[static_cast<std::size_t>(tree.boxOfNode[0])].title, std::string("linear"));
        QCOMPARE(tree.boxes[static_cast<std::size_t>(tree.boxOfNode[3])].title, std::string("layers.1"));
    }

    void whatCanBeOpenedInsideAModuleOrABlockIsItAndWhatItHolds()
    {
        const graph::ModelGraph graph = graphFromText(R"(in x
in c
call a
call a.b
u = prim::If c x {
v = prim::If c x {
w = aten::relu x
}
}
end
end
call d
y = prim::If c u {
z = aten::sin u
}
end
return y
)");
        const auto inside = [&](BoxKind kind, int index) { return everythingInside(graph, {kind, index}); };
        const BoxKey a{BoxKind::Module, 0};
        const BoxKey b{BoxKind::Module, 1};
        const BoxKey d{BoxKind::Module, 2};
        const BoxKey outer{BoxKind::Block, 0};
        const BoxKey inner{BoxKind::Block, 1};
        const BoxKey last{BoxKind::Block, 3};
        QCOMPARE(inside(BoxKind::Module, 0), (OpenBoxes{a, b, outer, inner}));
        QCOMPARE(inside(BoxKind::Module, 1), (OpenBoxes{b, outer, inner}));
        QCOMPARE(inside(BoxKind::Module, 2), (OpenBoxes{d, last}));
        QCOMPARE(inside(BoxKind::Block, 0), (OpenBoxes{outer, inner}));
        QCOMPARE(inside(BoxKind::Block, 1), OpenBoxes{inner});
        QCOMPARE(inside(BoxKind::Block, 2), OpenBoxes());
        QCOMPARE(inside(BoxKind::Argument, 0), OpenBoxes());
        QCOMPARE(inside(BoxKind::Module, -1), everythingOpen(graph));
    }

    void everythingInsideARandomModuleIsWhatItsBoxesStandAround()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const graph::ModelGraph graph = graphFromText(tests::randomGraphText(seed));
            const BoxTree tree = buildBoxTree(graph, everythingOpen(graph));
            for (std::size_t i = 0; i < tree.boxes.size(); ++i) {
                OpenBoxes below; // by the boxes around each
                for (std::size_t k = i; k < tree.boxes.size(); ++k) {
                    auto around = static_cast<int>(k);
                    while (around > static_cast<int>(i))
                        around = tree.boxes[static_cast<std::size_t>(around)].parent;
                    if (around == static_cast<int>(i) && tree.boxes[k].canOpen && k > 0)
                        below.insert(tree.boxes[k].key);
                }
                QVERIFY2(everythingInside(graph, tree.boxes[i].key) == below,
                         qPrintable(QStringLiteral("seed %1 box %2").arg(seed).arg(i)));
            }
        }
    }

    void everyNodeOfARandomGraphIsShownOnceAndEveryWireLeadsOn()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const graph::ModelGraph graph = graphFromText(tests::randomGraphText(seed));
            const BoxTree tree = buildBoxTree(graph, everythingOpen(graph));
            const auto nodes = std::count_if(tree.boxes.begin(), tree.boxes.end(), [](const Box &box) {
                return box.key.kind == BoxKind::Node || box.key.kind == BoxKind::Block;
            });
            QVERIFY2(nodes == static_cast<std::ptrdiff_t>(graph.nodes.size()),
                     qPrintable(QStringLiteral("seed %1").arg(seed)));
            for (const Group &group : tree.groups) {
                for (const Wire &wire : group.wires) {
                    const bool onwards = wire.from.kind != wire.to.kind || wire.from.index < wire.to.index;
                    QVERIFY2(onwards && !wire.values.empty(), qPrintable(QStringLiteral("seed %1").arg(seed)));
                }
            }
        }
    }
};

PIPESCOPE_TEST(TestBoxTree)
#include "tst_box_tree.moc"

#include "session/related.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

/// Stages of [0, 2), [2, 3) and [3, 5); `a` goes to the last one over the one between.
struct World
{
    graph::ModelGraph graph = tests::graphFromText(R"(
        in x
        param w fc.weight 64
        call fc
        a = aten::linear x w
        end
        call act
        b = aten::relu a
        end
        call act
        c = aten::relu b
        end
        d = prim::If c a {
        call late
        e = aten::sin a
        end
        }
        f = aten::add c d
        return f
    )");
    partition::Partition partition = *partition::makePartition(graph, {2, 3});

    [[nodiscard]] Related related(const Selected &selected) const { return relatedTo(selected, graph, partition); }
    [[nodiscard]] OrderRange order(const Selected &selected) const
    {
        return orderOf(selected, graph, partition.stageOf);
    }
};

Selected node(int id)
{
    return NodeId{id};
}

Selected module(const std::string &fqn, int call = 0)
{
    return SelectedModule{fqn, call};
}

Selected cut(int position)
{
    return SelectedCut{position};
}

Selected stage(int id)
{
    return StageId{id};
}

using Stages = std::vector<StageId>;
using Names = std::vector<std::string>;

} // namespace

class TestRelated : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aNodeOfAnIfStandsWhereTheIfDoes()
    {
        const World world;
        QCOMPARE(world.order(node(1)), (OrderRange{1, 2}));
        QCOMPARE(world.graph.node(NodeId{4}).op, std::string("aten::sin"));
        QCOMPARE(world.order(node(4)), (OrderRange{3, 4}));
        QVERIFY(world.order(node(99)).isEmpty());
    }

    void eachCallOfAModuleHasItsOwnPlace()
    {
        const World world;
        QCOMPARE(world.order(module("act")), (OrderRange{1, 2}));
        QCOMPARE(world.order(module("act", 1)), (OrderRange{2, 3}));
        QCOMPARE(world.order(module("act", 7)), (OrderRange{1, 2})); // another run of the model may have had more
        QCOMPARE(world.order(module("late")), (OrderRange{3, 4}));
        QVERIFY(world.order(module("no.such")).isEmpty());
        QCOMPARE(world.related(module("act", 1)).stages, Stages{StageId{1}});
    }

    void aStageAndAnActionStandForAllNodesOfTheStage()
    {
        const World world;
        QCOMPARE(world.order(stage(2)), (OrderRange{3, 5}));
        const Selected action = tests::forwardOf(0, 3);
        QCOMPARE(world.order(action), (OrderRange{0, 2}));
        QVERIFY(world.order(stage(9)).isEmpty());
        QVERIFY(world.related(action).isEmpty()); // the timeline has the action itself
    }

    void aModuleOfAModelThatWasOnlyReadBelongsToNoStage()
    {
        const World world;
        Selected selected = SelectedModule{"fc", 0};
        QVERIFY(relatedTo(selected, world.graph, partition::Partition()).stages.empty());
    }

    void whatAStageRunsBelongsToItsNodesModulesAndParameters()
    {
        const World world;
        QCOMPARE(world.related(node(0)).stages, Stages{StageId{0}});
        QCOMPARE(world.related(node(4)).stages, Stages{StageId{2}});
        Selected weight = session::SelectedParameter{"fc.weight"};
        QCOMPARE(world.related(weight).stages, Stages{StageId{0}});
        QCOMPARE(world.related(stage(1)).stages, Stages{StageId{1}});
        QCOMPARE(relatedTo(stage(1)).stages, Stages{StageId{1}});
        QVERIFY(relatedTo(node(0)).isEmpty()); // without a model nobody knows where it ran
    }

    void aSplitHasTheTransfersThatGoOverItAlsoThoseThatSkipAStage()
    {
        const World world;
        const std::string a = world.graph.nodes[0].name + ":0";
        const std::string b = world.graph.nodes[1].name + ":0";
        const std::string c = world.graph.nodes[2].name + ":0";
        Names first{a, b};
        Names second{a, c};
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
        QCOMPARE(world.related(cut(2)), (Related{{}, first, StageId{1}}));
        QCOMPARE(world.related(cut(3)), (Related{{}, second, StageId{2}}));
        QVERIFY(world.related(cut(1)).isEmpty()); // no split is there
    }

    void aValueHasItsOwnTransfers()
    {
        const World world;
        Selected value = world.graph.nodes[0].outputs[0];
        QCOMPARE(world.related(value), (Related{{}, Names{world.graph.nodes[0].name + ":0"}, {}}));
        QCOMPARE(world.order(value), (OrderRange{0, 1}));
        value = ValueId{99};
        QVERIFY(world.related(value).isEmpty());
    }
};

PIPESCOPE_TEST(TestRelated)
#include "tst_related.moc"

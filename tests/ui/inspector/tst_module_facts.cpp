#include "inspector/module_facts.h"

#include "inspector/facts_of.h"
#include "known.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::inspector;
using tests::fact;
using tests::joined;
using tests::onward;

namespace {

/// A block of two calls of one activation, cut in its middle, and a module that is only called inside of an if.
struct Block
{
    report::Inspection inspection;
    session::Staging staging;

    Block()
    {
        inspection.graph = tests::graphFromText(R"(
            in x
            param w block.fc.weight 4096
            buffer n block.norm.mean 64
            unused block.aux.weight 8
            call block
            call block.fc
            a = aten::linear x w @0.002 *512
            end
            call block.act
            b = aten::relu a @0.001 *512
            end
            call block.act
            c = aten::relu b @0.001 *512
            end
            d = aten::add c n *512
            end
            e = prim::If x d *512 {
            call late
            f = aten::sin d
            end
            }
            return e
        )");
        graph::ModelGraph &graph = inspection.graph;
        graph.nodes[3].source = {"/src/net.py", 34, 4, "return self.act(y) + self.norm.mean"};
        for (graph::ModuleInfo &module : graph.modules)
            if (module.fqn == "block")
                module = {"block", "Block", 1024, 4096, 64};
        inspection.moduleCosts.resize(graph.modules.size());
        inspection.moduleCosts[0] = {1, 0.008, 4000, {}};
        for (std::size_t i = 0; i < graph.modules.size(); ++i)
            if (graph.modules[i].fqn == "block")
                inspection.moduleCosts[i] = {1, 0.004, 2000, {}};
            else if (graph.modules[i].fqn == "block.act")
                inspection.moduleCosts[i] = {2, 0.002, {}, {}};
        plan::Plan plan;
        plan.splits = {graph.nodes[2].name};
        staging = session::stagingOf(plan, graph);
    }
    [[nodiscard]] FactSheet of(const std::string &fqn, int call = 0) const
    {
        session::Selected selected = session::SelectedModule{fqn, call};
        return factsOf(selected, {inspection.graph, staging, nullptr, &inspection});
    }
};

} // namespace

class TestModuleFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aModuleTellsWhatItHoldsRunsAndCosts()
    {
        const FactSheet sheet = Block().of("block");
        QCOMPARE(sheet.title, QString("block"));
        QCOMPARE(joined(sheet.subtitle), QString("Block; stage 0; stage 1"));
        QCOMPARE(fact(sheet, "parameters"), QString("1\u202f024 (4.00 KiB)"));
        QCOMPARE(fact(sheet, "buffers"), QString("64 B"));
        QCOMPARE(fact(sheet, "time"), QString("4.00 ms (50 % of the model)"));
        QCOMPARE(fact(sheet, "FLOPs"), QString("2.00 k"));
        QCOMPARE(fact(sheet, "operators"), QString("2 × aten::relu; 1 × aten::add; 1 × aten::linear"));
        QCOMPARE(fact(sheet, "memory"), QString("makes 2.00 KiB"));
        QCOMPARE(fact(sheet, "source"), QString("net.py:34; return self.act(y) + self.norm.mean"));
    }

    void aModuleTellsWhatComesInAndGoesOut()
    {
        const FactSheet sheet = Block().of("block");
        QCOMPARE(fact(sheet, "in"), QString("x Tensor")); // neither the weight nor what it makes itself
        QCOMPARE(fact(sheet, "out"), QString("block/aten::add:0 Tensor"));
        QCOMPARE(onward(sheet, "Used by"), QString("/prim::If; late/aten::sin"));
        const FactSheet act = Block().of("block.act");
        QCOMPARE(fact(act, "in"), QString("block.fc/aten::linear:0 Tensor"));
        QCOMPARE(onward(act, "Takes from"), QString("block.fc/aten::linear"));
    }

    void itLeadsToWhatIsInsideAndToWhatCallsIt()
    {
        const FactSheet sheet = Block().of("block");
        QCOMPARE(fact(sheet, "called"), QString("by the model itself; nodes 1 to 4 of 5"));
        QCOMPARE(onward(sheet, "Modules inside"),
                 QString("block.act Module; block.aux Module; block.fc Module; block.norm Module"));
        const FactSheet fc = Block().of("block.fc");
        QCOMPARE(fact(fc, "called"), QString("block; node 1 of 5"));
        QCOMPARE(onward(fc, "Holds"), QString("block.fc.weight float32[1024]"));
        QVERIFY(fc.onward.front().links.front().link ==
                session::Selected(session::SelectedParameter{"block.fc.weight"}));
    }

    void eachCallHasItsOwnStageAndLeadsToTheOthers()
    {
        const Block block;
        QCOMPARE(joined(block.of("block.act").subtitle), QString("Module; stage 0"));
        const FactSheet second = block.of("block.act", 1);
        QCOMPARE(second.title, QString("block.act, call 2"));
        QCOMPARE(joined(second.subtitle), QString("Module; stage 1"));
        QCOMPARE(fact(second, "also"), QString("this is call 2; call 1"));
        QCOMPARE(fact(second, "time"), QString("2.00 ms (25 % of the model), 2 calls"));
        QCOMPARE(fact(second, "FLOPs"), QString("unknown"));
    }

    void oneInsideOfAnIfTellsOfItsCodeThere()
    {
        const FactSheet late = Block().of("late");
        QCOMPARE(fact(late, "operators"), QString("1 × aten::sin"));
        QCOMPARE(fact(late, "called"), QString("by the model itself; /prim::If; node 5 of 5"));
        QCOMPARE(fact(late, "in"), QString("block/aten::add:0 Tensor"));
    }

    void oneThatIsNeverCalledTellsWhatItHolds()
    {
        const FactSheet aux = Block().of("block.aux");
        QCOMPARE(fact(aux, "called"), QString("the method does not call it"));
        QVERIFY(onward(aux, "Holds").startsWith("block.aux.weight"));
        QCOMPARE(Block().of("no.such"), FactSheet());
        QCOMPARE(Block().of(""), FactSheet());
    }

    void anOperatorLeadsToItsModule()
    {
        const tests::World world;
        session::Selected selected = NodeId{0};
        const FactSheet sheet = factsOf(selected, world.known());
        QCOMPARE(fact(sheet, "module"), QString("layers.0"));
        QVERIFY((sheet.facts.front().words.front().link == session::Selected(session::SelectedModule{"layers.0", 0})));
    }
};

PIPESCOPE_TEST(TestModuleFacts)
#include "tst_module_facts.moc"

#include "inspector/facts_of.h"

#include "known.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::inspector;
using session::Selected;
using tests::fact;
using tests::joined;
using tests::onward;

namespace {

Selected node(int id)
{
    return NodeId{id};
}

Selected parameter(const std::string &fqn)
{
    return session::SelectedParameter{fqn};
}

Selected action(int stage, int microbatch)
{
    return tests::forwardOf(stage, microbatch);
}

Selected stage(int id)
{
    return StageId{id};
}

} // namespace

class TestFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void nothingSelectedAndThingsThatAreGoneHaveNoFacts()
    {
        const tests::World world;
        Selected value = ValueId{99};
        Selected cut = session::SelectedCut{77};
        Selected rank = RankId{5};
        for (const Selected &selected :
             {Selected(), node(99), value, parameter("no.such"), action(0, 9), stage(7), cut, rank})
            QCOMPARE(factsOf(selected, world.known()), FactSheet());
        QCOMPARE(factsOf(action(0, 0), world.known(false)), FactSheet());
    }

    void anOperatorTellsItsCostsAndWhereItRuns()
    {
        const tests::World world;
        const FactSheet linear = factsOf(node(0), world.known());
        QCOMPARE(linear.title, QString("layers.0/aten::linear"));
        QCOMPARE(joined(linear.subtitle), QString("Module; stage 0"));
        QVERIFY(linear.subtitle[1].link == Selected(StageId{0}));
        QCOMPARE(fact(linear, "parameters"), QString("4.00 KiB; layers.0.weight float32[1024]"));
        QCOMPARE(fact(linear, "FLOPs"), QString("2.00 k"));
        QCOMPARE(fact(linear, "time"), QString("1.00 ms (25 % of stage)"));
        QCOMPARE(fact(linear, "in"), QString("x Tensor"));
        QCOMPARE(onward(linear, "Used by"), QString("layers.0/aten::relu_"));
        QCOMPARE(onward(linear, "Run in"), QString("2 actions on rank 0"));
        QCOMPARE(linear.tensor->bytes, std::optional<std::int64_t>(512));
    }

    void anOperatorTellsWhatElseItTouches()
    {
        const tests::World world;
        const FactSheet relu = factsOf(node(1), world.known());
        QCOMPARE(fact(relu, "aliases"), QString("may share memory with layers.0/aten::linear:0"));
        QCOMPARE(fact(relu, "writes in place"), QString("layers.0/aten::linear:0 Tensor"));
        const FactSheet dropout = factsOf(node(2), world.known());
        QCOMPARE(joined(dropout.subtitle), QString("Module; stage 1; model.py:12"));
        QCOMPARE(fact(dropout, "state"), QString("reads state; assigns state"));
        QCOMPARE(fact(dropout, "random"), QString("draws random numbers"));
        QCOMPARE(fact(dropout, "gradient"), QString("required"));
        QCOMPARE(fact(dropout, "source"), QString("/src/model.py:12; y = self.drop(x)"));
        QCOMPARE(fact(dropout, "out"), QString("layers.1/aten::dropout:0 float32[2, 128]"));
        QVERIFY(fact(dropout, "FLOPs").isEmpty());
        QCOMPARE(onward(dropout, "Takes from"), QString("layers.0/aten::relu_"));
    }

    void aValueTellsWhoMakesUsesAndSendsIt()
    {
        const tests::World world;
        Selected selected = world.inspection.graph.nodes[1].outputs[0];
        const FactSheet sheet = factsOf(selected, world.known());
        QCOMPARE(joined(sheet.subtitle), QString("result; stage 0"));
        QCOMPARE(fact(sheet, "size"), QString("512 B"));
        QCOMPARE(fact(sheet, "sent"), QString("from stage 0 to stage 1"));
        QCOMPARE(onward(sheet, "Made by"), QString("layers.0/aten::relu_"));
        QCOMPARE(onward(sheet, "Used by"), QString("layers.1/aten::dropout"));
        QVERIFY(sheet.tensor.has_value());
        selected = world.inspection.graph.nodes[0].outputs[0];
        QCOMPARE(fact(factsOf(selected, world.known()), "written by"), QString("layers.0/aten::relu_"));
        selected = world.inspection.graph.outputs[0];
        QCOMPARE(fact(factsOf(selected, world.known()), "returned"), QString("by the method"));
    }

    void aParameterTellsItsSizeAndItsOtherNames()
    {
        const tests::World world;
        const FactSheet weight = factsOf(parameter("layers.0.weight"), world.known());
        QCOMPARE(joined(weight.subtitle), QString("parameter; stage 0"));
        QCOMPARE(fact(weight, "elements"), QString("1\u202f024"));
        QCOMPARE(fact(weight, "size"), QString("4.00 KiB"));
        QCOMPARE(fact(weight, "tied to"), QString("head.weight"));
        QCOMPARE(onward(weight, "Used by"), QString("layers.0/aten::linear"));
        QCOMPARE(weight.tensor, (Tensor{ValueId{}, "layers.0.weight", 4096}));
        QCOMPARE(fact(factsOf(parameter("head.weight"), world.known()), "tied to"), QString("layers.0.weight"));
        Selected byValue = world.inspection.graph.parameters[0].value;
        QCOMPARE(factsOf(byValue, world.known()), weight);
        QCOMPARE(joined(factsOf(parameter("layers.1.running"), world.known()).subtitle), QString("buffer; stage 1"));
    }

    void aParameterThatNoStageUsesSaysSo()
    {
        tests::World world;
        world.inspection.graph = tests::graphFromText("in x\nunused critic.weight 64\nunused steps 8\n"
                                                      "a = aten::sin x +steps -steps\nreturn a");
        world.staging = session::stagingOf(plan::Plan{}, world.inspection.graph);
        const FactSheet critic = factsOf(parameter("critic.weight"), world.known(false));
        QCOMPARE(joined(critic.subtitle), QString("parameter"));
        QCOMPARE(fact(critic, "use"), QString("the method does not use it: it is in no stage"));
        const FactSheet state = factsOf(parameter("steps"), world.known(false));
        QCOMPARE(joined(state.subtitle), QString("parameter; stage 0"));
        QCOMPARE(fact(state, "use"), QString());
    }

    void constantsOfTheCodeAreToldWithTheirNodeAndStage()
    {
        tests::World world;
        world.inspection.graph =
            tests::graphFromText("in x\nconst c table 2048\nconst n : int = 2\na = aten::linear x c n\nreturn a");
        world.staging = session::stagingOf(plan::Plan{}, world.inspection.graph);
        const QString table = QString("table float32[512]");
        QCOMPARE(fact(factsOf(Selected(NodeId{0}), world.known(false)), "constants"), table);
        QCOMPARE(fact(factsOf(stage(0), world.known(false)), "constants"), "2.00 KiB; " + table);
        QCOMPARE(fact(factsOf(Selected(ValueId{1}), world.known(false)), "size"), QString("2.00 KiB"));
    }

    void aStageTellsWhatGoesInAndOutAndWhatARunMeasured()
    {
        const tests::World world;
        const FactSheet sheet = factsOf(stage(0), world.known());
        QCOMPARE(sheet.title, QString("stage 0"));
        QCOMPARE(joined(sheet.subtitle), QString("layers.0; rank 0"));
        QCOMPARE(fact(sheet, "nodes"), QString("2"));
        QCOMPARE(fact(sheet, "FLOPs"), QString("2.00 k"));
        QCOMPARE(fact(sheet, "profiled"), QString("4.00 ms"));
        QCOMPARE(fact(sheet, "in"), QString("x Tensor"));
        QCOMPARE(fact(sheet, "out"), QString("layers.0/aten::relu_:0 Tensor (512 B)"));
        QCOMPARE(fact(sheet, "measured"), QString("2.00 ms a microbatch"));
        QCOMPARE(fact(sheet, "sends"), QString("512 B a microbatch"));
        QCOMPARE(fact(sheet, "busy"), QString("56 %"));
        QCOMPARE(onward(sheet, "Beside it"), QString("stage 1"));
        QVERIFY(fact(factsOf(stage(0), world.known(false)), "measured").isEmpty());
    }

    void aSplitTellsWhatCrosses()
    {
        const tests::World world;
        Selected cut = session::SelectedCut{2};
        const FactSheet placed = factsOf(cut, world.known());
        QCOMPARE(placed.title, QString("split before layers.1/aten::dropout"));
        QCOMPARE(joined(placed.subtitle), QString("stage 0; stage 1"));
        QCOMPARE(fact(placed, "split"), QString("legal"));
        QCOMPARE(fact(placed, "crosses"), QString("layers.0/aten::relu_:0 Tensor (512 B)"));
        QCOMPARE(fact(placed, "bytes"), QString("512 B for the profiled inputs"));
        cut = session::SelectedCut{1};
        const FactSheet free = factsOf(cut, world.known());
        QCOMPARE(free.title, QString("place before layers.0/aten::relu_"));
        QVERIFY2(fact(free, "split").startsWith("not possible: "), qPrintable(fact(free, "split")));
    }

    void anActionTellsItsTimesAndWhatItWaitedFor()
    {
        const tests::World world;
        const FactSheet sheet = factsOf(action(1, 0), world.known());
        QCOMPARE(sheet.title, QString("1F0"));
        QCOMPARE(joined(sheet.subtitle), QString("stage 1; rank 1"));
        QCOMPARE(fact(sheet, "microbatch"), QString("0 (3 rows)"));
        QCOMPARE(fact(sheet, "begin"), QString("2.20 ms"));
        QCOMPARE(fact(sheet, "duration"), QString("3.00 ms (stage's median 2.00 ms)"));
        QCOMPARE(fact(sheet, "waited"), QString("2.10 ms for stage 0"));
        QVERIFY2(fact(sheet, "got").endsWith("512 B from stage 0"), qPrintable(fact(sheet, "got")));
        QCOMPARE(fact(sheet, "run"), QString("test"));
        inspector::Known known = world.known();
        known.runName = "Run 2 GPipe ×2";
        Selected rank = RankId{1};
        Selected span = session::SelectedSpan{{}, {}, 0, 1'000'000};
        for (const Selected &selected : {action(1, 0), rank, span, stage(0)})
            QCOMPARE(fact(factsOf(selected, known), "run"), QString("Run 2 GPipe ×2"));
        QCOMPARE(fact(factsOf(stage(0), world.known(false)), "run"), QString());
        QCOMPARE(onward(sheet, "The same stage's"), QString("1F1"));
        QVERIFY(fact(factsOf(action(0, 0), world.known()), "gave").endsWith("512 B to stage 1"));
        QVERIFY(fact(factsOf(action(1, 1), world.known()), "waited").isEmpty());
    }

    void anActionsWaitEndsWithWhatItWaitedFor()
    {
        tests::World world;
        QVERIFY(fact(factsOf(action(1, 0), world.known()), "not running").isEmpty());
        // Sent 1 ms before it was taken over: rank 1 was not there to see it. Receiving took it 100 µs.
        trace::Event *wait = nullptr;
        for (trace::Event &event : world.run.trace.events) {
            if (event.kind == trace::EventKind::Send)
                event.endNs = 1'000'000;
            if (event.kind == trace::EventKind::Wait)
                wait = &event;
        }
        const FactSheet sheet = factsOf(action(1, 0), world.known());
        QCOMPARE(fact(sheet, "waited"), QString("1.00 ms for stage 0"));
        QCOMPARE(fact(sheet, "not running"), QString("1.10 ms"));
        QVERIFY(fact(factsOf(action(1, 1), world.known()), "not running").isEmpty());
        wait->beginNs = 1'000'000; // from when all was there, it waited for nothing
        QVERIFY(fact(factsOf(action(1, 0), world.known()), "waited").isEmpty());
    }

    void aBackwardLeadsToTheActionsThatItNeedsAndThatNeedIt()
    {
        // 1I0 makes what 0B0 needs; 0B0 gives the credit that 0F1 waits for.
        using schedule::ActionKind;
        tests::World world;
        world.run.trace = tests::TraceBuilder(2, 2, 2)
                              .compute(0, 0, 0, 0, 100)
                              .send(0, 0, 0, 1, 100, 110)
                              .wait(1, 1, 0, trace::WaitCause::Input, 0, 110, 0)
                              .receive(1, 1, 0, 0, 110, 120)
                              .compute(1, 1, 0, 120, 220)
                              .compute(1, 1, 0, 220, 320, ActionKind::BackwardInput)
                              .send(1, 1, 0, 0, 320, 330)
                              .wait(0, 0, 0, trace::WaitCause::Input, 110, 330, 1)
                              .receive(0, 0, 0, 1, 330, 340)
                              .compute(0, 0, 0, 340, 440, ActionKind::FullBackward)
                              .creditWait(0, 0, 1, 0, 0, 340, 440)
                              .compute(0, 0, 1, 440, 540)
                              .build();
        for (trace::Event &event : world.run.trace.events)
            if (event.cause == trace::WaitCause::Credit)
                event.peerAction = ActionKind::FullBackward;
        const auto linksOf = [&](ActionKind kind, int stage, const QString &label, int microbatch = 0) {
            std::vector<Selected> links;
            const Selected selected = session::SelectedAction{{}, {kind, StageId{stage}, MicrobatchId{microbatch}}};
            for (const Fact &each : factsOf(selected, world.known()).facts)
                for (const Words &words : each.label == label ? each.words : std::vector<Words>())
                    links.push_back(words.link.value_or(Selected()));
            return links;
        };
        const auto of = [](ActionKind kind, int stage) {
            return std::vector<Selected>{session::SelectedAction{{}, {kind, StageId{stage}, MicrobatchId{0}}}};
        };
        QVERIFY(linksOf(ActionKind::FullBackward, 0, "waited") == of(ActionKind::BackwardInput, 1));
        QVERIFY(linksOf(ActionKind::FullBackward, 0, "got") == of(ActionKind::BackwardInput, 1));
        QVERIFY(linksOf(ActionKind::BackwardInput, 1, "gave") == of(ActionKind::FullBackward, 0));
        QVERIFY(linksOf(ActionKind::Forward, 0, "gave") == of(ActionKind::Forward, 1));
        QVERIFY(linksOf(ActionKind::Forward, 0, "waited", 1) == of(ActionKind::FullBackward, 0));
    }

    void nothingIsToldOfAnActionUntilItsRunIsExplained()
    {
        const tests::World world;
        Known known = world.known();
        known.explained = nullptr;
        QCOMPARE(factsOf(action(0, 0), known), FactSheet());
        QCOMPARE(factsOf(session::SelectedSpan{{}, {}, 0, 1'000'000}, known), FactSheet());
        QCOMPARE(factsOf(stage(0), known).title, QString("stage 0"));
    }

    void aRankTellsHowItsTimeWent()
    {
        const tests::World world;
        Selected rank = RankId{1};
        const FactSheet sheet = factsOf(rank, world.known());
        QCOMPARE(sheet.title, QString("rank 1 (cpu:1)"));
        QCOMPARE(joined(sheet.subtitle), QString("stage 1"));
        QCOMPARE(fact(sheet, "busy"), QString("5.00 ms (69 %)"));
        QCOMPARE(fact(sheet, "peak memory"), QString("2.00 KiB"));
    }

    /// One name for each cause, as in traces and on the timeline.
    void aRanksWaitsAreNamedAsInTraces()
    {
        tests::World world;
        trace::RankStats &stats = world.run.stats.ranks[1];
        stats.waitInputSeconds = 1e-3;
        stats.waitCreditSeconds = 2e-3;
        stats.waitDeviceSeconds = 3e-3;
        Selected rank = RankId{1};
        const FactSheet sheet = factsOf(rank, world.known());
        const auto waited = [&](trace::WaitCause cause) {
            return fact(sheet, "for " + QString::fromUtf8(trace::causeName(cause).data()));
        };
        QVERIFY(waited(trace::WaitCause::Input).startsWith("1.00 ms"));
        QVERIFY(waited(trace::WaitCause::Credit).startsWith("2.00 ms"));
        QVERIFY(waited(trace::WaitCause::Device).startsWith("3.00 ms"));
        for (trace::Event &event : world.run.trace.events)
            if (event.kind == trace::EventKind::Wait)
                event.cause = trace::WaitCause::Credit;
        QCOMPARE(fact(factsOf(action(1, 0), world.known()), "waited"),
                 QString("2.10 ms for credit: too many microbatches under way"));
    }

    void aWaitForCreditLeadsToTheActionThatGaveIt()
    {
        tests::World world;
        for (trace::Event &event : world.run.trace.events)
            if (event.kind == trace::EventKind::Wait) {
                event.cause = trace::WaitCause::Credit;
                event.peer = StageId{0};
                event.peerMicrobatch = MicrobatchId{1};
            }
        const FactSheet sheet = factsOf(action(1, 0), world.known());
        QCOMPARE(fact(sheet, "waited"), QString("2.10 ms for credit: until stage 0 had finished microbatch 1"));
        const auto waited =
            std::find_if(sheet.facts.begin(), sheet.facts.end(), [](const auto &one) { return one.label == "waited"; });
        QVERIFY(waited->words.at(0).link == Selected(tests::forwardOf(0, 1)));
    }

    void allLinesOfANodesSourceAreShownWithWhatLedThere()
    {
        tests::World world;
        graph::ModelGraph &graph = world.inspection.graph;
        graph.calls[0].fqn = "layers";
        graph.calls.insert(graph.calls.begin() + 1, {"layers.0", 0, 0, 2, {}});
        graph.nodes[0].source = {"/src/model.py", 7, 8, "y = self.fc(\n    x,\n    scale=2)"};
        graph.nodes[1].source = graph.nodes[0].source;
        const FactSheet sheet = factsOf(node(0), world.known());
        QCOMPARE(
            fact(sheet, "source"),
            QString("/src/model.py:7; y = self.fc(; \u00a0\u00a0\u00a0\u00a0x,; \u00a0\u00a0\u00a0\u00a0scale=2)"));
        QCOMPARE(fact(sheet, "same line"), QString("layers.0/aten::relu_"));
        QCOMPARE(fact(sheet, "called in"), QString("layers"));
        const auto found = std::find_if(sheet.facts.begin(), sheet.facts.end(),
                                        [](const Fact &each) { return each.label == "called in"; });
        QVERIFY((found->words[0].link == Selected(session::SelectedModule{"layers", 0})));
        graph.nodes[0].source = {};
        QVERIFY(fact(factsOf(node(0), world.known()), "source").isEmpty());
    }

    void aStretchOfTimeIsDividedByWhatWasDone()
    {
        const tests::World world;
        Selected selected = session::SelectedSpan{{}, RankId{0}, 1'000'000, 3'000'000};
        const FactSheet sheet = factsOf(selected, world.known());
        QCOMPARE(sheet.title, QString("2.00 ms of time"));
        QCOMPARE(fact(sheet, "forward"), QString("1.90 ms (95.0 %)"));
        QCOMPARE(fact(sheet, "bubbles"), QString("5.0 %"));
        QCOMPARE(fact(sheet, "sent"), QString("512 B"));
        QCOMPARE(onward(sheet, "Actions in it"), QString("0F0; 0F1"));
        selected = session::SelectedSpan{{}, RankId{}, 0, 2'000'000};
        QCOMPARE(fact(factsOf(selected, world.known()), "forward"), QString("2.00 ms (50.0 %)"));
    }

    void aSpansPartsAddUpToIt()
    {
        tests::World world;
        Selected selected = session::SelectedSpan{{}, RankId{1}, 0, 2'000'000};
        FactSheet sheet = factsOf(selected, world.known());
        QCOMPARE(fact(sheet, "fill"), QString("2.00 ms (100.0 %)"));
        QCOMPARE(fact(sheet, "bubbles"), QString("100.0 %"));
        // Sent 1 ms earlier: rank 1 was not there to see it. Nor did it wait at the end.
        for (trace::Event &event : world.run.trace.events)
            if (event.kind == trace::EventKind::Send)
                event.endNs = 1'000'000;
        selected = session::SelectedSpan{{}, RankId{1}, 0, 8'000'000};
        sheet = factsOf(selected, world.known());
        QCOMPARE(fact(sheet, "forward"), QString("5.00 ms (69.4 %)"));
        QCOMPARE(fact(sheet, "receive"), QString("100 µs (1.4 %)"));
        QCOMPARE(fact(sheet, "fill"), QString("1.00 ms (13.9 %)"));
        QCOMPARE(fact(sheet, "not running"), QString("1.10 ms (15.3 %)"));
        QCOMPARE(fact(sheet, "bubbles"), QString("30.6 %")); // as the timeline has it: all but computing
    }
};

PIPESCOPE_TEST(TestFacts)
#include "tst_facts.moc"

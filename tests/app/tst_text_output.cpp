#include "text_output.h"

#include "support/contains.h"
#include "support/explained.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <limits>

using namespace pipescope;
using app::Terminal;
using tests::contains;

namespace {

report::TracedRun compared()
{
    report::TracedRun report;
    report.equivalence = report::Equivalence{};
    report.separability = report::Separability{};
    return report;
}

} // namespace

class TestTextOutput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theStageTableAlignsNumbersWithUnits()
    {
        const std::string text =
            app::stageTable({{"stage0", RankId{0}, "", 120, 38'600'000, 154'400'000, 0, 0, 0.012, 262'144, {}},
                             {"stage1", RankId{1}, "h.3", 80, 21'000, 84'000, 0, 0, 0.004, 0, {}}});
        QCOMPARE(
            text,
            std::string("stage   rank  begins at    nodes  parameters     bytes  per microbatch   share    sends\n"
                        "stage0     0  (beginning)    120      38.6 M   147 MiB         12.0 ms  75.0 %  256 KiB\n"
                        "stage1     1  h.3             80      21.0 k  82.0 KiB         4.00 ms  25.0 %      0 B\n"));
    }

    void withoutARunTheTableHasOnlyWhatIsKnown()
    {
        report::StageReport stage;
        stage.name = "stage0";
        stage.nodes = 2;
        QCOMPARE(app::stageTable({stage}), std::string("stage   begins at    nodes  parameters  bytes\n"
                                                       "stage0  (beginning)      2           0    0 B\n"));
    }

    void constantsOfTheCodeAreAmongTheBytesAndToldApart()
    {
        report::StageReport parameters;
        parameters.name = "stage0";
        parameters.nodes = 2;
        parameters.parameterBytes = 2048;
        report::StageReport constants = parameters;
        constants.name = "stage1";
        constants.first = "b";
        constants.constantBytes = 1024;
        QCOMPARE(app::stageTable({parameters, constants}),
                 std::string("stage   begins at    nodes  parameters     bytes  constants\n"
                             "stage0  (beginning)      2           0  2.00 KiB\n"
                             "stage1  b                2           0  3.00 KiB   1.00 KiB\n"));
    }

    void whatNoStageUsesIsSaidOnALine()
    {
        QCOMPARE(app::unusedText({}, "forward", "in no stage"), std::string());
        QCOMPARE(
            app::unusedText({{"critic.0.bias", "critic.0.weight"}, 2, 2048}, "forward", "in no stage"),
            std::string("not used by forward: 2 tensors (2.00 KiB), in no stage: critic.0.bias, critic.0.weight\n"));
        QCOMPARE(app::unusedText({{"a", "b", "c", "d", "e"}, 5, 0}, "encode", "in no stage"),
                 std::string("not used by encode: 5 tensors (0 B), in no stage: a, b, c, d, e\n"));
        QCOMPARE(app::unusedText({{"a", "b", "c", "d", "e", "f"}, 6, 0}, "forward", "in no stage"),
                 std::string("not used by forward: 6 tensors (0 B), in no stage: a, b, c, d and 2 more names\n"));
        report::TracedRun run = compared();
        run.plan.method = "forward";
        run.unused = {{"critic.weight"}, 1, 64};
        QVERIFY(contains(app::runText(run, {}, {}),
                         "\nnot used by forward: 1 tensor (64 B), in no stage: critic.weight\n"));
    }

    void aSplitSaysWhetherItKeptWhatNoStageUses()
    {
        report::SplitReport split;
        split.plan.method = "forward";
        split.unused = {{"critic.weight"}, 1, 64};
        split.files = {{"stage0.pt", {"x"}, {"y"}, {"actor.weight"}, "aa"}};
        QVERIFY(
            contains(app::savedText(split, {}), "not used by forward: 1 tensor (64 B), in no stage: critic.weight\n"));
        split.files[0].parameters.push_back("critic.weight");
        QVERIFY(contains(app::savedText(split, {}),
                         "not used by forward: 1 tensor (64 B), kept in stage0.pt: critic.weight\n"));
    }

    void anInspectionListsWhatIsNotUsedAndTheConstantsOfTheCode()
    {
        report::Inspection inspection;
        inspection.graph = tests::graphFromText(R"(
            in x
            param w actor.weight 64
            const c table 2048
            unused critic.weight 1024
            call actor
            a = aten::linear x w c
            end
            b = aten::add a c
            return b
        )");
        const std::string text = app::inspectText(inspection, app::Detail::Short, {});
        QVERIFY2(contains(text, "\nnot used by forward (1 tensor, 1.00 KiB)\ncritic.weight\n"), text.c_str());
        QVERIFY2(contains(text, "\nconstants of the code (1 tensor, 2.00 KiB)\n"
                                "used by             tensor           bytes  also by\n"
                                "actor/aten::linear  float32[512]  2.00 KiB  1 more node\n"),
                 text.c_str());
        inspection.structureOnly = true; // which it would guess from the code
        const std::string read = app::inspectText(inspection, app::Detail::Short, {});
        QVERIFY(!contains(read, "not used") && !contains(read, "constants of the code"));
    }

    void ofManyUnusedNamesTheFirstAreListed()
    {
        std::string names;
        for (int i = 10; i < 30; ++i)
            names += "unused w" + std::to_string(i) + " 4\n";
        report::Inspection inspection;
        inspection.graph = tests::graphFromText("in x\n" + names + "a = aten::sin x\nreturn a");
        QVERIFY(
            contains(app::inspectText(inspection, app::Detail::Short, {}), "\nw21\nand 8 more (--all lists them)\n"));
        QVERIFY(contains(app::inspectText(inspection, app::Detail::All, {}), "\nw29\n"));
    }

    void bothAnswersAreGivenInWords()
    {
        report::TracedRun report = compared();
        QCOMPARE(app::checkText(report, {}), std::string("equivalent: yes (bitwise)\n"
                                                         "separable: yes (bitwise)\n"));
        report.separability->bitwise = false;
        report.separability->relL2 = 1e-7;
        report.separability->noiseFloor = 3e-7;
        QVERIFY(contains(app::checkText(report, {}),
                         "separable: yes (largest difference 0, relative L2 1e-07, noise 3e-07)\n"));
        report.equivalence->overall.bitwise = false;
        report.equivalence->overall.maxAbsError = 1.5e-7;
        report.separability->holds = false;
        report.separability->maxAbsError = 0.6;
        report.separability->explanation = "fc/quantized::linear_dynamic takes its range over the whole batch";
        QCOMPARE(app::checkText(report, {}),
                 std::string("equivalent: yes (within tolerance: largest difference 1.5e-07, relative 0)\n"
                             "separable: no: fc/quantized::linear_dynamic takes its range over the whole batch "
                             "(largest difference 0.6, relative L2 1e-07, noise 3e-07)\n"));
    }

    void outputsThatCannotBeJoinedDifferByNoNumber()
    {
        report::TracedRun report = compared();
        report::Separability &separability = *report.separability;
        separability.holds = false;
        separability.maxAbsError = separability.maxRelError = std::numeric_limits<double>::infinity();
        separability.explanation = "an output has no batch dimension";
        QVERIFY(contains(app::checkText(report, {}), "separable: no: an output has no batch dimension\n"));
        separability.output = "output[1]";
        QVERIFY(contains(app::checkText(report, {}), "separable: no: an output has no batch dimension (output[1])\n"));
        report.equivalence->overall = {false, false, separability.maxAbsError, separability.maxRelError, "shape", ""};
        QVERIFY(contains(app::checkText(report, {}), "equivalent: no: shape (largest difference infinite, "
                                                     "relative infinite)\n"));
    }

    void aDifferenceNamesItsFirstNode()
    {
        report::TracedRun report = compared();
        report.separability.reset();
        report.separabilityUnknown = "the outputs cannot be joined";
        report::Equivalence &equivalence = *report.equivalence;
        equivalence.overall = {false, false, 2, 1, "scale factor", "[0]: expected 1, got 3"};
        equivalence.first =
            report::Divergence{StageId{1}, MicrobatchId{2}, NodeId{7}, "b/aten::mul", "b/aten::mul:0", {}};
        equivalence.first->difference.kind = "scale factor";
        QCOMPARE(
            app::checkText(report, {}),
            std::string("equivalent: no: scale factor (largest difference 2, relative 1)\n"
                        "  worst: [0]: expected 1, got 3\n"
                        "  first difference: stage 1, microbatch 2, b/aten::mul, value b/aten::mul:0 (scale factor)\n"
                        "separable: not known: the outputs cannot be joined\n"));
    }

    void outputsThatAreNotBitwiseEqualAreListed()
    {
        report::TracedRun report = compared();
        report.separability->output = "output[1]";
        report.separability->part = "column 4";
        report.separability->holds = false;
        report.separability->explanation = "the node mixes rows";
        report::Equivalence &equivalence = *report.equivalence;
        equivalence.byOutput.resize(3);
        QVERIFY(contains(app::checkText(report, {}), "equivalent: yes (bitwise, each of 3 outputs)\n"));
        equivalence.overall = {false, false, 2, 0.5, "values", ""};
        report::OutputEquivalence &near = equivalence.byOutput[1];
        near.name = "output[1]";
        near.difference = {true, false, 1e-7, 1e-6, "rounding", ""};
        near.rtol = 1.3e-6;
        near.atol = 1e-5;
        near.worst = MicrobatchId{0};
        report::OutputEquivalence &wrong = equivalence.byOutput[2];
        wrong.name = "output[2]['h']";
        wrong.difference = equivalence.overall;
        wrong.worst = MicrobatchId{3};
        wrong.first = report::Divergence{StageId{1}, MicrobatchId{2}, NodeId{7}, "b/aten::mul", "b/aten::mul:0", {}};
        QCOMPARE(app::checkText(report, {}),
                 std::string("equivalent: no: values (largest difference 2, relative 0.5)\n"
                             "  output          equal             kind      largest  relative  tolerance               "
                             "  worst microbatch  first difference\n"
                             "  output[1]       within tolerance  rounding    1e-07     1e-06  rtol 1.3e-06, atol 1e-05"
                             "                 0\n"
                             "  output[2]['h']  no                values          2       0.5  bitwise                 "
                             "                 3  b/aten::mul (stage 1, microbatch 2)\n"
                             "  bitwise equal: 1\n"
                             "separable: no: the node mixes rows (output[1], column 4: largest difference 0, relative "
                             "L2 0, noise 0)\n"));
    }

    void ofManyOutputsThoseThatDifferAreListed()
    {
        report::TracedRun report = compared();
        report::Equivalence &equivalence = *report.equivalence;
        equivalence.overall.bitwise = equivalence.overall.equal = false;
        equivalence.byOutput.resize(1000);
        equivalence.moreOutputs = 30;
        for (report::OutputEquivalence &output : equivalence.byOutput)
            output.difference.bitwise = false;
        equivalence.byOutput[999].name = "output[999]";
        equivalence.byOutput[999].difference.equal = false;
        const std::string text = app::checkText(report, {});
        QVERIFY2(contains(text, "\n  output[999]  no "), text.c_str());
        QVERIFY2(contains(text, "  and 980 more that are not bitwise equal\n"), text.c_str());
        QVERIFY2(contains(text, "  and 30 more, not listed\n"), text.c_str());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(1 + 1 + 20 + 2 + 1));
    }

    void coloursAreUsedOnlyWhereAskedFor()
    {
        QVERIFY(!contains(app::checkText(compared(), {false, 80}), "\x1b"));
        QVERIFY(contains(app::checkText(compared(), {true, 80}), "\x1b[32myes\x1b[0m"));
    }

    void busyTimeIsToldByKindOfActionWhereThereAreSeveral()
    {
        report::TracedRun report = compared();
        report.plan.devices = {"cpu:0"};
        report.stats.ranks.assign(1, {});
        report.stats.ranks[0].busySeconds = 3;
        report.stats.ranks[0].kinds = {{schedule::ActionKind::Forward, 3, 1, 3}};
        QVERIFY(contains(app::runText(report, {}, {}), "rank  device    busy  waiting  fill"));
        report.stats.ranks[0].kinds = {{schedule::ActionKind::Forward, 1, 1, 1},
                                       {schedule::ActionKind::FullBackward, 2, 2, 1}};
        const std::string text = app::runText(report, {}, {});
        QVERIFY2(contains(text, "rank  device    busy    in F    in B  waiting  fill"), text.c_str());
        QVERIFY2(contains(text, "0     cpu:0   3.00 s  1.00 s  2.00 s     0 ns  0 ns"), text.c_str());
    }

    void theHeadNamesTheScheduleAsItRan()
    {
        report::TracedRun report = compared();
        report.plan.model = "chain.pt";
        report.plan.schedule = "gpipe";
        report.plan.devices = {"cpu:0"};
        report.schedule = "forwards of gpipe";
        report.modelClass = "Chain";
        report.stages.resize(1);
        report.microbatches = {2, 2};
        const std::string text = app::runText(report, {}, {});
        QVERIFY2(text.starts_with("chain.pt (Chain, forward)\n"
                                  "forwards of gpipe in 1 stage on 1 rank, 2 microbatches of 2 rows, 1 thread each\n"),
                 text.c_str());
        report.plan.inputChunks = {{"images", *microbatch::parseChunkSpec("list")}};
        const std::string items = app::runText(report, {}, {});
        QVERIFY2(contains(items, "2 microbatches of 2 items, 1 thread each\n"), items.c_str());
    }

    void theBubbleIsGivenByBothMeasures()
    {
        report::TracedRun report = compared();
        report.stats.makespanSeconds = 2;
        report.stats.boundSeconds = 1.6;
        report.stats.bubbleShare = 0.183;
        report.stats.bubbleShareOfSpan = 0.121;
        report.unsplitSeconds = 4;
        report.makespans = {2};
        const std::string text = app::runText(report, {"t.json", "p.json"}, {});
        QVERIFY(contains(text, "bubble share: 18.3 % of makespan (12.1 % of rank spans)"));
        QVERIFY(contains(text, "makespan: 2.00 s; 1.250 of its bound, 1.60 s"));
        QVERIFY(contains(text, "the pipeline takes 0.50 of that"));
        QVERIFY(contains(text, "trace written to t.json"));
        QVERIFY(contains(text, "plan written to p.json"));
    }

    void waitsAreNamedAsInTraces()
    {
        report::TracedRun report = compared();
        report.stats.ranks.resize(1);
        report.stats.ranks[0].waitInputSeconds = 1e-3;
        report.stats.ranks[0].waitCreditSeconds = 2e-3;
        const auto columnOf = [](trace::WaitCause cause) { return "  for " + std::string(trace::causeName(cause)); };
        const std::string own = app::runText(report, {}, {});
        QVERIFY2(contains(own, "  fill" + columnOf(trace::WaitCause::Input) + columnOf(trace::WaitCause::Credit) +
                                   "  not running  between  drain"),
                 own.c_str());
        QVERIFY2(contains(own, "1.00 ms     2.00 ms"), own.c_str());
        report.stats.ranks[0].waitDeviceSeconds = 3e-3; // a device that ranks share
        const std::string shared = app::runText(report, {}, {});
        QVERIFY2(contains(shared, columnOf(trace::WaitCause::Credit) + columnOf(trace::WaitCause::Device)),
                 shared.c_str());
        QVERIFY2(contains(shared, "2.00 ms     3.00 ms"), shared.c_str());
    }

    void theLongestBubblesHaveCauseChainAndRemedy()
    {
        const auto explained = tests::explained(tests::oneUnderWayTrace().build());
        QCOMPARE(app::bubbleTable(*explained, 2),
                 std::string(
                     "bubble on rank    from  length  cause   came of           what helps\n"
                     "0               100 ns  300 ns  credit  0F0 → 1F0 → here  a higher limit (Most in flight), and "
                     "memory for it\n"
                     "0               500 ns  300 ns  drain                     more microbatches, fewer stages\n"
                     "and 2 more, 200 ns together\n\n"));
        QCOMPARE(app::bubbleTable(*explained, 0), std::string());
        report::TracedRun report = compared();
        report.trace = explained->trace();
        QVERIFY(contains(app::runText(report, {}, {}, 2), app::bubbleTable(*explained, 2)));
    }

    void aTraceByItselfIsExplained()
    {
        const auto explained = tests::explained(tests::oneUnderWayTrace().build());
        const std::string text = app::traceText(*explained, 5, {});
        for (const char *part :
             {"test\n\n", "rank 0 (cpu:0) |", "bubble on rank", "makespan: 800 ns; ", "bubble share: "})
            QVERIFY2(contains(text, part), text.c_str());
    }

    void tiesNameTheStages()
    {
        QCOMPARE(app::tiesText({{"wte.weight", {StageId{0}, StageId{3}}}}),
                 std::string("tied: wte.weight is used in stages 0 and 3; each keeps a copy\n"));
    }

    void splitPointsInsideModulesAreListedOnRequest()
    {
        report::Inspection inspection;
        inspection.path = "model.pt";
        inspection.graph = tests::graphFromText(R"(
            in x
            param w a.weight 64
            h = aten::relu x *32
            call a
                k = aten::linear h w *32
                l = aten::relu_ !k
            end
            return l
        )");
        inspection.splitPoints = partition::splitPoints(inspection.graph);
        const std::string text = app::inspectText(inspection, app::Detail::Short, {});
        QVERIFY2(contains(text, "split points (2, 1 of them legal)"), text.c_str());
        QVERIFY2(contains(text, "\na             32 B"), text.c_str());
        QVERIFY2(contains(text, "and 1 more (--all lists them)"), text.c_str());
        const std::string all = app::inspectText(inspection, app::Detail::All, {});
        QVERIFY2(contains(all, "not here: "), all.c_str());
    }

    void theOnlyLegalPlaceIsListedThoughItIsNoBoundary()
    {
        report::Inspection inspection;
        inspection.graph = tests::graphFromText(R"(
            in x
            h = aten::relu x
            call a
                k~h = aten::relu_ !h
                l = aten::sin k
            end
            return l
        )");
        inspection.splitPoints = partition::splitPoints(inspection.graph);
        const std::string text = app::inspectText(inspection, app::Detail::Short, {});
        QVERIFY2(contains(text, "split points (2, 1 of them legal)"), text.c_str());
        QVERIFY2(contains(text, "\na            not here: ") && contains(text, "\na/aten::sin  "), text.c_str());
    }
};

PIPESCOPE_TEST(TestTextOutput)
#include "tst_text_output.moc"

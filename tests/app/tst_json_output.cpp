#include "json_output.h"

#include "base/file.h"
#include "support/explained.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QFloat16>
#include <QTest>
#include <cmath>
#include <limits>
#include <set>

using namespace pipescope;
using nlohmann::json;

namespace {

report::TracedRun smallReport()
{
    report::TracedRun made;
    made.plan.model = "model.pt";
    made.plan.devices = {"cpu:0", "cpu:1"};
    made.plan.splits = {"b"};
    made.plan.inputs = {*plan::parseInputSpec("x=float32[4,2]")};
    made.stages.resize(2);
    made.stages[0] = {"stage0", RankId{0}, "", 3, 10, 40, 0, 0, 0.5, 64, {}};
    made.stages[1] = {"stage1", RankId{1}, "b", 4, 20, 80, 8, 16, 0.25, 0, {}};
    made.microbatches = {2, 2};
    made.stats.makespanSeconds = 2;
    made.stats.boundSeconds = 1.5;
    made.stats.bubbleShare = 0.25;
    made.stats.ranks.resize(2);
    made.stats.ranks[0].busySeconds = 1;
    made.stats.ranks[0].kinds = {{schedule::ActionKind::Forward, 0.75, 0.25, 3},
                                 {schedule::ActionKind::FullBackward, 0.25, 0.25, 1}};
    made.stats.ranks[1].waitSeconds = 1.5;
    made.makespans = {2};
    made.ties = {{"w", {StageId{0}, StageId{1}}}};
    made.unused = {{"critic.weight"}, 1, 64};
    made.warnings = {"careful"};
    return made;
}

/// With everything filled in, so that no key is left out.
report::TracedRun fullReport()
{
    report::TracedRun made = smallReport();
    made.equivalence = report::Equivalence{};
    made.equivalence->overall.bitwise = false;
    made.equivalence->first = report::Divergence{};
    made.equivalence->byOutput.resize(1);
    made.equivalence->byOutput[0].first = report::Divergence{};
    made.separability = report::Separability{};
    return made;
}

report::Inspection fullInspection()
{
    report::Inspection made;
    made.graph = tests::graphFromText(R"(
        in x
        param w a.weight 64
        const c table 32
        call a
            h = aten::linear x w c *32
        end
        marker
        y = prim::If h {
            z = aten::relu h
        }
        return y
    )");
    made.splitPoints = partition::splitPoints(made.graph);
    made.moduleCosts.resize(made.graph.modules.size());
    for (report::ModuleCost &cost : made.moduleCosts)
        cost.outputs = made.graph.outputs;
    made.methods = {{"forward", "(Tensor x) -> Tensor"}};
    made.operators = {{"aten::linear", 1}};
    return made;
}

/// The keys of an object and of all objects in it.
std::set<std::string> keysOf(const json &value)
{
    std::set<std::string> keys;
    for (const auto &[key, item] : value.items()) {
        if (value.is_object())
            keys.insert(key);
        if (item.is_structured())
            keys.merge(keysOf(item));
    }
    return keys;
}

/// What docs/cli.md says under headings of the second level.
std::string documentation(const std::vector<std::string> &headings)
{
    const auto page = readFile(PIPESCOPE_SOURCE_DIR "/docs/cli.md", 1 << 20);
    std::string text;
    for (const std::string &heading : headings) {
        const std::size_t begin = page ? page->find("\n## " + heading + "\n") : std::string::npos;
        if (begin != std::string::npos)
            text += page->substr(begin, page->find("\n## ", begin + 1) - begin);
    }
    return text;
}

} // namespace

class TestJsonOutput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRunHasTheKeysOthersRelyOn()
    {
        report::TracedRun made = smallReport();
        made.equivalence = report::Equivalence{};
        made.equivalence->reference = "the module's own method";
        made.separability = report::Separability{};
        made.separability->maxAbsError = 1e-7;
        made.separability->relL2 = 2e-7;
        made.separability->part = "column 4";
        const json object = app::toJson(made, {"t.json", ""});
        QCOMPARE(object.at("equivalent"), json(true));
        QCOMPARE(object.at("max_abs_error"), json(0.0));
        QCOMPARE(object.at("max_rel_error"), json(0.0));
        QCOMPARE(object.at("difference"), json(nullptr));
        QCOMPARE(object.at("separable").at("holds"), json(true));
        QCOMPARE(object.at("separable").at("max_abs_error"), json(1e-7));
        QCOMPARE(object.at("separable").at("relative_l2"), json(2e-7));
        QCOMPARE(object.at("separable").at("part"), json("column 4"));
        QCOMPARE(object.at("separable").at("bitwise"), json(true));
        QCOMPARE(object.at("separable").at("cause"), json(nullptr));
        QCOMPARE(object.at("stages").at(1), json({{"name", "stage1"},
                                                  {"rank", 1},
                                                  {"begins_at", "b"},
                                                  {"nodes", 4},
                                                  {"parameters", 20},
                                                  {"parameter_bytes", 80},
                                                  {"buffer_bytes", 8},
                                                  {"constant_bytes", 16},
                                                  {"seconds", 0.25},
                                                  {"sent_bytes", 0}}));
        QCOMPARE(object.at("unused"), json::parse(R"({"names": ["critic.weight"], "tensors": 1, "bytes": 64})"));
        QCOMPARE(object.at("microbatches"), json({2, 2}));
        QCOMPARE(object.at("makespan_seconds"), json(2.0));
        QCOMPARE(object.at("bound_seconds"), json(1.5));
        QCOMPARE(object.at("bubble_share"), json(0.25));
        QCOMPARE(object.at("ranks").at(0).at("busy_seconds"), json(1.0));
        QCOMPARE(object.at("ranks").at(0).at("kinds"), json::parse(R"([
            {"kind": "F", "seconds": 0.75, "median_seconds": 0.25, "runs": 3},
            {"kind": "B", "seconds": 0.25, "median_seconds": 0.25, "runs": 1}])"));
        QCOMPARE(object.at("ranks").at(1).at("wait_seconds"), json(1.5));
        QCOMPARE(object.at("ranks").at(1).at("device"), json("cpu:1"));
        QCOMPARE(object.at("tied"), json::array({{{"fqn", "w"}, {"stages", {0, 1}}}}));
        QCOMPARE(object.at("inputs"), json({"x=float32[4,2]"}));
        QCOMPARE(object.at("trace_file"), json("t.json"));
        QCOMPARE(object.at("plan_file"), json(nullptr));
        QCOMPARE(object.at("warnings"), json({"careful"}));
        QVERIFY(json::parse(app::toText(object)) == object);
    }

    void whatDiffersIsToldAndInfinityIsNull()
    {
        report::TracedRun made = smallReport();
        report::Equivalence equivalence;
        equivalence.overall.equal = false;
        equivalence.overall.bitwise = false;
        equivalence.overall.maxAbsError = std::numeric_limits<double>::infinity();
        equivalence.overall.maxRelError = 0.5;
        equivalence.overall.kind = "shape";
        equivalence.first = report::Divergence{StageId{1},     MicrobatchId{0},  NodeId{3},
                                               "b/aten::relu", "b/aten::relu:0", equivalence.overall};
        made.equivalence = equivalence;
        const json object = app::toJson(made, {});
        QCOMPARE(object.at("equivalent"), json(false));
        QCOMPARE(object.at("max_abs_error"), json(nullptr));
        QCOMPARE(object.at("max_rel_error"), json(0.5));
        QCOMPARE(object.at("difference").at("kind"), json("shape"));
        QCOMPARE(object.at("first_difference").at("stage"), json(1));
        QCOMPARE(object.at("first_difference").at("node"), json("b/aten::relu"));
    }

    void eachOutputIsAnObject()
    {
        report::TracedRun made = smallReport();
        made.equivalence.emplace().byOutput.resize(2);
        report::OutputEquivalence &wrong = made.equivalence->byOutput[1];
        made.equivalence->byOutput[0].name = "output['boxes']";
        wrong.name = "output['scores']";
        wrong.difference = {false, false, 2, 0.5, "values", "at (0, 1): expected 4, got 6"};
        wrong.rtol = 1.3e-6;
        wrong.atol = 1e-5;
        wrong.worst = MicrobatchId{3};
        wrong.first = report::Divergence{StageId{1},     MicrobatchId{2},  NodeId{3},
                                         "b/aten::relu", "b/aten::relu:0", wrong.difference};
        made.equivalence->moreOutputs = 7;
        made.separability.emplace().output = "output['boxes']";
        const json object = app::toJson(made, {});
        QCOMPARE(object.at("more_outputs"), json(7));
        QCOMPARE(object.at("separable").at("output"), json("output['boxes']"));
        QCOMPARE(object.at("outputs").at(0), json({{"name", "output['boxes']"},
                                                   {"equal", true},
                                                   {"bitwise", true},
                                                   {"kind", "none"},
                                                   {"max_abs_error", 0.0},
                                                   {"max_rel_error", 0.0},
                                                   {"rtol", nullptr},
                                                   {"atol", nullptr},
                                                   {"worst", nullptr},
                                                   {"worst_microbatch", nullptr},
                                                   {"first_difference", nullptr}}));
        const json second = object.at("outputs").at(1);
        QCOMPARE(second.at("equal"), json(false));
        QCOMPARE(second.at("max_abs_error"), json(2.0));
        QCOMPARE(second.at("rtol"), json(1.3e-6));
        QCOMPARE(second.at("worst"), json("at (0, 1): expected 4, got 6"));
        QCOMPARE(second.at("worst_microbatch"), json(3));
        QCOMPARE(second.at("first_difference").at("node"), json("b/aten::relu"));
        QCOMPARE(second.at("first_difference").at("microbatch"), json(2));
    }

    void whatWasNotAskedIsNull()
    {
        const json object = app::toJson(smallReport(), {});
        for (const char *key : {"equivalent", "bitwise", "max_abs_error", "max_rel_error", "separable",
                                "unsplit_seconds", "outputs", "more_outputs"})
            QVERIFY2(object.at(key).is_null(), key);
    }

    void aSeparabilityThatIsUnknownSaysWhy()
    {
        report::TracedRun made = smallReport();
        made.separabilityUnknown = "the outputs cannot be joined";
        const json separable = app::toJson(made, {}).at("separable");
        QCOMPARE(separable.at("holds"), json(nullptr));
        QCOMPARE(separable.at("max_abs_error"), json(nullptr));
        QCOMPARE(separable.at("explanation"), json("the outputs cannot be joined"));
    }

    void anInspectionHasTheKeysOthersRelyOn()
    {
        report::Inspection inspection;
        inspection.path = "model.pt";
        inspection.graph = tests::graphFromText(R"(
            in x
            param w a.weight 64
            call a
                h = aten::linear x w *32
            end
            y = aten::relu h *32
            return y
        )");
        inspection.graph.modules = {{"", "Model", 16, 64, 0}, {"a", "Linear", 16, 64, 0}};
        inspection.splitPoints = partition::splitPoints(inspection.graph);
        inspection.operators = {{"aten::linear", 1}, {"aten::relu", 1}};
        const json object = app::toJson(inspection);
        QCOMPARE(object.at("modules").at(1).at("fqn"), json("a"));
        QCOMPARE(object.at("modules").at(1).at("parameter_bytes"), json(64));
        QCOMPARE(object.at("modules").at(1).at("seconds"), json(nullptr));
        QCOMPARE(object.at("parameters").at(0).at("fqn"), json("a.weight"));
        QCOMPARE(object.at("parameters").at(0).at("used"), json(true));
        QCOMPARE(object.at("operators").at(0), json({{"name", "aten::linear"}, {"count", 1}}));
        QCOMPARE(object.at("inputs").at(0).at("name"), json("x"));
        const json point = object.at("split_points").at(0);
        QCOMPARE(point.at("id"), json("a:end"));
        QCOMPARE(point.at("fqn"), json("a"));
        QCOMPARE(point.at("legal"), json(true));
        QCOMPARE(point.at("reason"), json(nullptr));
        QCOMPARE(point.at("crossing").at(0).at("value"), json("a/aten::linear:0"));
        QCOMPARE(point.at("crossing").at(0).at("bytes"), json(32));
        QCOMPARE(point.at("crossing_bytes"), json(32));
        QVERIFY(json::parse(app::toText(object)) == object);
    }

    void whatTheMethodDoesNotUseAndTheConstantsOfTheCodeAreListed()
    {
        report::Inspection inspection;
        inspection.graph = tests::graphFromText(R"(
            in x
            param w a.weight 64
            unused b.weight 64
            unused count 8
            const c table 32
            const d table 32
            const n : int = 2
            h = aten::linear x w c n +count
            y = aten::add h d c
            return y
        )");
        const json object = app::toJson(inspection);
        QCOMPARE(object.at("parameters").at(0).at("used"), json(true));
        QCOMPARE(object.at("parameters").at(1).at("used"), json(false));
        QCOMPARE(object.at("parameters").at(2).at("used"), json(true)); // read by name
        QCOMPARE(object.at("constants"), json::parse(R"([{"name": "table", "type": "Tensor", "dtype": "float32",
                 "shape": [8], "bytes": 32, "used_by": ["/aten::linear", "/aten::add"]}])"));
        inspection.structureOnly = true;
        const json read = app::toJson(inspection);
        QCOMPARE(read.at("constants"), json(nullptr));
        QCOMPARE(read.at("parameters").at(1).at("used"), json(nullptr));
    }

    void whatARunNeedsIsAnObject()
    {
        report::RunNeeds needs;
        needs.weights = 3000;
        needs.stageWeights = {1000, 2000};
        needs.activations = 500;
        needs.comparison = 0;
        needs.inFlight = 4;
        needs.ranks = 2;
        needs.threadsPerRank = 3;
        needs.machine = {AvailableMemory{4000, "/proc/meminfo"}, 8};
        QCOMPARE(app::toJson(needs), json::parse(R"({"weight_bytes": 3000, "stage_weight_bytes": [1000, 2000],
            "activation_bytes": 500, "comparison_bytes": 0, "available_bytes": 4000,
            "available_source": "/proc/meminfo", "fits": true, "in_flight": 4, "threads": 6, "cores": 8})"));
        needs.activations.reset();
        needs.comparison.reset();
        needs.inFlight = 0;
        needs.ranks = 0;
        needs.machine = {};
        QCOMPARE(app::toJson(needs), json::parse(R"({"weight_bytes": 3000, "stage_weight_bytes": [1000, 2000],
            "activation_bytes": null, "comparison_bytes": null, "available_bytes": null, "available_source": null,
            "fits": null, "in_flight": null, "threads": null, "cores": null})"));
    }

    void errorsHaveCodeMessageAndPlace()
    {
        const json object = app::errorJson({ErrorCode::NotFound, "there is no file 'x'", "x", ""}, {"before"});
        QCOMPARE(
            object.at("error"),
            json({{"code", "not-found"}, {"message", "there is no file 'x'"}, {"where", "x"}, {"details", nullptr}}));
        QCOMPARE(object.at("warnings"), json({"before"}));
    }

    void everyKeyIsDocumented_data()
    {
        QTest::addColumn<QByteArray>("object");
        QTest::addColumn<QStringList>("headings");
        const auto text = [](const json &object) { return QByteArray::fromStdString(app::toText(object)); };
        report::SplitReport split;
        split.stages = smallReport().stages;
        split.ties = smallReport().ties;
        split.unused = smallReport().unused;
        split.files = {{"stage0.pt", {"x"}, {"y"}, {"w"}, "aa"}};
        QTest::newRow("inspect") << text(app::toJson(fullInspection())) << QStringList{"inspect"};
        QTest::newRow("run") << text(app::toJson(fullReport(), {})) << QStringList{"run"};
        QTest::newRow("needs of run") << text(app::toJson(report::RunNeeds())) << QStringList{"run"};
        QTest::newRow("explain") << text(app::toJson(*tests::explained(tests::oneUnderWayTrace().build()), 3))
                                 << QStringList{"explain", "run"}; // what a run has too stands there
        QTest::newRow("split") << text(app::toJson(split)) << QStringList{"split", "run"}; // stages and tied as for run
        QTest::newRow("errors") << text(app::errorJson({}, {})) << QStringList{"Errors"};
    }

    void everyKeyIsDocumented()
    {
        QFETCH(QByteArray, object);
        QFETCH(QStringList, headings);
        std::vector<std::string> sections;
        for (const QString &heading : headings)
            sections.push_back(heading.toStdString());
        const std::string documented = documentation(sections);
        QVERIFY(!documented.empty());
        const std::set<std::string> keys = keysOf(json::parse(object.toStdString()));
        QVERIFY(keys.size() > 4);
        for (const std::string &key : keys)
            QVERIFY2(documented.find("`" + key + "`") != std::string::npos, key.c_str());
    }

    // Guards the test above: an empty list would hide the keys of what is in it.
    void theObjectsWhoseKeysAreLookedUpHaveNoEmptyLists()
    {
        const json inspection = app::toJson(fullInspection());
        for (const char *key : {"modules", "parameters", "constants", "operators", "control_flow", "methods", "inputs",
                                "outputs", "markers", "split_points"})
            QVERIFY2(!inspection.at(key).empty(), key);
        QVERIFY(!inspection.at("modules").at(0).at("outputs").empty());
        QVERIFY(!inspection.at("split_points").at(0).at("crossing").empty());
        const json run = app::toJson(fullReport(), {});
        for (const char *key : {"difference", "first_difference", "outputs", "separable", "stages", "ranks", "tied"})
            QVERIFY2(!run.at(key).empty(), key);
    }

    void theLongestBubblesAreToldWithTheirChain()
    {
        report::TracedRun made = smallReport();
        made.trace = tests::oneUnderWayTrace().build();
        const json object = app::toJson(made, {}, 1);
        QCOMPARE(object.at("bubbles").size(), std::size_t{1});
        json bubble = object.at("bubbles").at(0);
        QVERIFY(std::abs(bubble.at("begin_seconds").get<double>() - 100e-9) < 1e-15);
        QVERIFY(std::abs(bubble.at("seconds").get<double>() - 300e-9) < 1e-15);
        bubble.erase("begin_seconds");
        bubble.erase("seconds");
        QCOMPARE(bubble, json({{"rank", 0},
                               {"cause", "credit"},
                               {"explanation", "waiting for credit: too many microbatches under way until stage 1 had "
                                               "finished microbatch 0"},
                               {"chain", {"0F0", "1F0"}},
                               {"chain_left_out", 0},
                               {"remedy", "a higher limit (Most in flight), and memory for it"}}));
        QCOMPARE(object.at("more_bubbles"), json(3));
    }

    void namesThatAreNoUtf8DoNotBreakTheObject()
    {
        const std::string text = app::toText({{"model", "a\xff.pt"}});
        QVERIFY(!json::parse(text, nullptr, false).is_discarded());
    }
};

PIPESCOPE_TEST(TestJsonOutput)
#include "tst_json_output.moc"

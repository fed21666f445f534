// The program from outside: that what it is told reaches the run, and that what it writes is what happened.

#include "cli_call.h"
#include "core/engine/small_models.h"
#include "make_examples/examples.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"
#include "tensor/tensor_file.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

using namespace pipescope;
using namespace pipescope::tests;
using nlohmann::json;

namespace {

json jsonFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString(), nullptr, false) : json();
}

std::vector<json> eventsWith(const json &trace, const char *key, const char *value)
{
    std::vector<json> found;
    for (const json &event : trace.at("traceEvents")) {
        if (event.contains(key) && event.at(key) == value)
            found.push_back(event);
    }
    return found;
}

std::set<int> idsOf(const std::vector<json> &events)
{
    std::set<int> ids;
    for (const json &event : events)
        ids.insert(event.at("id").get<int>());
    return ids;
}

} // namespace

class TestCliRun : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    CliOutcome m_everyOption; ///< writes two.json and two-trace.json

    QString path(const QString &name) const { return m_folder.filePath(name); }

    QString saved(const torch::jit::Module &module, const char *name) const
    {
        return QString::fromStdString(save(module, path(QString::fromLatin1(name)).toStdString()));
    }

    CliOutcome cli(const QStringList &arguments) const { return callCli(m_folder.path(), arguments); }

    /// A chain whose activation is an operator of a library that never gives the same result twice.
    QString neverRepeating() const
    {
        const QString known = saved(chain(2, 8), "known.pt");
        testing::rewriteArchive(
            known.toStdString(), path("tick.pt").toStdString(), [](const std::string &name, const std::string &bytes) {
                return name.ends_with(".py") ? testing::replaced(bytes, "torch.relu(", "ops.nolib.tick(") : bytes;
            });
        return path("tick.pt");
    }

    /// The options scripts/demo.sh gives, made for the small decoder.
    static QStringList demoOptions()
    {
        QFile script(QStringLiteral(PIPESCOPE_SOURCE_DIR "/scripts/demo.sh"));
        if (!script.open(QIODevice::ReadOnly))
            return {};
        const QRegularExpression command(QStringLiteral("command=\\((\\S+) ([^)]*)\\)"));
        QString options = command.match(QString::fromUtf8(script.readAll())).captured(2);
        options.replace('\'', '"')
            .replace("demo/models/decoder.pt", "decoder.pt")
            .replace("[16,64]<50257", "[16,32]<1000");
        return QProcess::splitCommand(options);
    }

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        saved(testing::twoMethods(), "two.pt");
        QVERIFY(tensor::saveTensors(at::ones({4, 16}), path("x.pt").toStdString()));
        m_everyOption = cli(
            QStringLiteral("run two.pt --method encode --input x=@x.pt --input scale=3.5 --split markers "
                           "--microbatches 4 --chunk x=replicate --chunk-output mean --schedule forward "
                           "--devices cpu:1,cpu:0 --threads-per-rank 2 --max-in-flight 1 --seed 5 --grad --rtol 0.25 "
                           "--atol 0.5 --repeat 2 --no-check --trace two-trace.json --save-plan two.json --json")
                .split(' '));
    }

    void everyExampleRunsAsItSays_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < examples::allExamples().size(); ++i)
            QTest::newRow(std::string(examples::allExamples()[i].name).c_str()) << static_cast<int>(i);
    }

    void everyExampleRunsAsItSays()
    {
        QFETCH(int, index);
        const examples::Example &example = examples::allExamples()[static_cast<std::size_t>(index)];
        const auto text = [](std::string_view view) { return QString::fromUtf8(view.data(), qsizetype(view.size())); };
        const QStringList options = text(example.options).split(' ');
        const QString model = saved(example.build(examples::Size::Small), QTest::currentDataTag());
        const CliOutcome ran =
            cli(QStringList{"run", model, "--input", text(example.smallInput)} + options + QStringList{"--json"});
        QVERIFY2(ran.exitCode == 0, ran.shown());
        const json object = ran.object();
        QCOMPARE(object.at("bitwise"), json(true));
        QCOMPARE(object.at("separable").at("holds"), json(true));
        const qsizetype asked = options.indexOf(QStringLiteral("--microbatches"));
        QVERIFY(asked >= 0);
        QCOMPARE(object.at("microbatches").size(), std::size_t(options.at(asked + 1).toInt()));
        QVERIFY(object.at("stages").size() > 1);
        QVERIFY2(object.at("warnings").empty(), ran.shown());
    }

    void whatARunNeedsStandsBeforeIt()
    {
        const examples::Example &example = examples::allExamples()[1];
        QCOMPARE(example.name, std::string_view("mlp"));
        const QString model = saved(example.build(examples::Size::Small), "needs.pt");
        const QStringList call{"run", model, "--input", "x=float32[16,32]", "--split", "2", "--microbatches", "4"};
        const CliOutcome text = cli(call);
        QVERIFY2(text.exitCode == 0, text.shown());
        // 16 * (32 * 32 + 32) weights; tests of engine/ and report/ say how the rest comes about.
        const QString line = text.out.section('\n', 0, 0);
        QVERIFY2(line.startsWith("needs about 78.0 KiB of memory (weights 66.0 KiB, activations 6.50 KiB, comparison "
                                 "5.50 KiB), "),
                 text.shown());
        QVERIFY2(line.contains(" are free; 2 threads on "), text.shown());
        QVERIFY(text.out.section('\n', 1, 1).contains("MlpChain"));
        const CliOutcome object = cli(call + QStringList{"--json"});
        QVERIFY2(object.exitCode == 0, object.shown());
        const json needs = object.object().at("needs");
        QCOMPARE(needs.at("weight_bytes"), json(67584));
        QCOMPARE(needs.at("activation_bytes"), json(6656));
        QCOMPARE(needs.at("comparison_bytes"), json(5632));
        QCOMPARE(needs.at("threads"), json(2));
        QCOMPARE(needs.at("fits"), json(true));
        QVERIFY(needs.at("available_bytes").get<std::int64_t>() > 0);
        QVERIFY(needs.at("cores").get<int>() > 0);
    }

    void theDemosCommandWorks()
    {
        const QStringList options = demoOptions();
        QVERIFY2(options.startsWith(QStringLiteral("run")), options.join(' ').toUtf8());
        QVERIFY(options.contains(QStringLiteral("ids=int64[16,32]<1000")));
        saved(examples::decoder(examples::Size::Small), "decoder.pt");
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("demo")));
        const CliOutcome ran = cli(options);
        QVERIFY2(ran.exitCode == 0, ran.shown());
        QCOMPARE(ran.out.count(QRegularExpression(QStringLiteral("^stage[0-3] "), QRegularExpression::MultilineOption)),
                 4);
        QCOMPARE(ran.out.count(QRegularExpression(QStringLiteral("^rank ([0-3]) \\(cpu:\\1\\) \\|"),
                                                  QRegularExpression::MultilineOption)),
                 4);
        QVERIFY2(ran.out.contains("bubble share: "), ran.shown());
        QVERIFY2(ran.out.contains("equivalent: yes (bitwise)"), ran.shown());
        QVERIFY2(ran.out.contains("tied: transformer.wte.weight is used in stages 0 and 3; each keeps a copy"),
                 ran.shown());
        QVERIFY(jsonFile(path("demo/trace.json")).contains("traceEvents"));
        QVERIFY(jsonFile(path("demo/plan.json")).contains("pipescopePlan"));
    }

    void aModelThatNeverRepeatsIsNotEquivalent()
    {
        const QString model = neverRepeating();
        const CliOutcome unknown = cli({"run", model, "--input", "x=float32[4,8]", "--split", "block1"});
        QVERIFY2(unknown.exitCode == 2 && unknown.err.contains("nolib::tick"), unknown.shown());

        const CliOutcome ran =
            cli({"run", model, "--op-library", PIPESCOPE_OPERATOR_LIBRARY, "--input", "x=float32[4,8]", "--split",
                 "block1", "--microbatches", "2", "--trace", "tick.json", "--save-plan", "tick-plan.json", "--json"});
        QVERIFY2(ran.exitCode == 1, ran.shown());
        QVERIFY2(ran.err.isEmpty(), ran.shown());
        const json object = ran.object();
        QCOMPARE(object.at("equivalent"), json(false));
        QCOMPARE(object.at("bitwise"), json(false));
        QVERIFY(object.at("max_abs_error").get<double>() > 0.5); // calls are whole numbers apart
        QVERIFY2(object.at("difference").at("explanation").is_string(), ran.shown());
        QCOMPARE(object.at("first_difference").at("node"), json("block0/nolib::tick"));
        QCOMPARE(object.at("first_difference").at("stage"), json(0));
        QCOMPARE(object.at("outputs").size(), std::size_t(1));
        QCOMPARE(object.at("outputs").at(0).at("name"), json("output"));
        QCOMPARE(object.at("outputs").at(0).at("equal"), json(false));
        QCOMPARE(object.at("outputs").at(0).at("rtol"), json(nullptr));
        QCOMPARE(object.at("outputs").at(0).at("first_difference"), object.at("first_difference"));
        QVERIFY(jsonFile(path("tick.json")).contains("traceEvents"));
        QCOMPARE(jsonFile(path("tick-plan.json")).at("opLibraries").size(), std::size_t(1));

        const CliOutcome checked = cli({"check", "tick-plan.json", "--json"});
        QVERIFY2(checked.exitCode == 1, checked.shown());
        QCOMPARE(checked.object().at("equivalent"), json(false));
        const CliOutcome text = cli({"check", "tick-plan.json"});
        QVERIFY2(text.exitCode == 1, text.shown());
        QVERIFY2(text.out.startsWith("equivalent: no: "), text.shown());
        QVERIFY2(text.out.contains("block0/nolib::tick"), text.shown());
        QVERIFY(QFile::exists(model) && QFile::exists(path("tick-plan.json")));
    }

    void everyOptionReachesTheRun()
    {
        QVERIFY2(m_everyOption.exitCode == 0, m_everyOption.shown());
        const json object = m_everyOption.object();
        const json expected = {{"model", "two.pt"},
                               {"method", "encode"},
                               {"inputs", {"x=@x.pt", "scale=3.5"}},
                               {"splits", {"first:end"}},
                               {"schedule", "forward"},
                               {"devices", {"cpu:1", "cpu:0"}},
                               {"threads_per_rank", 2},
                               {"seed", 5},
                               {"grad", true},
                               {"equivalent", nullptr},
                               {"separable", nullptr},
                               {"trace_file", "two-trace.json"},
                               {"plan_file", "two.json"}};
        for (const auto &[key, value] : expected.items())
            QVERIFY2(object.at(key) == value, (key + ": " + object.at(key).dump()).c_str());
        QCOMPARE(object.at("ranks").at(0).at("device"), json("cpu:1"));
        QCOMPARE(object.at("microbatches").size(), std::size_t(4));
        QCOMPARE(object.at("makespans_seconds").size(), std::size_t(2));
    }

    void theSavedPlanHasEveryOption()
    {
        const json plan = jsonFile(path("two.json"));
        const json expected = {{"method", "encode"},
                               {"inputs", {"x=@x.pt", "scale=3.5"}},
                               {"inputChunks", {{"x", "replicate"}}},
                               {"outputChunks", "mean"},
                               {"splits", {"first:end"}},
                               {"microbatches", 4},
                               {"schedule", "forward"},
                               {"devices", {"cpu:1", "cpu:0"}},
                               {"threadsPerRank", 2},
                               {"maxInFlight", 1},
                               {"seed", 5},
                               {"grad", true},
                               {"rtol", 0.25},
                               {"atol", 0.5}};
        for (const auto &[key, value] : expected.items())
            QVERIFY2(plan.contains(key) && plan.at(key) == value, (key + ": " + plan.dump()).c_str());
    }

    void withOneInFlightMicrobatchesFollowOneAnother()
    {
        std::map<int, std::pair<std::int64_t, std::int64_t>> spans; // by microbatch, from first begin to last end
        for (const json &slice : eventsWith(jsonFile(path("two-trace.json")), "cat", "compute")) {
            const json &args = slice.at("args");
            const auto begin = args.at("begin_ns").get<std::int64_t>();
            const auto end = args.at("end_ns").get<std::int64_t>();
            auto &span = spans.try_emplace(args.at("microbatch").get<int>(), begin, end).first->second;
            span = {std::min(span.first, begin), std::max(span.second, end)};
        }
        QCOMPARE(spans.size(), std::size_t(4));
        for (auto span = std::next(spans.begin()); span != spans.end(); ++span)
            QVERIFY(std::prev(span)->second.second <= span->second.first);
    }

    void aRunOfATrainingScheduleSaysThatItsForwardsRan()
    {
        const CliOutcome ran = cli({"run", saved(chain(2, 8), "chain.pt"), "--input", "x=float32[4,8]", "--split",
                                    "block1", "--microbatches", "2", "--schedule", "gpipe"});
        QVERIFY2(ran.exitCode == 0, ran.shown());
        QVERIFY2(ran.out.contains("\nforwards of gpipe in 2 stages on 2 ranks, "), ran.shown());
    }

    void aNodeCanBeginAStage()
    {
        const CliOutcome ran = cli({"run", saved(chain(2, 8), "chain.pt"), "--input", "x=float32[4,8]", "--split",
                                    "block0/aten::relu,block1", "--json"});
        QVERIFY2(ran.exitCode == 0, ran.shown());
        const json object = ran.object();
        QCOMPARE(object.at("splits"), json({"block0/aten::relu", "block1"}));
        QCOMPARE(object.at("stages").at(1).at("begins_at"), json("block0/aten::relu"));
        QCOMPARE(object.at("bitwise"), json(true));
    }

    void wholeNumbersComeFromTheRangeGiven()
    {
        const QString model = saved(testing::c3Embedding(), "embedding.pt"); // of 32 rows
        const CliOutcome inside = cli({"run", model, "--input", "ids=int64[4,8]>=30<32", "--json"});
        QVERIFY2(inside.exitCode == 0, inside.shown());
        QCOMPARE(inside.object().at("inputs"), json({"ids=int64[4,8]>=30<32"}));
        const CliOutcome beyond = cli({"run", model, "--input", "ids=int64[4,8]>=32<34"});
        QVERIFY2(beyond.exitCode == 2, beyond.shown());
        QVERIFY2(beyond.err.contains("emb/aten::embedding: "), beyond.shown());
    }

    void theTraceHasEveryActionAndTransfer()
    {
        const CliOutcome ran = cli({"run", saved(chain(2, 8), "chain.pt"), "--input", "x=float32[4,8]", "--split",
                                    "block1", "--microbatches", "2", "--trace", "trace.json"});
        QVERIFY2(ran.exitCode == 0, ran.shown());
        const json trace = jsonFile(path("trace.json"));
        std::set<std::string> actions;
        for (const json &slice : eventsWith(trace, "cat", "compute"))
            actions.insert(slice.at("name").get<std::string>());
        QCOMPARE(actions, (std::set<std::string>{"0F0", "0F1", "1F0", "1F1"}));
        QCOMPARE(eventsWith(trace, "cat", "compute").size(), std::size_t(4));
        QCOMPARE(eventsWith(trace, "name", "send to stage 1").size(), std::size_t(2));
        QCOMPARE(eventsWith(trace, "cat", "send").size(), std::size_t(2));
        QCOMPARE(eventsWith(trace, "name", "receive from stage 0").size(), std::size_t(2));
        QCOMPARE(eventsWith(trace, "cat", "receive").size(), std::size_t(2));
        QCOMPARE(eventsWith(trace, "ph", "s").size(), std::size_t(2));
        QCOMPARE(eventsWith(trace, "ph", "f").size(), std::size_t(2));
        QCOMPARE(idsOf(eventsWith(trace, "ph", "s")).size(), std::size_t(2));
        QCOMPARE(idsOf(eventsWith(trace, "ph", "s")), idsOf(eventsWith(trace, "ph", "f")));
        std::vector<std::string> names;
        for (const json &track : eventsWith(trace, "name", "process_name"))
            names.push_back(track.at("args").at("name").get<std::string>());
        QCOMPARE(names, (std::vector<std::string>{"rank 0 (cpu:0)", "rank 1 (cpu:1)"}));
        std::set<int> counted;
        for (const json &counter : eventsWith(trace, "ph", "C"))
            counted.insert(counter.at("name") == "memory" ? counter.at("pid").get<int>() : -1);
        QCOMPARE(counted, (std::set<int>{0, 1}));
    }

    /// Case C2: cos and sin come from positions alone.
    void inspectTellsWhichCrossingValuesNeedGradients()
    {
        const CliOutcome shown = cli({"inspect", saved(testing::c2Rope(), "rope.pt"), "--input", "x=float32[4,16]",
                                      "--input", "positions=float32[4,16]", "--grad", "--json"});
        QVERIFY2(shown.exitCode == 0, shown.shown());
        const json object = shown.object();
        std::map<std::string, json> needsGradient;
        for (const json &point : object.at("split_points")) {
            if (point.at("id") != "second:end")
                continue;
            for (const json &value : point.at("crossing"))
                needsGradient[value.at("value").get<std::string>()] = value.at("requires_grad");
        }
        const std::map<std::string, json> expected{
            {"aten::cos:0", false}, {"aten::sin:0", false}, {"second/aten::linear:0", true}};
        QCOMPARE(needsGradient, expected);
    }

    void commandsToATerminalInANameAreShownAndNotDone()
    {
        const CliOutcome none = cli({"inspect", "a\n\x1b[31m.pt"});
        QCOMPARE(none.err, QString("pipescope-cli: error: there is no file 'a\\n\\x1b[31m.pt'\n"));
        const QString model = saved(chain(2, 8), "b\n\x1b[31m.pt");
        const CliOutcome ran = cli({"run", model, "--input", "float32[4,8]", "--split", "2", "--trace", "c\x1b[2J.json",
                                    "--colour", "always"});
        QVERIFY2(ran.exitCode == 0, ran.shown());
        QVERIFY(!ran.out.contains("b\n") && !ran.out.contains("\x1b[31m") && !ran.out.contains("\x1b[2J"));
        QVERIFY2(ran.out.contains("b\\n\\x1b[31m.pt\x1b[0m ("), ran.shown());
        QVERIFY2(ran.out.contains("trace written to c\\x1b[2J.json ("), ran.shown());
        const CliOutcome object = cli({"inspect", model, "--json"});
        QCOMPARE(object.object().at("model"), json(model.toStdString()));
    }
};

PIPESCOPE_TEST(TestCliRun)
#include "tst_cli_run.moc"

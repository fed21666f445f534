// The program from outside: arguments in, exit code, standard output and standard error out.

#include "cli_call.h"
#include "core/engine/small_models.h"
#include "support/contains.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pipescope::tests;
using nlohmann::json;

namespace {

using Outcome = CliOutcome;

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_chain;

    QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QString saved(const torch::jit::Module &module, const char *name) const
    {
        save(module, path(name).toStdString());
        return path(name);
    }

    Outcome cli(const QStringList &arguments) const { return callCli(m_folder.path(), arguments); }

    static QByteArray shown(const Outcome &outcome) { return outcome.shown(); }

    /// The near end of a new pseudo-terminal; -1 where the system has none, as in a folder without /dev/pts.
    static int openTerminal()
    {
        const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
        if (terminal < 0 || (::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0 &&
                             QFile::exists(QString::fromLocal8Bit(::ptsname(terminal)))))
            return terminal;
        ::close(terminal);
        return -1;
    }

    /// Standard output of a call that has a terminal there.
    QByteArray onTerminal(const QStringList &arguments, const QProcessEnvironment &environment) const
    {
        const int terminal = openTerminal();
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessEnvironment(environment);
        process.setStandardOutputFile(QString::fromLocal8Bit(::ptsname(terminal)));
        process.start(QStringLiteral(PIPESCOPE_CLI), arguments);
        QByteArray out;
        char part[4096];
        // Fails once the program, the only one to have the other end, is done.
        for (ssize_t count = 0; (count = ::read(terminal, part, sizeof part)) > 0;)
            out.append(part, static_cast<qsizetype>(count));
        process.waitForFinished(30'000);
        ::close(terminal);
        return process.exitCode() == 0 ? out : process.readAllStandardError();
    }

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_chain = saved(chain(4, 8), "chain.pt");
        QFile text(path("notes.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("no model at all\n");
    }

    void runShowsTimelineBubbleAndEquivalence()
    {
        const Outcome ran = cli({"run", m_chain, "--input", "x=float32[8,8]", "--split", "block1,block2", "--split",
                                 "block3", "--microbatches", "4", "--schedule", "gpipe", "--devices", "cpu:4"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        for (const char *part : {"stage3", "rank 3 (cpu:3) |", "bubble share: ", " % of makespan (",
                                 "equivalent: yes (bitwise)", "separable: yes", "4 microbatches of 2 rows", "block3"})
            QVERIFY2(ran.out.contains(part), part);
        QVERIFY2(ran.err.isEmpty(), ran.err.toUtf8());
        QVERIFY(!ran.out.contains("\x1b["));
    }

    void runPrintsOneJsonObjectAndNothingElse()
    {
        const Outcome ran = cli({"run", m_chain, "--input", "float32[6,8]", "--split", "2", "--microbatches", "3",
                                 "--repeat", "3", "--json"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        const json object = ran.object();
        QVERIFY2(object.is_object(), shown(ran));
        QCOMPARE(object.at("equivalent"), json(true));
        QCOMPARE(object.at("bitwise"), json(true));
        QCOMPARE(object.at("separable").at("holds"), json(true));
        QCOMPARE(object.at("stages").size(), std::size_t(2));
        QCOMPARE(object.at("microbatches"), json({2, 2, 2}));
        QCOMPARE(object.at("ranks").size(), std::size_t(2));
        QCOMPARE(object.at("makespans_seconds").size(), std::size_t(3));
        QVERIFY(object.at("makespan_seconds").get<double>() > 0);
        QVERIFY(object.at("bound_seconds").get<double>() > 0);
        QVERIFY(object.at("bubble_share").get<double>() >= 0);
        QVERIFY(ran.err.isEmpty());
    }

    void aSavedPlanRunsAgainAndChecks()
    {
        const Outcome ran = cli({"run", m_chain, "--input", "x=float32[8,8]", "--split", "block2", "--microbatches",
                                 "2", "--trace", "t.json", "--save-plan", "p.json", "--json"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        QFile trace(path("t.json"));
        QVERIFY(trace.open(QIODevice::ReadOnly));
        const json events = json::parse(trace.readAll().toStdString(), nullptr, false);
        QVERIFY(events.is_object());
        QVERIFY(!events.at("traceEvents").empty());

        const Outcome again = cli({"run", "p.json", "--microbatches", "4", "--json"});
        QVERIFY2(again.exitCode == 0, shown(again));
        QCOMPARE(again.object().at("microbatches").size(), std::size_t(4));
        QCOMPARE(again.object().at("splits"), json({"block2"}));

        const Outcome checked = cli({"check", "p.json"});
        QVERIFY2(checked.exitCode == 0, shown(checked));
        QVERIFY(checked.out.startsWith("equivalent: yes (bitwise)\nseparable: yes"));
        const Outcome asJson = cli({"check", "p.json", "--json"});
        QCOMPARE(asJson.object().at("equivalent"), json(true));
    }

    void aPlanWithoutInputsIsCheckedWithThoseGiven()
    {
        QVERIFY(cli({"split", m_chain, "--split", "block1", "--out", "unfed"}).exitCode == 0);
        const Outcome unfed = cli({"check", "unfed/plan.json"});
        QCOMPARE(unfed.exitCode, 2);
        QVERIFY2(unfed.err.contains("give it as --input 'x=float32[8,8]' (guess: 8 rows)"), shown(unfed));
        const Outcome fed = cli({"check", "unfed/plan.json", "--input", "x=float32[4,8]"});
        QVERIFY2(fed.exitCode == 0, shown(fed));
        QVERIFY(fed.out.contains("equivalent: yes (bitwise)"));
    }

    void aCheckOfASplitLooksAtTheFilesToo()
    {
        QVERIFY(cli({"split", m_chain, "--split", "block1", "--input", "x=float32[4,8]", "--out", "looked"}).exitCode ==
                0);
        const Outcome whole = cli({"check", "looked/plan.json"});
        QVERIFY2(whole.exitCode == 0, shown(whole));
        QVERIFY2(whole.out.endsWith("\nstage files: yes (2 files as split wrote them)\n"), shown(whole));
        QFile stage(path("looked/stage1.pt"));
        QVERIFY(stage.open(QIODevice::Append) && stage.write("x") == 1);
        stage.close();
        const Outcome changed = cli({"check", "looked/plan.json"});
        QCOMPARE(changed.exitCode, 1);
        QVERIFY2(changed.out.contains("equivalent: yes (bitwise)"), shown(changed)); // of the model itself
        QVERIFY2(changed.out.endsWith("\nstage files: no: stage1.pt is another file than split wrote\n"),
                 shown(changed));
        const Outcome asJson = cli({"check", "looked/plan.json", "--json"});
        QCOMPARE(asJson.exitCode, 1);
        QCOMPARE(asJson.object().at("stage_files").at("as_written"), json(false));
        QVERIFY(cli({"run", "looked/plan.json", "--split", "block2", "--save-plan", "looked/other.json"}).exitCode ==
                0);
        const Outcome other = cli({"check", "looked/other.json"});
        QVERIFY2(other.exitCode == 0, shown(other));
        QVERIFY2(other.out.contains("\nstage files: not looked at: the stage files were written for other splits"),
                 shown(other));
        QVERIFY(cli({"run", "looked/plan.json", "--save-plan", "alone.json"}).exitCode == 0);
        QVERIFY(!cli({"check", "alone.json"}).out.contains("stage files"));
        QCOMPARE(cli({"check", "alone.json", "--json"}).object().at("stage_files"), json(nullptr));
    }

    void aModelThatChangedSinceThePlanIsAWarning()
    {
        const QString model = saved(chain(2, 8), "changing.pt");
        QVERIFY(cli({"run", model, "--input", "x=float32[4,8]", "--split", "block1", "--save-plan", "changing.json"})
                    .exitCode == 0);
        saved(chain(3, 8), "changing.pt");
        const Outcome checked = cli({"check", "changing.json"});
        QVERIFY2(checked.exitCode == 0, shown(checked));
        QVERIFY2(checked.err.startsWith("warning: "), checked.err.toUtf8());
        QVERIFY(checked.err.contains("is not the file the plan was made for"));
    }

    void carriedStateIsReportedAsWhatMakesTheBatchNotSeparable()
    {
        const Outcome ran = cli({"run", saved(counting(), "counting.pt"), "--input", "x=float32[4,4]", "--split",
                                 "second", "--microbatches", "2", "--json"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        QCOMPARE(ran.object().at("equivalent"), json(true));
        QCOMPARE(ran.object().at("separable").at("holds"), json(false));
        QCOMPARE(ran.object().at("separable").at("cause"), json("state"));
    }

    void aCheckThatRequiresItTellsByItsExitCodeThatTheBatchMayNotBeCut()
    {
        QVERIFY(cli({"run", saved(counting(), "counting.pt"), "--input", "x=float32[4,4]", "--split", "second",
                     "--microbatches", "2", "--save-plan", "counting.json"})
                    .exitCode == 0);
        QCOMPARE(cli({"check", "counting.json"}).exitCode, 0);
        const Outcome refused = cli({"check", "counting.json", "--require-separable"});
        QVERIFY2(refused.exitCode == 1, shown(refused));
        QVERIFY2(refused.out.contains("separable: no: "), shown(refused));
        QVERIFY2(refused.out.contains("reads state that earlier calls changed"), shown(refused));
        QCOMPARE(cli({"check", "counting.json", "--require-separable", "--json"}).exitCode, 1);
        const QString whole = saved(chain(2, 8), "whole.pt");
        QVERIFY(cli({"run", whole, "--input", "x=float32[4,8]", "--split", "block1", "--microbatches", "2",
                     "--save-plan", "whole.json"})
                    .exitCode == 0);
        QCOMPARE(cli({"check", "whole.json", "--require-separable"}).exitCode, 0);
    }

    void chunkSpecsAndTolerancesAreTaken()
    {
        const Outcome ran = cli({"run", saved(awkward(), "awkward.pt"), "--input", "float32[4,4]", "--input", "scale=3",
                                 "--chunk", "x=1", "--chunk-output", "sum", "--microbatches", "2", "--rtol", "0.001",
                                 "--atol", "0.001", "--split", "first:end", "--json"});
        QVERIFY2(ran.object().contains("error"), shown(ran));
        QVERIFY2(ran.exitCode == 2, shown(ran)); // cut in columns, the layer inside does not fit any more
        const Outcome rows = cli({"run", saved(awkward(), "awkward.pt"), "--input", "float32[4,4]", "--input",
                                  "scale=3", "--chunk", "x=0", "--chunk-output", "sum", "--microbatches", "2", "--rtol",
                                  "0.001", "--atol", "0.001", "--split", "first:end", "--json"});
        QVERIFY2(rows.exitCode == 0, shown(rows));
        QCOMPARE(rows.object().at("separable").at("holds"), json(true));
    }

    void whatNoStageUsesIsSaidAndSavedOnlyWhereThatIsWanted()
    {
        const QString model = saved(actorAndCritic(), "critic.pt");
        const QStringList split{"split", model, "--split", "actor1", "--out", "critic"};
        const json critics{"critic0.weight", "critic1.weight", "critic2.weight"};
        const QString names = "critic0.weight, critic1.weight, critic2.weight\n";
        const Outcome inspected = cli({"inspect", model});
        QVERIFY2(inspected.out.contains("\nnot used by forward (3 tensors, 768 B)\ncritic0.weight\n"),
                 shown(inspected));
        const Outcome ran = cli({"run", model, "--input", "x=float32[4,8]", "--split", "actor1"});
        QVERIFY2(ran.out.contains("\nnot used by forward: 3 tensors (768 B), in no stage: " + names), shown(ran));
        const json without = cli(split + QStringList{"--json"}).object();
        QCOMPARE(without.at("files").at(0).at("parameters"), json::array({"actor0.weight"}));
        QCOMPARE(without.at("files").at(1).at("parameters"), json::array({"actor1.weight"}));
        QCOMPARE(without.at("unused"), json({{"names", critics}, {"tensors", 3}, {"bytes", 768}}));
        const Outcome kept = cli(split + QStringList{"--keep-unused"});
        QVERIFY2(kept.out.contains("\nnot used by forward: 3 tensors (768 B), kept in stage0.pt: " + names),
                 shown(kept));
        const Outcome checked = cli({"check", "critic/plan.json", "--input", "x=float32[4,8]"});
        QVERIFY2(checked.exitCode == 0 && checked.out.contains("stage files: yes"), shown(checked));
    }

    void constantsOfTheCodeAreShownAndMakeTheStagesBytes()
    {
        const QString model = saved(pipescope::testing::frozenModel(), "frozen.pt");
        const Outcome inspected = cli({"inspect", model});
        QVERIFY2(inspected.out.contains("\nconstants of the code (4 tensors, 2.12 KiB)\n"), shown(inspected));
        const json object = cli({"inspect", model, "--json"}).object();
        QCOMPARE(object.at("constants").size(), std::size_t(4));
        QCOMPARE(object.at("parameters"), json::array());
        const Outcome ran = cli({"run", model, "--input", "x=float32[4,16]", "--split", "aten::relu", "--json"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        for (const json &stage : ran.object().at("stages"))
            QCOMPARE(stage.at("constant_bytes"), json(16 * 17 * 4));
    }

    void splitWritesAFolderOfStages()
    {
        const Outcome made =
            cli({"split", m_chain, "--split", "block1", "--split", "block3", "--out", "parts", "--json"});
        QVERIFY2(made.exitCode == 0, shown(made));
        const json object = made.object();
        QCOMPARE(object.at("files").size(), std::size_t(3));
        for (const json &file : object.at("files"))
            QVERIFY(QFile::exists(path("parts/") + QString::fromStdString(file.at("file").get<std::string>())));
        QVERIFY(QFile::exists(path("parts/stages.json")));
        const Outcome checked = cli({"check", "parts/plan.json"});
        QVERIFY2(checked.exitCode == 2, shown(checked)); // no inputs were given
        QVERIFY2(checked.err.contains("missing a required argument: 'x'"), shown(checked));
        const Outcome text = cli({"split", m_chain, "--split", "block1", "--out", "parts2"});
        QVERIFY2(text.out.contains("written to parts2, with stages.json and plan.json"), shown(text));
    }

    void inspectListsModulesAndSplitPoints()
    {
        const Outcome text = cli({"inspect", m_chain, "--input", "x=float32[4,8]"});
        QVERIFY2(text.exitCode == 0, shown(text));
        for (const char *part :
             {"(model)", "block0 .. block3", "4 × Layer", "forward(Tensor x) -> Tensor", "split points (",
              "float32[4, 8]", "128 B", "more (--all lists them)", "state the method writes\nnone"})
            QVERIFY2(text.out.contains(QString::fromUtf8(part)), part);
        const Outcome object = cli({"inspect", m_chain, "--json"});
        QCOMPARE(object.object().at("modules").size(), std::size_t(5));
        QCOMPARE(object.object().at("structure_only"), json(false));
        QVERIFY(!object.object().at("split_points").empty());
    }

    void structureOnlyShowsAModelWithoutLoadingIt()
    {
        const Outcome text = cli({"inspect", m_chain, "--structure-only"});
        QVERIFY2(text.exitCode == 0, shown(text));
        QVERIFY(text.out.contains("structure only: the file was read, not loaded"));
        QVERIFY(text.out.contains("4 × Layer"));
        QVERIFY(!text.out.contains("split points"));
    }

    void structureOnlyRunsNothingThatTheFileHolds()
    {
        const QString words = QStringLiteral("the code of the file was run");
        torch::jit::Module trap = emptyModule("Trap");
        trap.define("def __getstate__(self) -> int:\n    return 3\n"
                    "def __setstate__(self, state: int) -> None:\n    print(\"the code of the file was run\")\n"
                    "    self.training = False\n"
                    "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(torch.sin(x))\n");
        const QString file = saved(trap, "trap.pt");
        for (const QStringList &form : {QStringList(), {"--json"}, {"--all"}}) {
            const Outcome read = cli(QStringList{"inspect", file, "--structure-only"} + form);
            QVERIFY2(read.exitCode == 0, shown(read));
            QVERIFY2(read.out.contains("forward"), shown(read));
            QVERIFY2(!read.out.contains(words) && !read.err.contains(words), shown(read));
        }
        const Outcome loaded = cli({"inspect", file});
        QVERIFY2(loaded.exitCode == 0, shown(loaded));
        QVERIFY2(loaded.out.contains(words) || loaded.err.contains(words), shown(loaded));
    }

    void mistakesAreExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const QString chainPath = path("chain.pt");
        QTest::newRow("an unknown command") << QStringList{"rnu"} << "there is no command 'rnu'. Did you mean run?";
        QTest::newRow("an unknown option") << QStringList{"run", chainPath, "--microbatch", "3"}
                                           << "there is no option '--microbatch'. Did you mean --microbatches?";
        QTest::newRow("no model") << QStringList{"run", "--split", "2"} << "MODEL|PLAN is required";
        QTest::newRow("no number") << QStringList{"run", chainPath, "--microbatches", "many"} << "--microbatches";
        QTest::newRow("no file") << QStringList{"inspect", "nowhere.pt"} << "there is no file 'nowhere.pt'";
        QTest::newRow("a text file") << QStringList{"inspect", "notes.txt"} << "text";
        QTest::newRow("an unknown module")
            << QStringList{"run", chainPath, "--input", "x=float32[4,8]", "--split", "blok2"} << "Did you mean block2";
        QTest::newRow("a missing input") << QStringList{"run", chainPath, "--split", "block1"}
                                         << "missing a required argument: 'x'";
        QTest::newRow("an unknown input")
            << QStringList{"run", chainPath, "--input", "y=float32[4,8]", "--split", "block1"}
            << "got an unexpected keyword argument 'y'";
        QTest::newRow("an unknown schedule")
            << QStringList{"run", chainPath, "--input", "x=float32[4,8]", "--split", "block1", "--schedule", "gpip"}
            << "Unknown schedule name 'gpip'";
        QTest::newRow("an unknown colour")
            << QStringList{"inspect", chainPath, "--colour", "alway"} << "Did you mean always";
        QTest::newRow("an output nowhere")
            << QStringList{"run", chainPath, "--input", "x=float32[4,8]", "--trace", "no/such/t.json"}
            << "cannot write 'no/such/t.json': the folder 'no/such' does not exist";
        for (const char *option : {"--trace", "--save-plan"})
            QTest::addRow("%s of no name", option)
                << QStringList{"run", chainPath, "--input", "x=float32[4,8]", option, ""}
                << QString("%1: expected the name of a file, found ''").arg(option);
        QTest::newRow("nowhere to split")
            << QStringList{"split", chainPath, "--out", "parts"} << "nothing says where to split";
        QTest::newRow("a model to check") << QStringList{"check", chainPath} << "is no plan";
        QTest::newRow("one tolerance") << QStringList{"run", chainPath, "--rtol", "1"}
                                       << "--rtol and --atol go together";
        QTest::newRow("wrong columns") << QStringList{"run",     chainPath, "--input", "x=float32[4,7]",
                                                      "--split", "block1"}
                                       << "cannot be multiplied (4x7 and 8x8) (x is float32[4, 7], the transposed "
                                          "weight of block0 is float32[8, 8]); give it as --input 'x=float32[4,8]'";
        QTest::newRow("another dtype")
            << QStringList{"run", chainPath, "--input", "x=int64[4,8]", "--split", "block1"}
            << "unsplit model, the whole batch, block0/aten::matmul (<string>:2): RuntimeError: expected m1 and m2 to "
               "have the same dtype, but got: long int != float (x is int64, the weight of block0 is float32); give it "
               "as --input 'x=float32[4,8]'";
        QTest::newRow("no number of runs")
            << QStringList{"run", chainPath, "--repeat", "x"}
            << "expected a whole number from 1 to 2147483647, found 'x' (pipescope-cli run --help lists what there is)";
        QTest::newRow("no number of threads") << QStringList{"inspect", chainPath, "--threads", "x"}
                                              << "expected a whole number from 1 to 4096, found 'x'";
        QTest::newRow("more bubbles than anybody reads") << QStringList{"explain", "trace.json", "--bubbles", "1001"}
                                                         << "expected a whole number from 0 to 1000, found '1001'";
        QTest::newRow("stages below a file")
            << QStringList{"split", chainPath, "--split", "block1", "--out", "chain.pt/x"}
            << "cannot write 'chain.pt/x': 'chain.pt' is not a folder";
    }

    void mistakesAreExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const Outcome text = cli(arguments);
        QVERIFY2(text.exitCode == 2, shown(text));
        QVERIFY2(text.out.isEmpty(), shown(text));
        QVERIFY2(text.err.startsWith("pipescope-cli: error: "), shown(text));
        QVERIFY2(text.err.contains(message), shown(text));

        const Outcome object = cli(arguments + QStringList{"--json"});
        QVERIFY2(object.exitCode == 2, shown(object));
        QVERIFY2(object.object().is_object(), shown(object));
        QVERIFY2(contains(object.errorMessage(), message.toStdString()), shown(object));
        QVERIFY(object.object().at("error").at("code").is_string());
        QVERIFY(object.object().at("error").contains("where"));
    }

    void whatCannotBeReadIsSaidAlikeByEveryCommand_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("message");
        QTest::newRow("folder") << "folder"
                                << "cannot read 'folder': it is a folder";
        QTest::newRow("pipe") << "pipe"
                              << "cannot read 'pipe': it is not a regular file";
        QTest::newRow("device") << "/dev/null"
                                << "cannot read '/dev/null': it is not a regular file";
        QTest::newRow("nothing") << "nowhere.json"
                                 << "there is no file 'nowhere.json'";
        QTest::newRow("closed") << "closed.json"
                                << "cannot read 'closed.json': Permission denied";
    }

    void whatCannotBeReadIsSaidAlikeByEveryCommand()
    {
        QFETCH(QString, path);
        QFETCH(QString, message);
        const QDir folder(m_folder.path());
        folder.mkdir("folder");
        ::mkfifo(folder.filePath("pipe").toLocal8Bit().constData(), 0600);
        QFile closed(folder.filePath("closed.json"));
        QVERIFY(closed.exists() || closed.open(QIODevice::WriteOnly));
        QVERIFY(closed.setPermissions({}));
        for (const QStringList &command : {QStringList{"inspect"}, QStringList{"run"}, QStringList{"check"},
                                           QStringList{"split", "--split", "2", "--out", "parts"}}) {
            const Outcome outcome = callCli(m_folder.path(), command + QStringList{path}, Rights::Everybodys);
            QCOMPARE(outcome.exitCode, 2);
            QCOMPARE(outcome.err, QString("pipescope-cli: error: %1\n").arg(message));
        }
    }

    void aTraceThatARunWroteIsExplained()
    {
        const Outcome ran = cli({"run", m_chain, "--input", "x=float32[8,8]", "--split", "block1", "--microbatches",
                                 "4", "--bubbles", "0", "--trace", "explained.json"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        QVERIFY(!ran.out.contains("bubble on rank"));
        const Outcome explained = cli({"explain", "explained.json", "--bubbles", "2"});
        QVERIFY2(explained.exitCode == 0, shown(explained));
        for (const char *part : {"rank 1 (cpu:1) |", "bubble on rank", "what helps", "makespan: "})
            QVERIFY2(explained.out.contains(part), shown(explained));
        QCOMPARE(cli({"explain", "explained.json", "--bubbles", "1", "--json"}).object().at("bubbles").size(),
                 std::size_t{1});
        QCOMPARE(cli({"explain", m_chain}).exitCode, 2);
    }

    void helpAndVersionAreNoErrors()
    {
        const Outcome help = cli({"run", "--help"});
        QCOMPARE(help.exitCode, 0);
        QVERIFY(help.out.contains("--microbatches"));
        QCOMPARE(cli({"--version"}).exitCode, 0);
        QCOMPARE(cli({}).exitCode, 2);
    }

    void coloursComeOnRequest()
    {
        const Outcome ran =
            cli({"run", m_chain, "--input", "x=float32[4,8]", "--split", "block1", "--colour", "always"});
        QVERIFY2(ran.exitCode == 0, shown(ran));
        QVERIFY(ran.out.contains("\x1b["));
    }

    void coloursOnATerminalStayAwayWhereNoColorIsSet()
    {
        const int terminal = openTerminal();
        if (terminal < 0)
            QSKIP("this machine has no pseudo-terminals");
        ::close(terminal);
        const QStringList arguments{"run", m_chain, "--input", "x=float32[4,8]", "--split", "block1"};
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TERM"), QStringLiteral("xterm"));
        environment.remove(QStringLiteral("NO_COLOR"));
        const QByteArray coloured = onTerminal(arguments, environment);
        QVERIFY2(coloured.contains("equivalent: \x1b[32myes"), coloured);
        environment.insert(QStringLiteral("NO_COLOR"), QStringLiteral("1"));
        const QByteArray plain = onTerminal(arguments, environment);
        QVERIFY2(plain.contains("equivalent: yes") && !plain.contains('\x1b'), plain);
    }

    void detailsShowTheTraceback()
    {
        const QStringList failing{"run", m_chain, "--input", "x=float32[4,7]", "--split", "block1"};
        const Outcome brief = cli(failing);
        QVERIFY2(brief.err.endsWith("(--details shows more)\n"), shown(brief));
        QVERIFY2(!brief.err.contains("Traceback of TorchScript"), shown(brief));
        const Outcome full = cli(failing + QStringList{"--details"});
        QCOMPARE(full.exitCode, 2);
        QVERIFY2(full.err.contains("Traceback of TorchScript"), shown(full));
        QVERIFY2(full.err.contains("return torch.relu(torch.matmul(x, "), shown(full));
    }
};

PIPESCOPE_TEST(TestCli)
#include "tst_cli.moc"

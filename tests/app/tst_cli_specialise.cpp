// The program from outside: --specialise.

#include "cli_call.h"
#include "core/engine/small_models.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;
using nlohmann::json;

namespace {

torch::jit::Module branches()
{
    at::manual_seed(5);
    torch::jit::Module module = emptyModule("Branches");
    for (const char *name : {"first", "second"})
        module.register_module(name, layer(at::randn({8, 8}) / 8));
    module.define(R"(
def forward(self, x: Tensor, rate: int, mode: str = 'mean') -> Tensor:
    if rate == 16000:
        x = self.first.forward(x)
        x = self.second.forward(x)
    if mode == 'sum':
        x = torch.sin(x)
    return x
)");
    return module;
}

} // namespace

class TestCliSpecialise : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    CliOutcome cli(const QStringList &arguments) const { return callCli(m_folder.path(), arguments); }

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        save(branches(), path("m.pt").toStdString());
        const CliOutcome made =
            cli({"run", "m.pt", "--input", "x=float32[8,8]", "--input", "rate=16000", "--specialise", "--split",
                 "second", "--microbatches", "2", "--save-plan", "plan.json", "--json"});
        QVERIFY2(made.exitCode == 0, made.shown());
        QCOMPARE(made.object().at("specialised"), json({"rate=16000"}));
        QCOMPARE(made.object().at("bitwise"), json(true));
        QCOMPARE(made.object().at("stages").size(), std::size_t(2));
    }

    void inspectSaysWhereItOpensPlaces()
    {
        const QStringList inspect{"inspect", "m.pt", "--input", "float32[8,8]", "--input", "16000"};
        const CliOutcome plain = cli(inspect);
        QVERIFY2(plain.exitCode == 0, plain.shown());
        QVERIFY2(plain.out.contains("in the graph of rate=16000 alone 7 of them would be legal: --specialise\n"),
                 plain.shown());
        const CliOutcome alone = cli(inspect + QStringList{"--specialise", "--json"});
        QVERIFY2(alone.exitCode == 0, alone.shown());
        QCOMPARE(alone.object().at("specialised"), json({"rate=16000"}));
        QCOMPARE(alone.object().at("specialisable"), json(nullptr));
        const CliOutcome text = cli(inspect + QStringList{"--specialise"});
        QVERIFY2(text.out.contains("\nspecialised for rate=16000\n"), text.shown());
        QVERIFY2(!text.out.contains("would be legal"), text.shown());
    }

    void withoutANumberThereIsNothingToSpecialiseFor()
    {
        const CliOutcome none = cli({"inspect", "m.pt", "--input", "x=float32[8,8]", "--specialise"});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.err.contains("--input: there is no number, bool or text among the inputs to specialise for; give "
                                   "one of these a value: rate (int), mode (str)"),
                 none.shown());
        const CliOutcome unread = cli({"inspect", "m.pt", "--structure-only", "--specialise"});
        QCOMPARE(unread.exitCode, 2);
        QVERIFY2(unread.err.contains("leave out --specialise, or --structure-only"), unread.shown());
    }

    void aPlanIsCheckedWithItsValues()
    {
        const CliOutcome same = cli({"check", "plan.json"});
        QVERIFY2(same.exitCode == 0, same.shown());
        const CliOutcome other = cli({"check", "plan.json", "--input", "float32[8,8]", "--input", "rate=8000"});
        QCOMPARE(other.exitCode, 2);
        QVERIFY2(other.err.contains("'rate' is 8000, but the graph is specialised for 16000, and other branches are "
                                    "left out of it. Add --specialise for what "
                                    "is given now, or keep the value; give it as --input rate=16000"),
                 other.shown());
        const CliOutcome run = cli({"run", "plan.json", "--input", "float32[8,8]", "--input", "rate=8000"});
        QCOMPARE(run.exitCode, 2);
        // For the other rate there is no such module to split before.
        const CliOutcome anew =
            cli({"run", "plan.json", "--input", "float32[8,8]", "--input", "rate=8000", "--specialise"});
        QCOMPARE(anew.exitCode, 2);
        QVERIFY2(anew.err.contains("second"), anew.shown());
        const CliOutcome whole = cli({"run", "plan.json", "--no-specialise"});
        QCOMPARE(whole.exitCode, 2);
        QVERIFY2(whole.err.contains("second"), whole.shown());
    }

    void aFlagThatIsNotGivenLeavesThePlanAsItIs()
    {
        QFile file(path("plan.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        json plan = json::parse(file.readAll().toStdString());
        plan["grad"] = true;
        QFile written(path("grad.json"));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QByteArray::fromStdString(plan.dump()));
        written.close();
        const CliOutcome kept = cli({"run", "grad.json", "--no-check", "--json"});
        QVERIFY2(kept.exitCode == 0, kept.shown());
        QCOMPARE(kept.object().at("grad"), json(true));
        QCOMPARE(kept.object().at("specialised"), json({"rate=16000"}));
        const CliOutcome taken = cli({"run", "grad.json", "--no-check", "--no-grad", "--json"});
        QVERIFY2(taken.exitCode == 0, taken.shown());
        QCOMPARE(taken.object().at("grad"), json(false));
    }

    void aPlanThatWasWrittenByHandIsNotBelieved()
    {
        QFile file(path("plan.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const json good = json::parse(file.readAll().toStdString());
        const auto refusal = [&](const json &specialised) {
            json bad = good;
            bad["specialised"] = specialised;
            QFile written(path("bad.json"));
            if (!written.open(QIODevice::WriteOnly))
                return QString();
            written.write(QByteArray::fromStdString(bad.dump()));
            written.close();
            const CliOutcome outcome = cli({"check", "bad.json"});
            return QString::number(outcome.exitCode) + ' ' + outcome.err;
        };
        QVERIFY2(refusal({"rate=int64[2]"}).contains("specialised[0]: expected the name of an argument and a number"),
                 qPrintable(refusal({"rate=int64[2]"})));
        for (const json &bad :
             {json(16000), json({16000}), json({"rate=int64[2]"}), json({"=3"}), json({"speed=3"}),
              json({"rate='fast'"}), json({"rate=1", "rate=1"}), json({{"rate", 1}}), json({"x=none"})})
            QVERIFY2(refusal(bad).startsWith("2 "), bad.dump().c_str());
    }

    void anErrorInAPlansValuesNamesTheFileAndTheItem()
    {
        QFile file(path("plan.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        json plan = json::parse(file.readAll().toStdString());
        plan["specialised"] = json({"rate='fast'"});
        QFile written(path("fast.json"));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QByteArray::fromStdString(plan.dump()));
        written.close();
        for (const QStringList &command : {QStringList{"check", "fast.json"}, QStringList{"run", "fast.json"},
                                           QStringList{"split", "fast.json", "--out", "fast"}}) {
            const CliOutcome outcome = cli(command);
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY2(outcome.err.contains("cannot use the plan 'fast.json': specialised[0]: argument 'rate' "),
                     outcome.shown());
            QVERIFY2(!outcome.err.contains("--input"), outcome.shown());
        }
    }

    void whatSaysTheOppositeIsRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("specialise") << "specialise";
        QTest::newRow("grad") << "grad";
    }

    void whatSaysTheOppositeIsRefused()
    {
        QFETCH(QString, name);
        const QStringList run{"run", "m.pt", "--input", "x=float32[8,8]", "--input", "rate=16000", "--no-check"};
        const QString on = "--" + name;
        const QString off = "--no-" + name;
        for (const QStringList &both : {QStringList{on, off}, QStringList{off, on}}) {
            const CliOutcome outcome = cli(run + both);
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY2(outcome.err.contains(on + ": " + off + " says the opposite; give one"), outcome.shown());
        }
        for (const QStringList &twice : {QStringList{on, on}, QStringList{off, off}})
            QCOMPARE(cli(run + twice).exitCode, 0);
    }

    void savedStagesSayWhatTheyAreFor()
    {
        const CliOutcome saved = cli({"split", "m.pt", "--input", "rate=16000", "--specialise", "--split",
                                      "second,second/aten::relu", "--out", "parts", "--json"});
        QVERIFY2(saved.exitCode == 0, saved.shown());
        QCOMPARE(saved.object().at("specialised"), json({"rate=16000"}));
        QFile index(path("parts/stages.json"));
        QVERIFY(index.open(QIODevice::ReadOnly));
        QCOMPARE(json::parse(index.readAll().toStdString()).at("specialised"), json({"rate=16000"}));
        const CliOutcome checked =
            cli({"check", "parts/plan.json", "--input", "float32[8,8]", "--input", "rate=16000", "--json"});
        QVERIFY2(checked.exitCode == 0, checked.shown());
        QCOMPARE(checked.object().at("stage_files").at("as_written"), json(true));
    }
};

PIPESCOPE_TEST(TestCliSpecialise)
#include "tst_cli_specialise.moc"

// The program from outside: modules whose names have signs in them that our notation has.

#include "cli_call.h"
#include "core/engine/small_models.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;
using nlohmann::json;

class TestCliNames : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_model;

    CliOutcome cli(const QStringList &arguments) const { return callCli(m_folder.path(), arguments); }
    CliOutcome run(const QString &split) const
    {
        return cli({"run", m_model, "--input", "x=float32[4,8]", "--split", split, "--microbatches", "2", "--save-plan",
                    "plan.json", "--json"});
    }

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        const auto module = namedChain({"", "up/0", "a,b", "lin", "lin:end", "2"});
        m_model = QString::fromStdString(save(module, m_folder.filePath("named.pt").toStdString()));
    }

    void whatInspectListsCanBeGivenBack()
    {
        const CliOutcome inspected = cli({"inspect", m_model, "--json"});
        QVERIFY2(inspected.exitCode == 0, inspected.shown());
        json ids = json::array();
        QStringList words;
        const json listed = inspected.object();
        for (const json &point : listed.at("split_points")) {
            ids.push_back(point.at("id"));
            words << QString::fromStdString(point.at("id").get<std::string>());
        }
        QCOMPARE(words.size(), 15);
        const CliOutcome ran = run(words.join(','));
        QVERIFY2(ran.exitCode == 0, ran.shown());
        const json report = ran.object();
        QCOMPARE(report.at("splits"), ids);
        QCOMPARE(report.at("bitwise"), json(true));
        QCOMPARE(report.at("warnings"), json::array());
    }

    void namesGoFirstAndAWarningSaysSo()
    {
        const json named = run("2").object();
        QCOMPARE(named.at("stages").size(), std::size_t(2));
        QCOMPARE(named.at("splits"), json({"2/aten::t"}));
        QCOMPARE(named.at("warnings"),
                 json({"the split '2' is the module of that name; :2 asks for so many stages, balanced"}));
        QCOMPARE(run(":3").object().at("stages").size(), std::size_t(3));
        QCOMPARE(run("3").object().at("stages").size(), std::size_t(3)); // nothing is called so
        const json after = run("\"lin\":end,\"a,b\"").object();
        QCOMPARE(after.at("splits"), json({"\"a,b\"", "lin:end/aten::t"}));
        QCOMPARE(after.at("warnings"), json::array());
        const CliOutcome checked = cli({"check", "plan.json", "--json"});
        QVERIFY2(checked.exitCode == 0, checked.shown());
        QCOMPARE(checked.object().at("splits"), after.at("splits"));
    }

    void stagesOfAnyNamesAreSaved()
    {
        const CliOutcome saved = cli({"split", m_model, "--split", "up/0:end,'lin:end'", "--out", "parts", "--json"});
        QVERIFY2(saved.exitCode == 0, saved.shown());
        QCOMPARE(saved.object().at("files").at(1).at("parameters"), json({"a,b.weight", "lin.weight"}));
    }
};

PIPESCOPE_TEST(TestCliNames)
#include "tst_cli_names.moc"

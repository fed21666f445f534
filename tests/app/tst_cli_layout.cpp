// `pipescope-cli layout` from outside: its options, its errors, its exit codes.

#include "cli_call.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope::tests;

class TestCliLayout : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    CliOutcome layout(const QStringList &arguments) const
    {
        return callCli(m_folder.path(), QStringList{QStringLiteral("layout")} + arguments);
    }

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aLayoutIsPrintedWithoutAnyModel()
    {
        const CliOutcome outcome = layout({"[5, 4]", "--mesh", "dp=2,tp=2", "--place", "S0,S0", "--order", "0:tp,dp",
                                           "--dtype", "bf16", "--axes", "0"});
        QVERIFY2(outcome.exitCode == 0, outcome.shown());
        QVERIFY2(outcome.out.startsWith("Spec(bf16[5, 4](S(0)[1]S(0)[0])) over DeviceMesh((dp=2, tp=2), 'cpu', "
                                        "stride=(2, 1))\n"),
                 outcome.shown());
        QVERIFY2(outcome.out.endsWith("rows  ranks\n0:2   0\n2:3   2\n3:4   1\n4:5   3\n"), outcome.shown());
    }

    void theJsonHasAllRanksWhereTheyAreAskedFor()
    {
        const nlohmann::json some = layout({"8", "--mesh", "64", "--place", "S0", "--json"}).object();
        QCOMPARE(some.at("ranks").size(), std::size_t{32});
        QCOMPARE(some.at("ranks_left_out").get<int>(), 32);
        const nlohmann::json all = layout({"8", "--mesh", "64", "--place", "S0", "--json", "--all"}).object();
        QCOMPARE(all.at("ranks").size(), std::size_t{64});
        QCOMPARE(all.at("empty_ranks").size(), std::size_t{56});
    }

    void aMistakeNamesItsOption()
    {
        const auto errorOf = [this](const QStringList &arguments) {
            const CliOutcome outcome = layout(arguments);
            return outcome.exitCode == 2 ? outcome.err : "no error";
        };
        QCOMPARE(errorOf({"8,x", "--mesh", "2", "--place", "S0"}),
                 QString("pipescope-cli: error: SHAPE: expected a size, as in 10,8, found 'x' at column 3.\n"));
        QCOMPARE(errorOf({"8", "--mesh", "2", "--place", "X"}),
                 QString("pipescope-cli: error: --place: expected a placement (R, S0, S(-1), P, P(avg), SS(0,2) or "
                         "NormP(2)), found 'X' at column 1.\n"));
        QCOMPARE(errorOf({"8", "--mesh", "2", "--place", "S0", "--order", "0:1"}),
                 QString("pipescope-cli: error: --order: there is no mesh dimension 1: they are 0 to 0 at column 3\n"));
        QCOMPARE(errorOf({"8", "--mesh", "2", "--place", "S0", "--axes", "1"}),
                 QString("pipescope-cli: error: --axes: there is no dimension 1: the tensor has 1 dimension at column "
                         "1\n"));
        QVERIFY(errorOf({"8", "--mesh", "2"}).contains("--place is required"));
    }
};

PIPESCOPE_TEST(TestCliLayout)
#include "tst_cli_layout.moc"

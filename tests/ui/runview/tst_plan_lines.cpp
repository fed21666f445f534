#include "runview/plan_lines.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using runview::PlanLine;

namespace {

QString why(const PlanLine &line, const std::string &typed)
{
    plan::Plan plan;
    plan.devices = {"cpu:0"};
    plan.rtol = plan.atol = 1;
    plan.seed = 7;
    plan.outputChunks = *microbatch::parseChunkSpec("sum");
    const plan::Plan before = plan;
    const Status taken = line.take(plan, typed);
    if (taken || plan != before)
        return taken ? "taken" : "the plan is another";
    return QString::fromStdString(taken.error().message);
}

} // namespace

class TestPlanLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void nothingIsWhatThePlanLeavesOpen()
    {
        const plan::Plan open;
        for (const PlanLine &line :
             {runview::devicesLine(), runview::tolerancesLine(), runview::outputChunksLine(), runview::seedLine()}) {
            plan::Plan plan = open;
            QCOMPARE(line.text(plan), QString());
            QVERIFY(line.take(plan, {}));
            QCOMPARE(plan, open);
        }
    }

    void theTextReadsBackTheSame()
    {
        plan::Plan plan;
        plan.devices = {"cpu:2"};
        plan.rtol = 0.1 + 0.2; // more digits than twelve
        plan.atol = 1e-8;
        plan.outputChunks = *microbatch::parseChunkSpec("(0, sum)");
        plan.seed = 18'446'744'073'709'551'615U;
        plan::Plan read;
        for (const PlanLine &line :
             {runview::devicesLine(), runview::tolerancesLine(), runview::outputChunksLine(), runview::seedLine()})
            QVERIFY2(line.take(read, line.text(plan).toStdString()), qPrintable(line.text(plan)));
        QCOMPARE(read, plan);
    }

    void devicesAreCountedAndListedAsOnTheCommandLine()
    {
        plan::Plan plan;
        QVERIFY(runview::devicesLine().take(plan, "cpu:2"));
        QCOMPARE(plan.devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        QCOMPARE(runview::devicesLine().text(plan), QString("cpu:2"));
        QVERIFY(runview::devicesLine().take(plan, "cpu"));
        QVERIFY(plan.devices.empty());
    }

    void whatCannotBeReadIsRefusedInWordsAndLeavesThePlan()
    {
        QCOMPARE(why(runview::devicesLine(), "cpu:0,gpu"),
                 QString("'gpu' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1"));
        for (const char *typed : {"1e-5", "1e-5, x", "1, 2, 3", ",", "1e-5 1e-8"})
            QVERIFY2(why(runview::tolerancesLine(), typed).contains("is not two numbers"), typed);
        for (const char *typed : {"-1", "x", "1.5", "18446744073709551616"})
            QVERIFY2(why(runview::seedLine(), typed).contains("is not a whole number"), typed);
        QVERIFY2(!why(runview::outputChunksLine(), "summ").contains("the plan"),
                 qPrintable(why(runview::outputChunksLine(), "summ")));
        QVERIFY(why(runview::outputChunksLine(), "summ") != "taken");
    }
};

PIPESCOPE_TEST(TestPlanLines)
#include "tst_plan_lines.moc"

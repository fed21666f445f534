#include "session/run_name.h"

#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>

using namespace pipescope;
using session::runName;

class TestRunName : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRunIsCalledByItsNumberItsScheduleAndItsMicrobatches()
    {
        tests::SessionDesk desk;
        desk.begin();
        report::TracedRun run;
        run.plan.schedule = "forward";
        run.trace = tests::evenForward(2, 3, 10);
        desk.finish(run);
        run.plan.schedule = "@/plans/mine.csv";
        desk.finish(run);
        QCOMPARE(runName(desk.controller, desk.controller.runs()[1].get()).name, QString("Run 2"));
        QCOMPARE(runName(desk.controller, desk.controller.runs()[1].get()).whole(), QString("Run 2 mine.csv ×3"));
        QCOMPARE(runName(desk.controller, desk.controller.runs()[0].get()).detail, QString("Forward only ×3"));
    }

    void aRunThatLeftBackwardsOutSaysSo()
    {
        tests::SessionDesk desk;
        desk.begin();
        report::TracedRun run;
        run.plan.schedule = "gpipe";
        run.schedule = "forwards of gpipe";
        run.trace = tests::evenForward(2, 3, 10);
        desk.finish(run);
        run.plan.schedule = "@/plans/mine.csv";
        run.schedule = "forwards of @/plans/mine.csv";
        desk.finish(run);
        const auto &runs = desk.controller.runs();
        QCOMPARE(runName(desk.controller, runs[0].get()).whole(), QString("Run 1 forwards of GPipe ×3"));
        QCOMPARE(runName(desk.controller, runs[1].get()).whole(), QString("Run 2 forwards of mine.csv ×3"));
    }

    void whatIsNoneOfThemHasNoName()
    {
        tests::SessionDesk desk;
        const report::TracedRun other;
        QCOMPARE(runName(desk.controller, nullptr).whole(), QString());
        QCOMPARE(runName(desk.controller, &other).whole(), QString());
    }
};

PIPESCOPE_TEST(TestRunName)
#include "tst_run_name.moc"

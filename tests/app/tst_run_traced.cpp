#include "run_traced.h"

#include "core/engine/small_models.h"
#include "support/test_program.h"
#include "trace/trace_stats.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;

class TestRunTraced : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunInThisProcessHasItsTraceAndTellsNothingOfItMeanwhile()
    {
        const QTemporaryDir folder;
        report::RunRequest request;
        request.plan.model = save(chain(2, 8), folder.filePath("chain.pt").toStdString());
        request.plan.inputs = {*plan::parseInputSpec("x=float32[8,8]")};
        request.plan.splits = {"block1"};
        request.plan.microbatches = 4;
        request.repeat = 3;
        const Result<report::TracedRun> run = app::runTraced(request, {});
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QCOMPARE(run->traced.parts, 0);
        QCOMPARE(run->trace.microbatches, 4);
        QVERIFY(!run->trace.memory.empty());
        QVERIFY(run->stats == trace::traceStats(run->trace));
    }

    void aRunThatCannotBeIsAnError()
    {
        report::RunRequest request;
        request.plan.model = "none.pt";
        QVERIFY(!app::runTraced(request, {}));
    }
};

PIPESCOPE_TEST(TestRunTraced)
#include "tst_run_traced.moc"

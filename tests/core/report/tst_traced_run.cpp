#include "report/traced_run.h"

#include "base/text.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::report;

namespace {

trace::Trace traced()
{
    return tests::TraceBuilder(2, 2, 3)
        .compute(0, 0, 2, 10, 20)
        .send(0, 0, 2, 1, 20, 21, 8)
        .wait(1, 1, 2, trace::WaitCause::Input, 0, 21, 0)
        .receive(1, 1, 2, 0, 21, 22, 8)
        .memory(0, -5, 4)
        .memory(1, 15, 8)
        .build();
}

/// What is said of a report after a change, with the trace above after a change; "none" where both fit together.
template <class Change, class ChangeTrace>
std::string problemOf(Change change, ChangeTrace changeTrace)
{
    RunReport report;
    report.traced = {0, 1, 4, 2};
    change(report);
    trace::Trace trace = traced();
    changeTrace(trace);
    trace::TraceCollector parts;
    parts.add({0, 0, trace});
    const Result<TracedRun> run = withTrace(std::move(report), std::move(parts));
    return run ? "none" : run.error().message;
}

template <class Change>
std::string problemOf(Change change)
{
    return problemOf(change, [](trace::Trace &) {});
}

std::string wrong(const std::string &what)
{
    return "a report does not hold together: " + what;
}

} // namespace

class TestTracedRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReportAndItsTraceAreOneRun()
    {
        RunReport report;
        report.modelClass = "Decoder";
        report.traced = {5, 1, 4, 2};
        trace::TraceCollector parts;
        parts.add({5, 0, traced()});
        const Result<TracedRun> run = withTrace(report, parts);
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QVERIFY(static_cast<const RunReport &>(*run) == report);
        QVERIFY(run->trace == traced());
    }

    void aTraceThatIsNotWholeIsNoRun()
    {
        RunReport report;
        report.traced = {5, 1, 4, 2};
        const Result<TracedRun> run = withTrace(report, {});
        QCOMPARE(run.error().message, std::string("the run has ended, but its trace has not arrived whole: there were "
                                                  "1 parts, but 0 came; run it again"));
    }

    void aTraceThatIsTooLongIsCutShortWithAWarning()
    {
        RunReport report;
        report.traced = {5, 2, 8, 4};
        report.warnings = {"one"};
        trace::TraceCollector parts(4 * sizeof(trace::Event) + 100);
        parts.add({5, 0, traced()});
        parts.add({5, 1, traced()});
        const Result<TracedRun> run = withTrace(report, parts);
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QVERIFY(run->trace == traced());
        const std::string most = formatBytes(static_cast<std::int64_t>(parts.mostBytes()));
        QCOMPARE(run->warnings, (std::vector<std::string>{"one", "the trace takes more than " + most +
                                                                     ": only its first 21 ns are kept; run fewer "
                                                                     "microbatches to see all of it"}));
    }

    void aReportOfAnotherTraceIsRefused()
    {
        QCOMPARE(problemOf([](RunReport &) {}), std::string("none"));
        QCOMPARE(problemOf([](RunReport &) {}, [](trace::Trace &trace) { trace.events[0].rank = RankId{9}; }),
                 std::string("a trace does not hold together: event 0: it is of rank 9, of 2"));
        QCOMPARE(problemOf([](RunReport &r) { r.stats.ranks.resize(3); }),
                 wrong("statistics of 3 ranks for a trace of 2"));
        QCOMPARE(problemOf([](RunReport &r) { r.stats.stages.resize(1); }),
                 wrong("statistics of 1 stages for a trace of 2"));
        QCOMPARE(problemOf([](RunReport &r) { r.stages.resize(1); }), wrong("1 stages for a trace of 2"));
        QCOMPARE(problemOf([](RunReport &r) { r.equivalence.emplace().first.emplace().stage = StageId{2}; }),
                 wrong("it differs first in a stage or microbatch that there is not"));
        QCOMPARE(problemOf([](RunReport &r) { r.equivalence.emplace().byMicrobatch.resize(2); }),
                 wrong("differences of 2 microbatches, of 3"));
        QCOMPARE(problemOf([](RunReport &r) { r.equivalence.emplace().moreOutputs = -1; }),
                 wrong("it has left out less than no outputs"));
    }

    void anOutputDiffersWhereThereIsAStageAndAMicrobatch()
    {
        const auto problemOfOutput = [](auto change) {
            return problemOf([&change](RunReport &r) {
                OutputEquivalence &output = r.equivalence.emplace().byOutput.emplace_back();
                output.name = "output[1]";
                change(output);
            });
        };
        const std::string nowhere = wrong("output[1] differs in a stage or microbatch that there is not");
        QCOMPARE(problemOfOutput([](OutputEquivalence &output) { output.worst = MicrobatchId{2}; }),
                 std::string("none"));
        QCOMPARE(problemOfOutput([](OutputEquivalence &output) { output.worst = MicrobatchId{3}; }), nowhere);
        QCOMPARE(problemOfOutput([](OutputEquivalence &output) { output.first.emplace().stage = StageId{2}; }),
                 nowhere);
    }
};

PIPESCOPE_TEST(TestTracedRun)
#include "tst_traced_run.moc"

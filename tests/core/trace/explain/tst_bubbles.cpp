#include "trace/explain/bubbles.h"

#include "support/explained.h"
#include "support/test_program.h"
#include "trace/explain/before_compute.h"
#include "trace/explain/cause_words.h"

#include <QTest>

using namespace pipescope;
using trace::Bubble;
using trace::BubbleCause;
using trace::TimeRange;
using trace::WaitCause;

namespace {

/// "0-105 fill: waiting for stage 0's microbatch 0", one line per bubble.
QString linesOf(const trace::Explanation &model, int lane)
{
    QStringList lines;
    for (const Bubble &bubble : model.lanes()[static_cast<std::size_t>(lane)].bubbles)
        lines << QStringLiteral("%1-%2 %3")
                     .arg(bubble.time.beginNs)
                     .arg(bubble.time.endNs)
                     .arg(QString::fromStdString(trace::causeSentence(model, bubble)));
    return lines.join('\n');
}

/// Of the bubble that tells best what a compute waited for; "" where it waited for nothing known.
QString waitNameOf(const trace::Explanation &explained, trace::SliceRef compute)
{
    const Bubble *wait = trace::waitNamed(explained, compute);
    return wait == nullptr ? QString() : QString(trace::wordsOf(wait->cause).name);
}

} // namespace

class TestBubbles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLaneIsBubbleWhereverItDoesNothing()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        QCOMPARE(linesOf(*model, 0), QString("110-120 between two actions\n"
                                             "230-530 drain: nothing left to compute"));
        QCOMPARE(linesOf(*model, 1), QString("0-105 fill: waiting for stage 0's microbatch 0\n"
                                             "315-320 between two actions"));
    }

    void aWaitSaysWhyAndTheMomentsAroundBelongToIt()
    {
        tests::TraceBuilder builder(2, 2, 2);
        builder.compute(0, 0, 0, 0, 100);
        builder.wait(0, 0, 1, WaitCause::Credit, 102, 150).wait(0, 0, 1, WaitCause::Device, 151, 190);
        builder.compute(0, 0, 1, 192, 300);
        const auto model = tests::explained(builder.build());
        QCOMPARE(linesOf(*model, 0), QString("100-150 waiting for credit: too many microbatches under way\n"
                                             "150-192 waiting for device: another rank held it"));
    }

    void aWaitForCreditSaysWhoseEndGaveIt()
    {
        const auto model = tests::explained(tests::oneUnderWayTrace().build());
        QCOMPARE(linesOf(*model, 0).section('\n', 0, 0),
                 QString("100-400 waiting for credit: too many microbatches under way until stage 1 had finished "
                         "microbatch 0"));
    }

    void timeThatNoWaitExplainsIsABubbleOfItsOwn()
    {
        tests::TraceBuilder builder(1, 1, 2);
        builder.compute(0, 0, 0, 0, 100).wait(0, 0, 1, WaitCause::Credit, 200, 210).compute(0, 0, 1, 400, 500);
        const auto model = tests::explained(builder.build());
        QCOMPARE(linesOf(*model, 0), QString("100-200 between two actions\n"
                                             "200-210 waiting for credit: too many microbatches under way\n"
                                             "210-400 between two actions"));
    }

    void withoutWaitsTheNeighboursTellWhatWasWaitedFor()
    {
        // GPipe's forward: no waits and no transfers at all; the second microbatch of stage 0 is late.
        tests::TraceBuilder builder(2, 2, 2);
        builder.compute(0, 0, 0, 0, 100).compute(0, 0, 1, 100, 300);
        builder.compute(1, 1, 0, 100, 200).compute(1, 1, 1, 300, 400);
        const auto model = tests::explained(builder.build());
        QCOMPARE(linesOf(*model, 0), QString("300-400 drain: nothing left to compute"));
        QCOMPARE(linesOf(*model, 1), QString("0-100 fill: waiting for stage 0's microbatch 0\n"
                                             "200-300 waiting for stage 0's microbatch 1"));
    }

    void aStageDoesNotWaitForOneThatDoesNotFeedIt()
    {
        const auto model = tests::explained(tests::twoTowersTrace());
        QVERIFY(linesOf(*model, 1).startsWith("0-4 not running"));
        QCOMPARE(linesOf(*model, 0), QString("10-14 drain: nothing left to compute"));
    }

    void aRankThatHadNotStartedWaitedForNothing()
    {
        const QString late =
            "not running: nothing was waited for; the rank's thread had yet to start or wake (the machine "
            "was busy, or the runtime's own time)";
        tests::TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 20, 250).send(0, 0, 0, 1, 250, 260);
        builder.wait(1, 1, 0, WaitCause::Input, 0, 3990, 0).receive(1, 1, 0, 0, 3990, 3991);
        builder.compute(1, 1, 0, 3991, 5000);
        const auto model = tests::explained(builder.build());
        QCOMPARE(linesOf(*model, 0), QString("0-20 %1\n260-5000 drain: nothing left to compute").arg(late));
        QCOMPARE(linesOf(*model, 1), QString("0-260 fill: waiting for stage 0's microbatch 0\n260-3990 %1").arg(late));
        QCOMPARE(waitNameOf(*model, {1, 2}), QString("not running"));
    }

    void aLateStartIsNamedFromAHundredthOfItsActionOn_data()
    {
        QTest::addColumn<int>("end");
        QTest::addColumn<QString>("named");
        QTest::newRow("20 ns before 2000") << 2020 << "";
        QTest::newRow("20 ns before 1999") << 2019 << "not running";
    }
    void aLateStartIsNamedFromAHundredthOfItsActionOn()
    {
        QFETCH(int, end);
        tests::TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 20, end);
        builder.wait(1, 1, 0, WaitCause::Input, 0, end, 0).compute(1, 1, 0, end, end + 10);
        QTEST(waitNameOf(*tests::explained(builder.build()), {0, 0}), "named");
    }

    void theValueThatWasWaitedForIsNamed()
    {
        trace::Trace trace = tests::twoRanksTrace().build();
        for (trace::Event &event : trace.events)
            if (event.kind == trace::EventKind::Wait)
                event.value = "hidden";
        const auto model = tests::explained(trace);
        QCOMPARE(linesOf(*model, 1).section('\n', 0, 0),
                 QString("0-105 fill: waiting for stage 0's microbatch 0 (hidden)"));
    }

    void theMedianOfTwoComputesIsTheMeanOfBoth()
    {
        tests::TraceBuilder builder(1, 1, 3);
        builder.compute(0, 0, 0, 0, 100).compute(0, 0, 1, 100, 300);
        builder.compute(0, 0, 2, 300, 900, schedule::ActionKind::FullBackward); // not like a forward
        QCOMPARE(trace::medianNsLike(*tests::explained(builder.build()), {0, 0}), 150.0);
    }

    void aRankThatComputesNothingOnlyWarmsUp()
    {
        tests::TraceBuilder builder(2, 1, 1);
        builder.compute(0, 0, 0, 0, 100);
        const auto model = tests::explained(builder.build());
        QCOMPARE(linesOf(*model, 1), QString("0-100 fill: nothing to compute yet"));
    }

    // Hostile. The time of asking each gap for all slices after it is minutes.
    void manyGapsBeforeNoComputeAreFoundInOnePass()
    {
        tests::TraceBuilder builder(1, 2, 1);
        builder.compute(0, 0, 0, 0, 10);
        for (int i = 1; i <= 500'000; ++i)
            builder.send(0, 0, 0, 1, i * 100, i * 100 + 1);
        const auto model = tests::explained(builder.build());
        QCOMPARE(model->lanes()[0].bubbles.size(), std::size_t(500'000));
        QCOMPARE(model->lanes()[0].bubbles[7].cause, BubbleCause::CoolDown);
    }

    void overlappingSlicesHaveNoBubbleBetween()
    {
        tests::TraceBuilder builder(1, 1, 3);
        builder.compute(0, 0, 0, 0, 300).compute(0, 0, 1, 100, 200).compute(0, 0, 2, 250, 400);
        QCOMPARE(linesOf(*tests::explained(builder.build()), 0), QString());
    }
};

PIPESCOPE_TEST(TestBubbles)
#include "tst_bubbles.moc"

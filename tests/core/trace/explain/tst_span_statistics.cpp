#include "trace/explain/span_statistics.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope;
using trace::SpanStatistics;
using trace::spanStatistics;
using trace::TimeRange;
using trace::Use;

namespace {

/// Nothing summed ahead.
SpanStatistics counted(const trace::Explanation &model, TimeRange span, RankId rank)
{
    SpanStatistics statistics;
    const auto shared = [&](TimeRange time) {
        return std::max(0.0,
                        TimeRange{std::max(time.beginNs, span.beginNs), std::min(time.endNs, span.endNs)}.spanNs());
    };
    trace::Totals &totals = statistics.totals;
    for (const trace::Lane &lane : model.lanes()) {
        if (rank.valid() && lane.rank != rank)
            continue;
        for (const trace::Slice &slice : lane.slices) {
            const bool touches = slice.time.beginNs < span.endNs &&
                                 (slice.time.endNs > span.beginNs || slice.time.beginNs >= span.beginNs);
            if (slice.kind == trace::EventKind::Wait || !touches)
                continue;
            totals.ns[static_cast<std::size_t>(useOf(slice))] += shared(slice.time);
            totals.actions += slice.kind == trace::EventKind::Compute ? 1 : 0;
            totals.sends += slice.kind == trace::EventKind::Send ? 1 : 0;
            totals.receives += slice.kind == trace::EventKind::Receive ? 1 : 0;
            if (slice.kind == trace::EventKind::Send)
                totals.sentBytes += static_cast<double>(model.eventOf(slice).bytes);
        }
        for (const trace::Bubble &bubble : lane.bubbles)
            totals.ns[static_cast<std::size_t>(trace::useOf(bubble.cause))] += shared(bubble.time);
    }
    return statistics;
}

/// Slices that follow each other, overlap or last no time, long and short ones.
trace::Trace randomTrace(std::mt19937 &random, int events)
{
    const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    tests::TraceBuilder builder(3, 3, 8);
    std::array<std::int64_t, 3> done{};
    for (int i = 0; i < events; ++i) {
        const int rank = below(3);
        std::int64_t &at = done[static_cast<std::size_t>(rank)];
        const std::int64_t begin = std::max<std::int64_t>(0, at + below(60) - 10);
        const std::int64_t end = begin + (below(20) == 0 ? 5000 : below(50));
        at = below(20) == 0 ? begin + 10 : end;
        switch (below(4)) {
        case 0:
            builder.send(rank, rank, below(8), (rank + 1) % 3, begin, end, below(1000));
            break;
        case 1:
            builder.receive(rank, rank, below(8), (rank + 2) % 3, begin, end, below(1000));
            break;
        case 2:
            builder.wait(rank, rank, below(8), static_cast<trace::WaitCause>(1 + below(3)), begin, end, (rank + 2) % 3);
            break;
        default:
            builder.compute(rank, rank, below(8), begin, end);
        }
    }
    return builder.build();
}

} // namespace

class TestSpanStatistics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachKindOfComputeHasItsUse_data()
    {
        using schedule::ActionKind;
        QTest::addColumn<ActionKind>("kind");
        QTest::addColumn<Use>("use");
        QTest::newRow("F") << ActionKind::Forward << Use::Forward;
        QTest::newRow("B") << ActionKind::FullBackward << Use::Backward;
        QTest::newRow("I") << ActionKind::BackwardInput << Use::InputGradient;
        QTest::newRow("W") << ActionKind::BackwardWeight << Use::WeightGradient;
    }
    void eachKindOfComputeHasItsUse()
    {
        QFETCH(schedule::ActionKind, kind);
        const auto model = tests::explained(tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 0, 10, kind).build());
        QTEST(trace::useOf(model->at({0, 0})), "use");
    }

    void theWholeOfARunIsAccountedFor()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        const SpanStatistics all = spanStatistics(*model, model->run());
        QCOMPARE(all.ranks, 2);
        QCOMPARE(all.totals.nsOf(Use::Forward), 600.0);
        QCOMPARE(all.totals.nsOf(Use::Fill), 105.0);
        QCOMPARE(all.totals.nsOf(Use::Drain), 300.0);
        QCOMPARE(all.totals.nsOf(Use::Runtime), 15.0);
        QCOMPARE(all.totals.actions, std::int64_t{4});
        QCOMPARE(all.totals.sends, std::int64_t{2});
        QCOMPARE(all.totals.sentBytes, 128.0);
        double sum = 0;
        for (std::size_t i = 0; i < trace::UseCount; ++i)
            sum += all.shareOf(static_cast<Use>(i));
        QVERIFY(std::abs(sum - 1) < 1e-12);
        QVERIFY(std::abs(all.bubbleShare() - (1 - 600.0 / 1060)) < 1e-12);
    }

    void aSpanOfOneRankCountsWhatLiesInIt()
    {
        const SpanStatistics some =
            spanStatistics(*tests::explained(tests::twoRanksTrace().build()), {50, 130}, RankId{0});
        QCOMPARE(some.ranks, 1);
        QCOMPARE(some.totals.nsOf(Use::Forward), 60.0);
        QCOMPARE(some.totals.nsOf(Use::Send), 10.0);
        QCOMPARE(some.totals.nsOf(Use::Runtime), 10.0);
        QCOMPARE(some.totals.actions, std::int64_t{2});
    }

    void whatLiesOutsideTheRunIsLeftOut()
    {
        const SpanStatistics all = spanStatistics(*tests::explained(tests::twoRanksTrace().build()), {-1000, 100'000});
        QVERIFY((all.span == TimeRange{0, 530}));
        const SpanStatistics none = spanStatistics(*tests::explained(tests::twoRanksTrace().build()), {2000, 3000});
        QCOMPARE(none.totals.actions, std::int64_t{0});
        QCOMPARE(none.shareOf(Use::Forward), 0.0);
        QCOMPARE(none.bubbleShare(), 0.0);
    }

    void anySpanOfAnyRunIsWhatCountingGives()
    {
        std::mt19937 random(4);
        for (int round = 0; round < 8; ++round) {
            const auto model = tests::explained(randomTrace(random, 100 + 900 * round));
            const auto end = static_cast<unsigned>(model->run().endNs);
            for (int i = 0; i < 50; ++i) {
                const auto one = static_cast<std::int64_t>(random() % end);
                const auto other = static_cast<std::int64_t>(random() % end);
                const TimeRange span{std::min(one, other), std::max(one, other)};
                const RankId rank{static_cast<int>(random() % 4) - 1};
                const SpanStatistics fast = spanStatistics(*model, span, rank);
                const SpanStatistics slow = counted(*model, span, rank);
                for (std::size_t use = 0; use < trace::UseCount; ++use)
                    QVERIFY(std::abs(fast.totals.ns[use] - slow.totals.ns[use]) < 1e-6);
                QCOMPARE(fast.totals.actions, slow.totals.actions);
                QCOMPARE(fast.totals.sends, slow.totals.sends);
                QCOMPARE(fast.totals.receives, slow.totals.receives);
                QCOMPARE(fast.totals.sentBytes, slow.totals.sentBytes);
            }
        }
    }
};

PIPESCOPE_TEST(TestSpanStatistics)
#include "tst_span_statistics.moc"

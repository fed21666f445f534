#include "engine/median_trace.h"

#include "support/test_program.h"
#include "trace/trace_stats.h"

#include <QTest>
#include <algorithm>
#include <numeric>
#include <random>

using namespace pipescope;
using engine::medianIndex;
using engine::MedianTrace;

namespace {

/// So long, of so many events.
trace::Trace traceOf(std::int64_t ns, int events = 1)
{
    trace::Trace trace;
    trace.ranks = 1;
    for (int i = 0; i < events; ++i) {
        trace::Event event;
        event.rank = RankId{0};
        event.beginNs = 0;
        event.endNs = ns;
        trace.events.push_back(event);
    }
    return trace;
}

MedianTrace::Reported reportedOf(const std::vector<std::int64_t> &lengths)
{
    MedianTrace traces(static_cast<int>(lengths.size()));
    for (const std::int64_t length : lengths)
        traces.add(traceOf(length));
    return traces.take();
}

} // namespace

class TestMedianTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theMedianIsTheLowerOfTwoAndTheFirstOfEqualOnes()
    {
        QCOMPARE(medianIndex({5}), std::size_t(0));
        QCOMPARE(medianIndex({5, 3}), std::size_t(1));
        QCOMPARE(medianIndex({9, 1, 5}), std::size_t(2));
        QCOMPARE(medianIndex({4, 4, 4}), std::size_t(1));
    }

    void theRunWithTheMedianMakespanIsReported_data()
    {
        QTest::addColumn<QList<int>>("lengths");
        QTest::addColumn<int>("run");
        QTest::newRow("one") << QList<int>{7} << 0;
        QTest::newRow("two") << QList<int>{7, 5} << 1;
        QTest::newRow("growing") << QList<int>{1, 2, 3, 4, 5} << 2;
        QTest::newRow("falling") << QList<int>{5, 4, 3, 2, 1} << 2;
        QTest::newRow("the last one") << QList<int>{10, 30, 20} << 2;
        QTest::newRow("the first one") << QList<int>{20, 30, 10} << 0;
    }

    void theRunWithTheMedianMakespanIsReported()
    {
        QFETCH(const QList<int>, lengths);
        QFETCH(const int, run);
        const MedianTrace::Reported reported = reportedOf({lengths.begin(), lengths.end()});
        QCOMPARE(reported.run, run);
        QCOMPARE(trace::makespanSeconds(reported.trace), lengths[run] * 1e-9);
    }

    void anyOrderOfManyRunsGivesTheirMedian()
    {
        std::vector<std::int64_t> lengths(41);
        std::iota(lengths.begin(), lengths.end(), 1);
        std::mt19937 random(7);
        for (int round = 0; round < 50; ++round) {
            std::shuffle(lengths.begin(), lengths.end(), random);
            const MedianTrace::Reported reported = reportedOf(lengths);
            QCOMPARE(lengths[static_cast<std::size_t>(reported.run)], 21);
            QCOMPARE(reported.trace.events.front().endNs, 21);
        }
    }

    void aTraceThatCannotBeTheMedianAnyMoreIsNotKept()
    {
        MedianTrace traces(5);
        for (const std::int64_t length : {1, 2, 3, 4, 5}) {
            traces.add(traceOf(length));
            QVERIFY(traces.kept() <= 3);
        }
        QCOMPARE(traces.kept(), std::size_t(1));
        QCOMPARE(traces.makespans().size(), std::size_t(5));
    }

    void tracesThatAreLongTogetherAreLetGoButOne()
    {
        constexpr int runs = 101;
        constexpr int events = 10;
        MedianTrace traces(runs, 3 * events);
        std::vector<std::int64_t> lengths(runs);
        std::iota(lengths.begin(), lengths.end(), 1);
        std::shuffle(lengths.begin(), lengths.end(), std::mt19937(3));
        for (const std::int64_t length : lengths) {
            traces.add(traceOf(length, events));
            QVERIFY(traces.kept() <= 3);
        }
        const MedianTrace::Reported reported = traces.take();
        const std::int64_t length = lengths[static_cast<std::size_t>(reported.run)];
        QVERIFY2(length > 30 && length < 72, qPrintable(QString::number(length))); // of 1 to 101
        QCOMPARE(reported.trace.events.size(), std::size_t(events));

        MedianTrace huge(3, 1);
        for (const std::int64_t each : {10, 30, 20}) {
            huge.add(traceOf(each, events));
            QCOMPARE(huge.kept(), std::size_t(1));
        }
        QVERIFY(huge.take().trace.events.size() == events);
    }
};

PIPESCOPE_TEST(TestMedianTrace)
#include "tst_median_trace.moc"

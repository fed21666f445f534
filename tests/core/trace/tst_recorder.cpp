#include "trace/recorder.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <thread>

using namespace pipescope;
using namespace pipescope::trace;

namespace {

Event eventAt(int rank, std::int64_t begin, std::int64_t end)
{
    Event event;
    event.rank = RankId{rank};
    event.beginNs = begin;
    event.endNs = end;
    return event;
}

} // namespace

class TestRecorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finishSortsWhatTheRanksRecorded()
    {
        Recorder recorder(2, 4);
        recorder.add(eventAt(1, 30, 40));
        recorder.add(eventAt(1, 10, 20));
        recorder.add(eventAt(0, 20, 30));
        recorder.add(MemorySample{RankId{1}, 25, 7});
        recorder.add(MemorySample{RankId{0}, 5, 9});
        Trace frame;
        frame.title = "model";
        frame.ranks = 2;
        const Trace trace = recorder.finish(frame);
        QCOMPARE(trace.title, std::string("model"));
        QCOMPARE(trace.events, (std::vector<Event>{eventAt(1, 10, 20), eventAt(0, 20, 30), eventAt(1, 30, 40)}));
        QCOMPARE(trace.memory, (std::vector<MemorySample>{{RankId{0}, 5, 9}, {RankId{1}, 25, 7}}));
    }

    void finishLeavesNothingBehind()
    {
        Recorder recorder(1, 1);
        recorder.add(eventAt(0, 1, 2));
        QCOMPARE(recorder.finish({}).events.size(), std::size_t(1));
        QCOMPARE(recorder.finish({}).events.size(), std::size_t(0));
    }

    void ranksRecordAtOnceWithoutLosingAnything()
    {
        constexpr int ranks = 4;
        constexpr int events = 20'000; // more than there is room for at first
        Recorder recorder(ranks, 100);
        recorder.start();
        {
            std::vector<std::jthread> threads;
            for (int rank = 0; rank < ranks; ++rank)
                threads.emplace_back([&recorder, rank] {
                    for (int i = 0; i < events; ++i) {
                        const std::int64_t begin = recorder.now();
                        Event event = eventAt(rank, begin, recorder.now());
                        event.bytes = i;
                        recorder.add(std::move(event));
                    }
                });
        }
        const Trace trace = recorder.finish({});
        QCOMPARE(trace.events.size(), std::size_t(ranks) * events);
        std::vector<std::int64_t> next(ranks, 0);
        std::int64_t last = 0;
        for (const Event &event : trace.events) {
            QVERIFY(event.beginNs >= last && event.endNs >= event.beginNs);
            last = event.beginNs;
            QCOMPARE(event.bytes, next[event.rank.index()]++);
        }
    }

    void newEventsAreThoseSinceTheLastTime()
    {
        Recorder recorder(2, 1); // room for one: more is added as it is needed
        QVERIFY(recorder.newEvents().empty());
        recorder.add(eventAt(1, 30, 40));
        recorder.add(eventAt(0, 20, 50));
        QCOMPARE(recorder.newEvents(), (std::vector<Event>{eventAt(0, 20, 50), eventAt(1, 30, 40)}));
        QVERIFY(recorder.newEvents().empty());
        recorder.add(eventAt(1, 40, 45));
        recorder.add(eventAt(1, 45, 60));
        QCOMPARE(recorder.newEvents(), (std::vector<Event>{eventAt(1, 40, 45), eventAt(1, 45, 60)}));
        QCOMPARE(recorder.finish({}).events.size(), std::size_t(4)); // reading takes nothing away
        recorder.add(eventAt(0, 70, 80));
        QCOMPARE(recorder.newEvents(), (std::vector<Event>{eventAt(0, 70, 80)}));
    }

    void whoReadsAlongSeesEveryEventOnce()
    {
        constexpr int ranks = 4;
        constexpr int events = 20'000;
        Recorder recorder(ranks, 100);
        recorder.start();
        std::vector<Event> seen;
        std::atomic<int> running = ranks;
        {
            std::vector<std::jthread> threads;
            for (int rank = 0; rank < ranks; ++rank)
                threads.emplace_back([&recorder, &running, rank] {
                    for (int i = 0; i < events; ++i) {
                        Event event = eventAt(rank, recorder.now(), 0);
                        event.value = "a name that is too long to be kept inside of a string";
                        event.bytes = i;
                        recorder.add(std::move(event));
                    }
                    --running;
                });
            while (running > 0) {
                for (Event &event : recorder.newEvents())
                    seen.push_back(std::move(event));
                std::this_thread::yield();
            }
        }
        for (Event &event : recorder.newEvents())
            seen.push_back(std::move(event));
        QCOMPARE(seen.size(), std::size_t(ranks) * events);
        std::vector<std::int64_t> next(ranks, 0);
        for (const Event &event : seen) {
            QCOMPARE(event.bytes, next[event.rank.index()]++);
            QCOMPARE(event.value.size(), std::size_t(53));
        }
    }

    void timeRunsFromTheStart()
    {
        Recorder recorder(1, 1);
        const auto before = std::chrono::steady_clock::now();
        recorder.start();
        QVERIFY(recorder.origin() >= before);
        const std::int64_t now = recorder.now();
        QVERIFY(now >= 0 && now <= (std::chrono::steady_clock::now() - before) / std::chrono::nanoseconds(1));
    }
};

PIPESCOPE_TEST(TestRecorder)
#include "tst_recorder.moc"

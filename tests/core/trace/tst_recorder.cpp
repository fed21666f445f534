#include "trace/recorder.h"

#include <QtTest>
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

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"

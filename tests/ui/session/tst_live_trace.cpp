#include "session/live_trace.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <chrono>

using namespace pipescope;
using session::LiveTrace;

namespace {

/// Of so many events.
trace::TracePart eventsPart(int number, std::size_t events)
{
    trace::TracePart part{0, number, {}};
    part.trace.events.resize(events);
    return part;
}

} // namespace

class TestLiveTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    /// How fast is in tests/bench.
    void aMillionEventsAreTakenIn()
    {
        LiveTrace live;
        constexpr int notes = 1000;
        for (int i = 0; i < notes; ++i) {
            trace::TracePart part{0, i, {}};
            part.trace.events.resize(1000);
            for (trace::Event &event : part.trace.events)
                event.beginNs = i;
            live.add(part);
        }
        QCOMPARE(live.snapshot()->events.size(), std::size_t(notes) * 1000);
        QVERIFY(live.cost() > std::chrono::nanoseconds(0));
    }

    void anEngineThatNeverStopsTellingDoesNotTakeAllMemory()
    {
        LiveTrace live;
        trace::TracePart part;
        part.trace.ranks = part.trace.stages = part.trace.microbatches = 1;
        part.trace.memory.resize(LiveTrace::Most / 10);
        for (; part.number < 20; ++part.number)
            live.add(part);
        QCOMPARE(live.snapshot()->memory.size(), LiveTrace::Most);
        part = {1, 0, part.trace};
        live.add(part);
        QCOMPARE(live.snapshot()->memory.size(), LiveTrace::Most / 10);
    }

    void itSaysWhichStagesFeedWhich()
    {
        LiveTrace live;
        trace::TracePart part = eventsPart(0, 1);
        part.trace.feeds.emplace();
        live.add(part);
        QVERIFY(live.snapshot()->feeds == part.trace.feeds);
    }

    void nothingIsShownAfterAPartThatDoesNotFit()
    {
        LiveTrace live(100);
        live.add(eventsPart(0, 60));
        live.add(eventsPart(1, 50));
        live.add(eventsPart(2, 10)); // which would fit
        QCOMPARE(live.snapshot()->events.size(), std::size_t(60));
        live.add(eventsPart(0, 10)); // another run
        live.add(eventsPart(1, 90));
        QCOMPARE(live.snapshot()->events.size(), std::size_t(100));
    }
};

PIPESCOPE_TEST(TestLiveTrace)
#include "tst_live_trace.moc"

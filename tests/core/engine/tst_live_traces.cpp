#include "engine/live_traces.h"

#include "support/fake_clock.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>
#include <utility>
#include <vector>

using namespace pipescope;
using namespace std::chrono_literals;
using engine::LiveTraces;

namespace {

struct Listener
{
    engine::JobContext context;
    tests::FakeClock time;
    std::vector<std::pair<int, int>> parts; ///< run and number of each that was told

    Listener()
    {
        context.traced = [this](const trace::TracePart &part) { parts.emplace_back(part.run, part.number); };
    }
};

} // namespace

class TestLiveTraces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ofManyShortRunsThirtyASecondAreTold()
    {
        Listener listener;
        LiveTraces live(listener.context, listener.time.clock());
        for (int run = 0; run < 300; ++run) {
            live.forRun(run)(tests::evenForward(1, 1, 10));
            listener.time.advance(1ms);
        }
        std::vector<std::pair<int, int>> expected;
        for (int run = 0; run < 300; run += 33)
            expected.emplace_back(run, 0);
        QCOMPARE(listener.parts, expected);
    }

    void aRunThatIsToldIsToldAllTheTime()
    {
        Listener listener;
        LiveTraces live(listener.context, listener.time.clock());
        const runtime::Traced tell = live.forRun(0);
        for (const auto pause : {0ms, 1ms, 40ms}) {
            listener.time.advance(pause);
            tell(tests::evenForward(1, 1, 10));
        }
        QCOMPARE(listener.parts, (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}}));
    }

    void aRunThatIsLeftOutIsLeftOutWhole()
    {
        Listener listener;
        LiveTraces live(listener.context, listener.time.clock());
        live.forRun(0)(tests::evenForward(1, 1, 10));
        const runtime::Traced tell = live.forRun(1);
        tell(tests::evenForward(1, 1, 10));
        listener.time.advance(1s);
        tell(tests::evenForward(1, 1, 10));
        live.forRun(2)(tests::evenForward(1, 1, 10));
        QCOMPARE(listener.parts, (std::vector<std::pair<int, int>>{{0, 0}, {2, 0}}));
    }

    void warmUpsAreNotTold()
    {
        Listener listener;
        LiveTraces live(listener.context, listener.time.clock());
        QVERIFY(!live.forRun(-1));
        QVERIFY(live.forRun(0));
    }

    void aReportedRunThatWasNotTheLastIsToldAgain()
    {
        Listener listener;
        LiveTraces live(listener.context, listener.time.clock());
        const trace::Trace trace = tests::evenForward(2, 3, 10);
        live.forRun(0)(trace);
        QCOMPARE(live.finish(0, trace), (trace::TraceExtent{0, 1, 6, 0}));
        QCOMPARE(listener.parts.size(), std::size_t(1));
        QCOMPARE(live.finish(1, trace), (trace::TraceExtent{1, 1, 6, 0}));
        QCOMPARE(listener.parts.back(), std::pair(1, 0));
    }

    void whereNobodyListensNothingIsTold()
    {
        LiveTraces live({}, tests::FakeClock().clock());
        QVERIFY(!live.forRun(0));
        QCOMPARE(live.finish(0, tests::evenForward(2, 3, 10)), (trace::TraceExtent{0, 0, 6, 0}));
    }
};

PIPESCOPE_TEST(TestLiveTraces)
#include "tst_live_traces.moc"

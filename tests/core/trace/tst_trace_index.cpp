#include "trace/trace_index.h"

#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>
#include <random>

using namespace pipescope;
using namespace pipescope::trace;
using schedule::ActionKind;
using tests::TraceBuilder;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers listed(TraceIndex::Events events)
{
    return {events.begin(), events.end()};
}

/// Of nobody's runtime: of ranks there are not, out of order, several at one moment.
Trace randomTrace(std::mt19937 &random)
{
    const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    Trace trace;
    trace.ranks = below(4);
    trace.stages = 3;
    trace.microbatches = 3;
    const bool isSorted = below(2) == 0;
    for (int i = below(120); i > 0; --i) {
        Event event;
        event.kind = static_cast<EventKind>(below(4));
        event.rank = RankId{below(6) - 1};
        event.stage = StageId{below(4) - 1};
        event.microbatch = MicrobatchId{below(3)};
        event.action = ComputeKinds[static_cast<std::size_t>(below(4))];
        event.peer = StageId{below(4) - 1};
        event.peerMicrobatch = MicrobatchId{below(4) - 1};
        event.peerAction = ComputeKinds[static_cast<std::size_t>(below(4))];
        event.cause = static_cast<WaitCause>(below(4));
        event.value = std::array{"a", "b", ""}[static_cast<std::size_t>(below(3))];
        event.beginNs = below(40);
        event.endNs = event.beginNs + below(10);
        trace.events.push_back(event);
    }
    if (isSorted)
        std::stable_sort(trace.events.begin(), trace.events.end(),
                         [](const Event &a, const Event &b) { return a.beginNs < b.beginNs; });
    return trace;
}

/// All that fit, by begin, found by looking at each.
template <class Fits>
Numbers eventsThat(const Trace &trace, Fits fits)
{
    Numbers numbers;
    for (std::uint32_t i = 0; i < trace.events.size(); ++i)
        if (fits(trace.events[i]))
            numbers.push_back(i);
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) {
        return trace.events[a].beginNs < trace.events[b].beginNs;
    });
    return numbers;
}

bool isSamePlace(const Event &a, const Event &b)
{
    return a.stage == b.stage && a.microbatch == b.microbatch;
}

/// All of ranks of the trace that fit, by begin.
template <class Fits>
Numbers eventsOfRanksThat(const Trace &trace, Fits fits)
{
    return eventsThat(trace, [&](const Event &event) { return hasRank(trace, event.rank) && fits(event); });
}

/// Of all events of its stage and microbatch, one after another.
std::optional<std::uint32_t> computeBesides(const Trace &trace, std::uint32_t event)
{
    const Event &asked = trace.events[event];
    if (!hasRank(trace, asked.rank))
        return std::nullopt;
    if (asked.kind == EventKind::Compute)
        return event;
    Numbers all = eventsOfRanksThat(trace, [&](const Event &one) { return isSamePlace(one, asked); });
    if (asked.kind == EventKind::Send)
        std::reverse(all.begin(), all.end());
    const auto from = std::find(all.begin(), all.end(), event);
    const auto compute =
        std::find_if(from, all.end(), [&](std::uint32_t i) { return trace.events[i].kind == EventKind::Compute; });
    return compute == all.end() ? std::nullopt : std::optional(*compute);
}

/// Of the computes that a wait names, one after another.
std::optional<std::uint32_t> giverBesides(const Trace &trace, std::uint32_t wait)
{
    const Event &asked = trace.events[wait];
    const std::optional<std::uint32_t> own = computeBesides(trace, wait);
    std::optional<std::uint32_t> giver;
    for (const std::uint32_t i : eventsOfRanksThat(trace, [&](const Event &event) {
             return isCreditWait(asked) && event.kind == EventKind::Compute && keyOf(event) == giverKeyOf(asked) &&
                    event.beginNs <= asked.endNs;
         }))
        if (i != own)
            giver = i;
    return giver;
}

/// "" where all answers are those of looking at each event.
QString differenceIn(const Trace &trace)
{
    const TraceIndex index(trace);
    if (listed(index.byTime()) != eventsThat(trace, [](const Event &) { return true; }))
        return "by time";
    for (int rank = -1; rank < 6; ++rank)
        if (listed(index.ofRank(RankId{rank})) != eventsThat(trace, [&](const Event &event) {
                return rank >= 0 && rank < trace.ranks && event.rank.value == rank;
            }))
            return "of a rank";
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
        const Event &asked = trace.events[i];
        if (listed(index.byTime())[index.placeInTime(i)] != i)
            return "place in time";
        if (listed(index.of(asked.stage, asked.microbatch)) !=
            eventsOfRanksThat(trace, [&](const Event &event) { return isSamePlace(event, asked); }))
            return "of a stage and microbatch";
        if (listed(index.computesOf(keyOf(asked))) != eventsOfRanksThat(trace, [&](const Event &event) {
                return event.kind == EventKind::Compute && keyOf(event) == keyOf(asked);
            }))
            return "computes";
        const TraceIndex::Message message{asked.value, asked.microbatch, asked.stage, asked.peer};
        const auto messages = [&](EventKind kind) {
            return eventsOfRanksThat(trace, [&](const Event &event) {
                const bool isSend = kind == EventKind::Send;
                return event.kind == kind && event.value == asked.value && event.microbatch == asked.microbatch &&
                       (isSend ? event.stage : event.peer) == asked.stage &&
                       (isSend ? event.peer : event.stage) == asked.peer;
            });
        };
        if (listed(index.sendsOf(message)) != messages(EventKind::Send))
            return "sends";
        if (listed(index.receivesOf(message)) != messages(EventKind::Receive))
            return "receives";
        if (listed(index.creditWaitsFor(giverKeyOf(asked))) != eventsOfRanksThat(trace, [&](const Event &event) {
                return isCreditWait(event) && giverKeyOf(event) == giverKeyOf(asked);
            }))
            return "waits for credit";
        if (index.giverOf(i) != giverBesides(trace, i))
            return "who gave a credit";
        if (index.computeFor(i) != computeBesides(trace, i))
            return "the compute of an event";
    }
    return {};
}

} // namespace

class TestTraceIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAComputeWaitedForAndSentStandsAroundIt()
    {
        const Trace trace = TraceBuilder(2, 2, 1)
                                .wait(1, 1, 0, WaitCause::Input, 0, 9, 0) // event 0
                                .receive(1, 1, 0, 0, 9, 10)
                                .compute(1, 1, 0, 10, 20)
                                .send(1, 1, 0, 0, 20, 21)
                                .wait(1, 1, 0, WaitCause::Input, 22, 30, 0) // event 4
                                .compute(1, 1, 0, 30, 50, ActionKind::FullBackward)
                                .send(1, 1, 0, 0, 50, 51)
                                .build();
        const TraceIndex index(trace);
        QCOMPARE(listed(index.before(2)), (Numbers{0, 1}));
        QCOMPARE(listed(index.after(2)), (Numbers{3, 4}));
        QCOMPARE(listed(index.before(5)), (Numbers{3, 4}));
        QCOMPARE(listed(index.after(5)), Numbers{6});
        const Numbers computes{2, 2, 2, 2, 5, 5, 5};
        for (std::uint32_t event = 0; event < computes.size(); ++event)
            QCOMPARE(index.computeFor(event), std::optional(computes[event]));
    }

    void aForwardAndABackwardOfOneMicrobatchAreFoundApart()
    {
        const Trace trace = TraceBuilder(1, 1, 2)
                                .compute(0, 0, 0, 0, 10)
                                .compute(0, 0, 1, 10, 20)
                                .compute(0, 0, 0, 20, 40, ActionKind::FullBackward)
                                .build();
        const TraceIndex index(trace);
        QCOMPARE(index.computeOf({ActionKind::Forward, StageId{0}, MicrobatchId{0}}), std::optional(0U));
        QCOMPARE(index.computeOf({ActionKind::FullBackward, StageId{0}, MicrobatchId{0}}), std::optional(2U));
        QCOMPARE(index.computeOf({ActionKind::FullBackward, StageId{0}, MicrobatchId{1}}), std::nullopt);
    }

    void anEmptyTraceHasNothing()
    {
        const Trace trace;
        for (const TraceIndex &index : {TraceIndex(), TraceIndex(trace)}) {
            QVERIFY(index.byTime().empty());
            QVERIFY(index.ofRank(RankId{0}).empty());
            QVERIFY(index.sendsOf({"h", MicrobatchId{0}, StageId{0}, StageId{1}}).empty());
            QVERIFY(!index.computeOf({}));
        }
    }

    void allAnswersAreThoseOfLookingAtEachEvent()
    {
        for (unsigned seed = 0; seed < 100; ++seed) {
            std::mt19937 random(seed);
            const QString difference = differenceIn(randomTrace(random));
            QVERIFY2(difference.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(difference)));
        }
    }
};

PIPESCOPE_TEST(TestTraceIndex)
#include "tst_trace_index.moc"

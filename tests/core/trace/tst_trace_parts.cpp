#include "support/test_program.h"
#include "support/trace_builder.h"
#include "trace/trace_collector.h"
#include "trace/trace_splitter.h"

#include <QTest>
#include <vector>

using namespace pipescope;
using namespace pipescope::trace;

namespace {

/// Three microbatches through two stages, with memory; in order of time.
Trace sampledTrace()
{
    Trace trace = tests::evenForward(2, 3, 10);
    for (int i = 0; i < 4; ++i)
        trace.memory.push_back({RankId{i % 2}, 10 * i - 5, 100 + i});
    return trace;
}

TraceExtent extentOf(const Trace &trace, int run, int parts)
{
    return {run, parts, static_cast<std::int64_t>(trace.events.size()), static_cast<std::int64_t>(trace.memory.size())};
}

/// As a splitter with room for so many bytes sends it.
std::vector<TracePart> partsOf(const Trace &trace, std::size_t mostBytes, int run = 0)
{
    std::vector<TracePart> parts;
    TraceSplitter splitter([&parts](const TracePart &part) { parts.push_back(part); }, mostBytes);
    splitter.add(run, trace);
    return parts;
}

std::string faultOfParts(const std::vector<TracePart> &parts, const TraceExtent &whole)
{
    TraceCollector collector;
    for (const TracePart &part : parts)
        collector.add(part);
    const Result<Trace> trace = collector.take(whole);
    return trace ? "" : trace.error().message;
}

std::string notWhole(const std::string &why)
{
    return "the run has ended, but its trace has not arrived whole: " + why + "; run it again";
}

} // namespace

class TestTraceParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSmallPieceIsOnePart()
    {
        const Trace trace = sampledTrace();
        const std::vector<TracePart> parts = partsOf(trace, 1 << 20, 3);
        QCOMPARE(parts.size(), std::size_t(1));
        QCOMPARE(parts[0], (TracePart{3, 0, trace}));
    }

    /// An event takes 128 bytes and the name of its value, a sample 32; the names of the whole take 176.
    void aLargePieceIsSeveralPartsWithTheNamesOfTheWhole()
    {
        const Trace trace = sampledTrace();
        const std::vector<TracePart> parts = partsOf(trace, 600);
        std::vector<std::size_t> events;
        std::vector<std::size_t> samples;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QCOMPARE(parts[i].number, static_cast<int>(i));
            QCOMPARE(parts[i].trace.rankNames, trace.rankNames);
            QCOMPARE(parts[i].trace.stages, 2);
            events.push_back(parts[i].trace.events.size());
            samples.push_back(parts[i].trace.memory.size());
        }
        QCOMPARE(events, (std::vector<std::size_t>{3, 3, 0}));
        QCOMPARE(samples, (std::vector<std::size_t>{0, 1, 3}));
    }

    void whatIsLargerThanAPartGoesOutAlone()
    {
        const Trace trace = sampledTrace();
        const std::vector<TracePart> parts = partsOf(trace, 1);
        QCOMPARE(parts.size(), trace.events.size() + trace.memory.size());
    }

    void aRunWithoutEventsIsAPartTooButOnlyOne()
    {
        std::vector<TracePart> parts;
        TraceSplitter splitter([&parts](const TracePart &part) { parts.push_back(part); }, 1000);
        Trace empty;
        empty.ranks = 2;
        splitter.add(0, empty);
        splitter.add(0, empty);
        QCOMPARE(parts, (std::vector<TracePart>{{0, 0, empty}}));
        QCOMPARE(splitter.parts(), 1);
    }

    void eachRunIsNumberedFromTheBeginning()
    {
        std::vector<std::pair<int, int>> numbers;
        TraceSplitter splitter([&](const TracePart &part) { numbers.emplace_back(part.run, part.number); }, 1 << 20);
        QCOMPARE(splitter.run(), -1);
        for (const int run : {0, 0, 1, 0})
            splitter.add(run, sampledTrace());
        QCOMPARE(numbers, (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {0, 0}}));
        QCOMPARE(splitter.run(), 0);
        QCOMPARE(splitter.parts(), 1);
    }

    /// However it was cut, and whichever rank was told first.
    void allPartsTogetherAreTheTrace()
    {
        const Trace trace = sampledTrace();
        for (const std::size_t mostBytes : {1, 300, 700, 100'000}) {
            Trace first = trace;
            Trace second = trace;
            std::erase_if(first.events, [](const Event &event) { return event.rank == RankId{0}; });
            std::erase_if(second.events, [](const Event &event) { return event.rank != RankId{0}; });
            first.memory.clear();
            std::vector<TracePart> parts;
            TraceSplitter splitter([&parts](const TracePart &part) { parts.push_back(part); }, mostBytes);
            splitter.add(7, first);
            splitter.add(7, second);
            TraceCollector collector;
            for (const TracePart &part : parts)
                collector.add(part);
            const Result<Trace> whole = collector.take(extentOf(trace, 7, splitter.parts()));
            QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
            QVERIFY(*whole == trace);
        }
    }

    void aRunThatBeginsTakesThePlaceOfTheOneBefore()
    {
        const Trace trace = sampledTrace();
        std::vector<TracePart> parts = partsOf(tests::evenForward(2, 3, 7), 500, 0);
        parts.pop_back(); // which nobody misses
        for (const TracePart &part : partsOf(trace, 500, 1))
            parts.push_back(part);
        QCOMPARE(faultOfParts(parts, extentOf(trace, 1, 4)), std::string());
        for (const TracePart &part : partsOf(trace, 1000, 0)) // which came first, and is told again
            parts.push_back(part);
        QCOMPARE(faultOfParts(parts, extentOf(trace, 0, 2)), std::string());
        QCOMPARE(faultOfParts(parts, extentOf(trace, 1, 4)),
                 notWhole("it is of run 1, and what came last is of run 0"));
    }

    void aPartThatIsMissingIsAnError()
    {
        const Trace trace = sampledTrace();
        const std::vector<TracePart> whole = partsOf(trace, 500);
        QCOMPARE(whole.size(), std::size_t(4));
        const TraceExtent extent = extentOf(trace, 0, 4);
        QCOMPARE(faultOfParts(whole, extent), std::string());
        const auto without = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
            std::vector<TracePart> parts = whole;
            parts.erase(parts.begin() + first, parts.begin() + last);
            return faultOfParts(parts, extent);
        };
        QCOMPARE(without(0, 1), notWhole("part 0 is missing"));
        QCOMPARE(without(1, 2), notWhole("part 1 is missing"));
        QCOMPARE(without(1, 3), notWhole("the parts from 1 to 2 are missing"));
        QCOMPARE(without(3, 4), notWhole("there were 4 parts, but 3 came"));
        QCOMPARE(without(0, 4), notWhole("there were 4 parts, but 0 came"));
    }

    void aPartThatComesTwiceOrLateIsAnError()
    {
        const Trace trace = sampledTrace();
        const std::vector<TracePart> whole = partsOf(trace, 500);
        const TraceExtent extent = extentOf(trace, 0, 4);
        std::vector<TracePart> twice = whole;
        twice.insert(twice.begin() + 2, whole[1]);
        QCOMPARE(faultOfParts(twice, extent), notWhole("part 1 came twice, or too late"));
        std::vector<TracePart> again = whole;
        again.push_back(whole[0]);
        QCOMPARE(faultOfParts(again, extent), notWhole("part 0 came twice, or too late"));
        std::vector<TracePart> late = partsOf(trace, 500, 1);
        late.insert(late.begin() + 1, whole[3]);
        QCOMPARE(faultOfParts(late, extentOf(trace, 1, 4)), notWhole("a part of run 0 came amid those of run 1"));
    }

    void partsThatAreOfNoOneTraceAreAnError()
    {
        const Trace trace = sampledTrace();
        std::vector<TracePart> parts = partsOf(trace, 500);
        parts[2].trace.stages = 9;
        QCOMPARE(faultOfParts(parts, extentOf(trace, 0, 4)), notWhole("part 2 is of another trace"));
        parts = partsOf(trace, 500);
        parts[2].trace.events.pop_back();
        QCOMPARE(faultOfParts(parts, extentOf(trace, 0, 4)),
                 notWhole("there were 6 events and 4 memory samples, but 5 and 4 came"));
    }

    void aPartThatCannotBeReadIsAnErrorInItsWords()
    {
        const Trace trace = sampledTrace();
        TraceCollector collector;
        for (const TracePart &part : partsOf(trace, 500))
            part.number == 1 ? collector.addUnreadable("it is torn") : collector.add(part);
        QCOMPARE(collector.take(extentOf(trace, 0, 4)).error().message, notWhole("a part cannot be read: it is torn"));
    }

    void aTraceThatTakesTooMuchMemoryIsCutShort()
    {
        const Trace trace = sampledTrace();
        const std::size_t bytes = 2 * (6 * (sizeof(Event) + 100) + 4 * sizeof(MemorySample));
        Trace named = trace;
        for (Event &event : named.events)
            event.value = std::string(100, 'v');
        TraceCollector collector(bytes);
        collector.add({0, 0, named});
        collector.add({0, 1, named});
        QVERIFY(!collector.isCutShort());
        Trace none = trace;
        none.events.clear();
        none.memory.resize(1);
        collector.add({0, 2, none}); // finds no room
        collector.add({0, 3, named});
        QVERIFY(collector.isCutShort());
        const Result<Trace> kept = collector.take({0, 4, 18, 13});
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QCOMPARE(kept->events.size(), std::size_t(12));
        QCOMPARE(kept->memory.size(), std::size_t(8));
        QCOMPARE(kept->stages, 2);
    }

    void nothingIsKeptAfterAPartThatFoundNoRoom()
    {
        Trace large = sampledTrace();
        Trace small = large;
        small.events.resize(1);
        small.memory.clear();
        TraceCollector collector(sizeof(Event) * 3);
        collector.add({0, 0, small});
        collector.add({0, 1, large});
        collector.add({0, 2, small});
        const Result<Trace> kept = collector.take({0, 3, 8, 4});
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QCOMPARE(kept->events.size(), std::size_t(1));
    }

    void aTraceThatIsCutShortStillMissesAPart()
    {
        const Trace trace = sampledTrace();
        TraceCollector collector(1);
        for (const int number : {0, 1, 3})
            collector.add({0, number, trace});
        QCOMPARE(collector.take({0, 4, 24, 16}).error().message, notWhole("part 2 is missing"));
    }

    void anotherRunIsNotCutShortByTheOneBefore()
    {
        const Trace trace = sampledTrace();
        TraceCollector collector(sizeof(Event) * 10);
        collector.add({0, 0, trace});
        collector.add({0, 1, trace});
        QVERIFY(collector.isCutShort());
        collector.add({1, 0, trace});
        QVERIFY(!collector.isCutShort());
        const Result<Trace> whole = collector.take(extentOf(trace, 1, 1));
        QVERIFY(whole && *whole == trace);
    }

    void whatWasTakenIsThereNoMore()
    {
        const Trace trace = sampledTrace();
        TraceCollector collector;
        collector.add({0, 0, trace});
        QVERIFY(collector.take(extentOf(trace, 0, 1)));
        const Result<Trace> again = collector.take({});
        QVERIFY(again && again->events.empty());
    }
};

PIPESCOPE_TEST(TestTraceParts)
#include "tst_trace_parts.moc"

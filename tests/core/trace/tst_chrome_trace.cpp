#include "support/test_program.h"
#include "support/trace_builder.h"
#include "trace/chrome_trace.h"
#include "trace/trace_feeds.h"

#include <QFloat16>
#include <QTest>
#include <nlohmann/json.hpp>
#include <random>

using namespace pipescope;
using namespace pipescope::trace;
using tests::TraceBuilder;
using Json = nlohmann::json;

namespace {

Trace smallTrace()
{
    return TraceBuilder(2, 2, 1)
        .compute(0, 0, 0, 0, 1500)
        .send(0, 0, 0, 1, 1500, 1600, 64)
        .wait(1, 1, 0, WaitCause::Input, 100, 1700, 0)
        .receive(1, 1, 0, 0, 1700, 1750, 64)
        .compute(1, 1, 0, 1750, 4001)
        .memory(0, 10, 64)
        .memory(1, 1700, 128)
        .build();
}

// The events of one phase, in order.
std::vector<Json> phase(const Trace &trace, const std::string &wanted)
{
    std::vector<Json> found;
    const Json root = Json::parse(toChromeJson(trace));
    for (const Json &event : root["traceEvents"])
        if (event["ph"] == wanted)
            found.push_back(event);
    return found;
}

} // namespace

class TestChromeTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFrameHoldsOurOwnFacts()
    {
        const Json root = Json::parse(toChromeJson(smallTrace()));
        QCOMPARE(root.size(), std::size_t(3));
        QCOMPARE(root["displayTimeUnit"], Json("ms"));
        QCOMPARE(root["pipescope"], Json::parse(R"j({"version": 1, "title": "test", "ranks": 2, "stages": 2,
            "microbatches": 1, "rank_names": ["rank 0 (cpu:0)", "rank 1 (cpu:1)"]})j"));
    }

    void everyRankIsAProcessWithFourNamedTracks()
    {
        const std::vector<Json> metadata = phase(smallTrace(), "M");
        QCOMPARE(metadata.size(), std::size_t(2 * 10));
        QCOMPARE(
            metadata[10],
            Json::parse(
                R"j({"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "rank 1 (cpu:1)"}})j"));
        QCOMPARE(metadata[11],
                 Json::parse(
                     R"j({"ph": "M", "name": "process_sort_index", "pid": 1, "tid": 0, "args": {"sort_index": 1}})j"));
        const char *tracks[] = {"compute", "send", "receive", "wait"};
        for (int track = 0; track < 4; ++track) {
            const auto at = static_cast<std::size_t>(2 + 2 * track);
            QCOMPARE(metadata[at]["name"], Json("thread_name"));
            QCOMPARE(metadata[at]["tid"], Json(track));
            QCOMPARE(metadata[at]["args"]["name"], Json(tracks[track]));
            QCOMPARE(metadata[at + 1]["name"], Json("thread_sort_index"));
            QCOMPARE(metadata[at + 1]["args"]["sort_index"], Json(track));
        }
    }

    void slicesHaveMicrosecondsAndArguments()
    {
        const std::vector<Json> slices = phase(smallTrace(), "X");
        QCOMPARE(slices.size(), std::size_t(5));
        QCOMPARE(slices[0], Json::parse(R"j({"ph": "X", "name": "0F0", "cat": "compute", "pid": 0, "tid": 0, "ts": 0.0,
            "dur": 1.5, "args": {"stage": 0, "microbatch": 0, "action": "0F0", "peer": -1, "value": "", "bytes": 0,
            "cause": "none", "begin_ns": 0, "end_ns": 1500}})j"));
        QCOMPARE(slices[1]["name"], Json("wait (input)"));
        QCOMPARE(slices[1]["tid"], Json(3));
        QCOMPARE(slices[2]["name"], Json("send to stage 1"));
        QCOMPARE(slices[2]["tid"], Json(1));
        QCOMPARE(slices[2]["args"]["bytes"], Json(64));
        QCOMPARE(slices[3]["name"], Json("receive from stage 0"));
        QCOMPARE(slices[3]["tid"], Json(2));
        QCOMPARE(slices[3]["args"]["value"], Json("h0"));
        QCOMPARE(slices[4]["ts"], Json(1.75));
        QCOMPARE(slices[4]["dur"], Json(2.251));
    }

    void anArrowLeadsFromTheSendToTheReceive()
    {
        const std::vector<Json> starts = phase(smallTrace(), "s");
        const std::vector<Json> ends = phase(smallTrace(), "f");
        QCOMPARE(starts.size(), std::size_t(1));
        QCOMPARE(starts[0], Json::parse(R"j({"ph": "s", "bp": "e", "id": 1, "name": "h0", "cat": "transfer", "pid": 0,
            "tid": 1, "ts": 1.5})j"));
        QCOMPARE(ends.size(), std::size_t(1));
        QCOMPARE(ends[0], Json::parse(R"j({"ph": "f", "bp": "e", "id": 1, "name": "h0", "cat": "transfer", "pid": 1,
            "tid": 2, "ts": 1.7})j"));
    }

    // One value sent to two stages, for two microbatches: an arrow for each.
    void everyConsumerHasItsOwnArrow()
    {
        TraceBuilder builder(3, 3, 2);
        for (int i = 0; i < 2; ++i)
            for (int to = 1; to <= 2; ++to)
                builder.send(0, 0, i, to, 100 * i + to, 100 * i + to + 1)
                    .receive(to, to, i, 0, 100 * i + 50, 100 * i + 60);
        const std::vector<Json> starts = phase(builder.build(), "s");
        const std::vector<Json> ends = phase(builder.build(), "f");
        QCOMPARE(starts.size(), std::size_t(4));
        for (std::size_t k = 0; k < 4; ++k) {
            QCOMPARE(starts[k]["id"], Json(k + 1));
            QCOMPARE(ends[k]["id"], Json(k + 1));
            QCOMPARE(ends[k]["pid"], Json(1 + k % 2));
            QCOMPARE(ends[k]["ts"], Json(k < 2 ? 0.05 : 0.15));
        }
    }

    void withoutAReceiveTheArrowEndsAtTheComputation()
    {
        const Trace trace =
            TraceBuilder(2, 2, 1).send(0, 0, 0, 1, 10, 20).compute(1, 1, 0, 30, 40).send(1, 1, 0, 0, 40, 50).build();
        const std::vector<Json> ends = phase(trace, "f");
        QCOMPARE(ends.size(), std::size_t(1)); // nobody takes what stage 1 sends
        QCOMPARE(ends[0]["pid"], Json(1));
        QCOMPARE(ends[0]["tid"], Json(0));
        QCOMPARE(ends[0]["ts"], Json(0.03));
        QCOMPARE(phase(trace, "s").size(), std::size_t(1));
    }

    // 1B0 sends to stage 0, which has computed 0F0 and computes 0B0.
    void theArrowOfAGradientEndsAtTheBackwardThatTakesIt()
    {
        using enum schedule::ActionKind;
        TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 0, 10).send(0, 0, 0, 1, 10, 11).compute(1, 1, 0, 20, 30);
        builder.compute(1, 1, 0, 30, 40, FullBackward).send(1, 1, 0, 0, 40, 41).compute(0, 0, 0, 50, 60, FullBackward);
        const std::vector<Json> ends = phase(builder.build(), "f");
        QCOMPARE(ends.size(), std::size_t(2));
        QCOMPARE(ends[0]["ts"], Json(0.02)); // the value, at 1F0
        QCOMPARE(ends[1]["pid"], Json(0));
        QCOMPARE(ends[1]["ts"], Json(0.05));
    }

    void noArrowLeadsToAStageThatTheSenderDoesNotFeed()
    {
        Trace trace = TraceBuilder(2, 2, 1).send(0, 0, 0, 1, 10, 20).compute(1, 1, 0, 30, 40).build();
        trace.feeds.emplace();
        QVERIFY(phase(trace, "f").empty());
    }

    void anArrowLeadsFromTheEndThatGaveACreditToWhatWaitedForIt()
    {
        const Trace trace = TraceBuilder(2, 2, 2)
                                .compute(1, 1, 0, 30, 40)
                                .creditWait(0, 0, 1, 1, 0, 20, 41)
                                .compute(0, 0, 1, 42, 50)
                                .build();
        QCOMPARE(phase(trace, "X")[0]["args"]["peer_microbatch"], Json(0));
        QVERIFY(!phase(trace, "X")[1]["args"].contains("peer_microbatch"));
        QCOMPARE(phase(trace, "s"), std::vector<Json>{Json::parse(R"j({"ph": "s", "bp": "e", "id": 1, "name": "credit",
            "cat": "credit", "pid": 1, "tid": 0, "ts": 0.03})j")});
        QCOMPARE(phase(trace, "f"), std::vector<Json>{Json::parse(R"j({"ph": "f", "bp": "e", "id": 1, "name": "credit",
            "cat": "credit", "pid": 0, "tid": 0, "ts": 0.042})j")});
        const auto back = parseChromeJson(toChromeJson(trace));
        QVERIFY(back && *back == trace);
    }

    void theArrowOfABackwardsCreditStartsAtTheBackward()
    {
        const Trace trace = tests::creditOfABackwardTrace();
        const std::vector<Json> starts = phase(trace, "s");
        QCOMPARE(starts.size(), std::size_t(1));
        QCOMPARE(starts[0]["ts"], Json(0.3));
        const auto back = parseChromeJson(toChromeJson(trace));
        QVERIFY(back && *back == trace);
    }

    void aCreditOfAnOlderFileIsAForwards()
    {
        Json root = Json::parse(toChromeJson(tests::creditOfABackwardTrace()));
        for (Json &event : root["traceEvents"])
            if (event["ph"] == "X")
                event["args"].erase("peer_action");
        const auto back = parseChromeJson(root.dump());
        QVERIFY(back);
        for (const Event &event : back->events)
            QCOMPARE(event.peerAction, schedule::ActionKind::Forward);
    }

    void aWaitOfAnOlderFileHasNobodyWhoGaveItsCredit()
    {
        Trace trace = TraceBuilder(2, 2, 2).creditWait(0, 0, 1, 1, 0, 20, 41).build();
        Json root = Json::parse(toChromeJson(trace));
        for (Json &event : root["traceEvents"])
            if (event["ph"] == "X")
                event["args"].erase("peer_microbatch");
        const auto back = parseChromeJson(root.dump());
        trace.events[0].peerMicrobatch = {};
        QVERIFY(back && *back == trace);
    }

    void feedsArePairsOfStages()
    {
        Trace trace = smallTrace();
        trace.stages = 3;
        trace.feeds = {{{{0}, {1}}, {{0}, {2}}}};
        QCOMPARE(Json::parse(toChromeJson(trace))["pipescope"]["feeds"], Json::parse("[[0, 1], [0, 2]]"));
        const auto back = parseChromeJson(toChromeJson(trace));
        QVERIFY(back && *back == trace);
        trace.feeds->clear(); // no stage feeds another
        const auto none = parseChromeJson(toChromeJson(trace));
        QVERIFY(none && none->feeds && none->feeds->empty());
    }

    void memoryIsACounterOfBytesPerRank()
    {
        const std::vector<Json> counters = phase(smallTrace(), "C");
        QCOMPARE(counters.size(), std::size_t(2));
        QCOMPARE(
            counters[1],
            Json::parse(R"j({"ph": "C", "name": "memory", "pid": 1, "ts": 1.7, "ns": 1700, "args": {"bytes": 128}})j"));
    }

    void aTraceGoesThereAndBack()
    {
        const auto back = parseChromeJson(toChromeJson(smallTrace()));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(*back, smallTrace());
        const auto empty = parseChromeJson(toChromeJson(Trace{}));
        QVERIFY(empty);
        QCOMPARE(*empty, Trace{});
    }

    void randomTracesGoThereAndBack()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937_64 random(seed);
            const auto below = [&](std::uint64_t count) { return static_cast<std::int64_t>(random() % count); };
            std::int64_t time = 0; // slices on a track do not overlap
            const auto later = [&] {
                return time += below((1ULL << 60) - static_cast<std::uint64_t>(time) + 1) / (1 + below(50));
            };
            Trace trace;
            trace.title = "tïtle \"quoted\"\n\t";
            trace.ranks = static_cast<int>(1 + below(4));
            trace.stages = static_cast<int>(1 + below(6));
            trace.microbatches = static_cast<int>(1 + below(9));
            trace.rankNames.assign(static_cast<std::size_t>(below(6)), "näme");
            if (below(2) == 1)
                trace.feeds = edgesOf(schedule::Feeds::chain(static_cast<int>(below(6)) % (trace.stages + 1)));
            for (std::int64_t n = below(40); n > 0; --n) {
                Event event;
                event.kind = static_cast<EventKind>(below(4));
                event.rank = RankId{static_cast<int>(below(static_cast<std::uint64_t>(trace.ranks)))};
                event.stage = StageId{static_cast<int>(below(static_cast<std::uint64_t>(trace.stages) + 1)) - 1};
                event.microbatch =
                    MicrobatchId{static_cast<int>(below(static_cast<std::uint64_t>(trace.microbatches) + 1)) - 1};
                event.peer = StageId{static_cast<int>(below(static_cast<std::uint64_t>(trace.stages) + 1)) - 1};
                event.peerMicrobatch =
                    MicrobatchId{static_cast<int>(below(static_cast<std::uint64_t>(trace.microbatches) + 1)) - 1};
                if (event.peerMicrobatch.valid())
                    event.peerAction = ComputeKinds[static_cast<std::size_t>(below(ComputeKinds.size()))];
                if (event.kind == EventKind::Compute)
                    event.action = ComputeKinds[static_cast<std::size_t>(below(ComputeKinds.size()))];
                event.value = std::string(static_cast<std::size_t>(below(5)), 'x');
                event.bytes = below(1ULL << 50);
                event.beginNs = later();
                event.endNs = later();
                event.cause = static_cast<WaitCause>(below(4));
                trace.events.push_back(event);
            }
            for (std::int64_t n = below(10); n > 0; --n)
                trace.memory.push_back({RankId{0}, below(1ULL << 60), below(1ULL << 60)});
            const auto back = parseChromeJson(toChromeJson(trace));
            QVERIFY2(back && *back == trace, qPrintable(QString("seed %1").arg(seed)));
        }
    }

    void textThatIsNoUtf8IsWrittenWithReplacements()
    {
        Trace trace;
        trace.title = "a\xff";
        const auto back = parseChromeJson(toChromeJson(trace));
        QVERIFY(back);
        QCOMPARE(back->title, std::string("a\xEF\xBF\xBD"));
    }

    void whatOthersAddedIsSkipped()
    {
        Json root = Json::parse(toChromeJson(smallTrace()));
        root["a"] = {{"deep", {1, {2, {3}}}}};
        root["otherData"] = "x";
        root["traceEvents"].push_back({{"ph", "i"}, {"ts", 1}});
        root["traceEvents"][25]["args"]["note"] = "mine";
        const auto back = parseChromeJson(root.dump());
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->events.size(), std::size_t(5));
    }
};

PIPESCOPE_TEST(TestChromeTrace)
#include "tst_chrome_trace.moc"

// Traces written out in tests, an event a line.
#pragma once

#include "trace/event.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace pipescope::tests {

class TraceBuilder
{
public:
    TraceBuilder(int ranks, int stages, int microbatches)
    {
        m_trace.title = "test";
        m_trace.ranks = ranks;
        m_trace.stages = stages;
        m_trace.microbatches = microbatches;
        for (int rank = 0; rank < ranks; ++rank)
            m_trace.rankNames.push_back(fmt::format("rank {} (cpu:{})", rank, rank));
    }

    TraceBuilder &compute(int rank, int stage, int microbatch, std::int64_t begin, std::int64_t end,
                          schedule::ActionKind kind = schedule::ActionKind::Forward)
    {
        trace::Event event = at(trace::EventKind::Compute, rank, stage, microbatch, begin, end);
        event.action = kind;
        return add(std::move(event));
    }

    TraceBuilder &send(int rank, int stage, int microbatch, int to, std::int64_t begin, std::int64_t end,
                       std::int64_t bytes = 0)
    {
        return add(transfer(at(trace::EventKind::Send, rank, stage, microbatch, begin, end), to, bytes));
    }

    TraceBuilder &receive(int rank, int stage, int microbatch, int from, std::int64_t begin, std::int64_t end,
                          std::int64_t bytes = 0)
    {
        return add(transfer(at(trace::EventKind::Receive, rank, stage, microbatch, begin, end), from, bytes));
    }

    TraceBuilder &wait(int rank, int stage, int microbatch, trace::WaitCause cause, std::int64_t begin,
                       std::int64_t end, int from = -1)
    {
        trace::Event event = at(trace::EventKind::Wait, rank, stage, microbatch, begin, end);
        event.cause = cause;
        event.peer = StageId{from};
        return add(std::move(event));
    }

    /// For the end of what stage `giver` does with microbatch `given`.
    TraceBuilder &creditWait(int rank, int stage, int microbatch, int giver, int given, std::int64_t begin,
                             std::int64_t end, schedule::ActionKind kind = schedule::ActionKind::Forward)
    {
        wait(rank, stage, microbatch, trace::WaitCause::Credit, begin, end, giver);
        m_trace.events.back().peerMicrobatch = MicrobatchId{given};
        m_trace.events.back().peerAction = kind;
        return *this;
    }

    TraceBuilder &memory(int rank, std::int64_t time, std::int64_t bytes)
    {
        m_trace.memory.push_back({RankId{rank}, time, bytes});
        return *this;
    }

    /// With the events by begin time, as a run gives them.
    trace::Trace build()
    {
        std::stable_sort(m_trace.events.begin(), m_trace.events.end(),
                         [](const trace::Event &a, const trace::Event &b) { return a.beginNs < b.beginNs; });
        return m_trace;
    }

private:
    static trace::Event at(trace::EventKind kind, int rank, int stage, int microbatch, std::int64_t begin,
                           std::int64_t end)
    {
        trace::Event event;
        event.kind = kind;
        event.rank = RankId{rank};
        event.stage = StageId{stage};
        event.microbatch = MicrobatchId{microbatch};
        event.beginNs = begin;
        event.endNs = end;
        return event;
    }

    // The value is named after the stage that made it.
    static trace::Event transfer(trace::Event event, int peer, std::int64_t bytes)
    {
        event.peer = StageId{peer};
        event.bytes = bytes;
        event.value = fmt::format("h{}", event.kind == trace::EventKind::Send ? event.stage.value : peer);
        return event;
    }

    TraceBuilder &add(trace::Event event)
    {
        m_trace.events.push_back(std::move(event));
        return *this;
    }

    trace::Trace m_trace;
};

/// Microbatches through one stage per rank, every computation `unit` long, nothing else: GPipe's forward.
inline trace::Trace evenForward(int ranks, int microbatches, std::int64_t unit)
{
    TraceBuilder builder(ranks, ranks, microbatches);
    for (int rank = 0; rank < ranks; ++rank)
        for (int i = 0; i < microbatches; ++i)
            builder.compute(rank, rank, i, (rank + i) * unit, (rank + i + 1) * unit);
    return builder.build();
}

/// Two stages of which neither feeds the other compute one microbatch, 0 to 10 and 4 to 14: `return a(x), b(y)`.
inline trace::Trace twoTowersTrace()
{
    trace::Trace trace = TraceBuilder(2, 2, 1).compute(0, 0, 0, 0, 10).compute(1, 1, 0, 4, 14).build();
    trace.feeds.emplace();
    return trace;
}

/// Two ranks, two microbatches, with everything a rank can do. Times in ns:
///
///     rank 0  |0F0 0..100|send 100..110|0F1 120..220|send 220..230|
///     rank 1  |wait 0..105|receive 105..115|1F0 115..315|   |receive 320..330|1F1 330..530|
inline TraceBuilder twoRanksTrace()
{
    TraceBuilder builder(2, 2, 2);
    builder.compute(0, 0, 0, 0, 100).send(0, 0, 0, 1, 100, 110, 64);
    builder.compute(0, 0, 1, 120, 220).send(0, 0, 1, 1, 220, 230, 64);
    builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 105, 0).receive(1, 1, 0, 0, 105, 115, 64);
    builder.compute(1, 1, 0, 115, 315);
    builder.receive(1, 1, 1, 0, 320, 330, 64).compute(1, 1, 1, 330, 530);
    return builder;
}

/// Two stages of which one microbatch may be under way. Times in ns:
///
///     rank 0  |0F0 0..100|wait for credit 100..400|0F1 400..500|
///     rank 1  |wait 0..100|1F0 100..400|wait 400..500|1F1 500..800|
inline TraceBuilder oneUnderWayTrace()
{
    TraceBuilder builder(2, 2, 2);
    builder.compute(0, 0, 0, 0, 100).creditWait(0, 0, 1, 1, 0, 100, 400).compute(0, 0, 1, 400, 500);
    builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 100, 0).compute(1, 1, 0, 100, 400);
    builder.wait(1, 1, 1, trace::WaitCause::Input, 400, 500, 0).compute(1, 1, 1, 500, 800);
    return builder;
}

/// As above, and each microbatch ends with its backward on stage 0, which gives the credit. Times in ns:
///
///     rank 0  |0F0 0..100|       |0B0 300..400|    |0F1 450..500|
///     rank 1             |1F0 100..200|1B0 200..300|
inline trace::Trace creditOfABackwardTrace()
{
    using enum schedule::ActionKind;
    TraceBuilder builder(2, 2, 2);
    builder.compute(0, 0, 0, 0, 100).compute(1, 1, 0, 100, 200).compute(1, 1, 0, 200, 300, FullBackward);
    builder.compute(0, 0, 0, 300, 400, FullBackward);
    return builder.creditWait(0, 0, 1, 0, 0, 400, 450, FullBackward).compute(0, 0, 1, 450, 500).build();
}

} // namespace pipescope::tests

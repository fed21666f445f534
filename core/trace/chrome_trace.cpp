#include "trace/chrome_trace.h"

#include "schedule/needs.h"
#include "trace/chrome/chrome_format.h"
#include "trace/trace_index.h"

#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace pipescope::trace {

namespace {

using OrderedJson = nlohmann::ordered_json;

double micro(std::int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1000;
}

std::string nameOf(const Event &event)
{
    switch (event.kind) {
    case EventKind::Compute:
        return schedule::toText(keyOf(event));
    case EventKind::Send:
        return fmt::format("send to stage {}", event.peer.value);
    case EventKind::Receive:
        return fmt::format("receive from stage {}", event.peer.value);
    case EventKind::Wait:
        break;
    }
    return fmt::format("wait ({})", causeName(event.cause));
}

// The text as it grows, an event at a time: a tree of a whole trace would take a hundred times its memory.
class Writer
{
public:
    explicit Writer(const Trace &trace)
        : m_trace(trace)
    {
    }

    std::string write()
    {
        OrderedJson own = {{"version", FormatVersion},
                           {"title", m_trace.title},
                           {"ranks", m_trace.ranks},
                           {"stages", m_trace.stages},
                           {"microbatches", m_trace.microbatches},
                           {"rank_names", m_trace.rankNames}};
        if (m_trace.feeds)
            own["feeds"] = pairsOf(*m_trace.feeds);
        m_text = "{\"displayTimeUnit\":\"ms\",\n\"pipescope\":" + textOf(own) + ",\n\"traceEvents\":[";
        addTracks();
        for (const Event &event : m_trace.events)
            addSlice(event);
        addFlows();
        for (const MemorySample &sample : m_trace.memory)
            add({{"ph", "C"},
                 {"name", "memory"},
                 {"pid", sample.rank.value},
                 {"ts", micro(sample.timeNs)},
                 {"ns", sample.timeNs},
                 {"args", {{"bytes", sample.bytes}}}});
        return std::move(m_text) + "\n]}\n";
    }

private:
    static std::string textOf(const OrderedJson &json)
    {
        return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    }

    static OrderedJson pairsOf(const std::vector<schedule::Feeds::Edge> &feeds)
    {
        OrderedJson pairs = OrderedJson::array();
        for (const auto &[from, to] : feeds)
            pairs.push_back(OrderedJson::array({from.value, to.value}));
        return pairs;
    }

    void add(const OrderedJson &event)
    {
        m_text += m_isFirst ? "\n" : ",\n";
        m_isFirst = false;
        m_text += textOf(event);
    }

    void addMetadata(const char *what, int process, int thread, const OrderedJson &arguments)
    {
        add({{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", arguments}});
    }

    void addTracks()
    {
        for (int rank = 0; rank < m_trace.ranks; ++rank) {
            const auto index = static_cast<std::size_t>(rank);
            const std::string name =
                index < m_trace.rankNames.size() ? m_trace.rankNames[index] : fmt::format("rank {}", rank);
            addMetadata("process_name", rank, 0, {{"name", name}});
            addMetadata("process_sort_index", rank, 0, {{"sort_index", rank}});
            for (const EventKind kind : Tracks) {
                addMetadata("thread_name", rank, trackOf(kind), {{"name", kindName(kind)}});
                addMetadata("thread_sort_index", rank, trackOf(kind), {{"sort_index", trackOf(kind)}});
            }
        }
    }

    void addSlice(const Event &event)
    {
        OrderedJson arguments = {{"stage", event.stage.value},
                                 {"microbatch", event.microbatch.value},
                                 {"action", event.kind == EventKind::Compute ? schedule::toText(keyOf(event)) : ""},
                                 {"peer", event.peer.value},
                                 {"value", event.value},
                                 {"bytes", event.bytes},
                                 {"cause", causeName(event.cause)},
                                 {"begin_ns", event.beginNs},
                                 {"end_ns", event.endNs}};
        if (event.peerMicrobatch.valid()) {
            arguments["peer_microbatch"] = event.peerMicrobatch.value;
            arguments["peer_action"] = schedule::kindName(event.peerAction);
        }
        add({{"ph", "X"},
             {"name", nameOf(event)},
             {"cat", kindName(event.kind)},
             {"pid", event.rank.value},
             {"tid", trackOf(event.kind)},
             {"ts", micro(event.beginNs)},
             {"dur", micro(event.endNs - event.beginNs)},
             {"args", arguments}});
    }

    // An arrow from each send to the receive of the same value for the same stage or, where taking it over was no event
    // of its own, to the computation that had it; and one from the computation that gave a credit to the one that
    // waited for it.
    void addFlows()
    {
        const TraceIndex index(m_trace);
        int id = 0;
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            const Event &event = m_trace.events[i];
            if (isCreditWait(event)) {
                const auto giver = index.giverOf(i);
                const auto taker = index.computeFor(i);
                if (giver && taker)
                    addFlow(++id, m_trace.events[*giver], m_trace.events[*taker], {"credit", causeName(event.cause)});
            }
            if (event.kind != EventKind::Send)
                continue;
            const auto receives = index.receivesOf({event.value, event.microbatch, event.stage, event.peer});
            const Event *target = receives.empty() ? firstTaker(index, i) : &m_trace.events[receives.front()];
            if (target != nullptr)
                addFlow(++id, event, *target, {"transfer", event.value});
        }
    }

    /// The first compute of the stage that a send goes to which needs what the sender made; null where there is none.
    [[nodiscard]] const Event *firstTaker(const TraceIndex &index, std::uint32_t send) const
    {
        const Event &sent = m_trace.events[send];
        const std::optional<std::uint32_t> maker = index.computeFor(send);
        const schedule::ActionKey made =
            maker ? keyOf(m_trace.events[*maker])
                  : schedule::ActionKey{schedule::ActionKind::Forward, sent.stage, sent.microbatch};
        for (const schedule::ActionKey &taker : schedule::neededBy(made, index.feeds()))
            if (taker.stage == sent.peer)
                for (const schedule::ActionKind kind : ComputeKinds)
                    if (schedule::resultOf({kind, taker.stage, taker.microbatch}) == taker)
                        if (const auto compute = index.computeOf({kind, taker.stage, taker.microbatch}))
                            return &m_trace.events[*compute];
        return nullptr;
    }

    struct FlowName
    {
        std::string_view category;
        std::string_view name;
    };

    void addFlow(int id, const Event &from, const Event &to, FlowName name)
    {
        addFlowEnd("s", id, from, name);
        addFlowEnd("f", id, to, name);
    }

    // At the slice's begin, which is inside it: a slice does not enclose its own end.
    void addFlowEnd(const char *phase, int id, const Event &slice, FlowName name)
    {
        add({{"ph", phase},
             {"bp", "e"},
             {"id", id},
             {"name", name.name},
             {"cat", name.category},
             {"pid", slice.rank.value},
             {"tid", trackOf(slice.kind)},
             {"ts", micro(slice.beginNs)}});
    }

    const Trace &m_trace;
    std::string m_text;
    bool m_isFirst = true;
};

} // namespace

std::string toChromeJson(const Trace &trace)
{
    return Writer(trace).write();
}

} // namespace pipescope::trace

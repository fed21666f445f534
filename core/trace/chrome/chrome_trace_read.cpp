#include "trace/chrome_trace.h"

#include "trace/check_trace.h"
#include "trace/chrome/chrome_format.h"
#include "trace/chrome/json_fields.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace pipescope::trace {

namespace {

using Json = nlohmann::json;

constexpr int DeepestNesting = 16;
constexpr std::size_t MostOwnValues = 4 * MostFeeds; // a pair with two stages for each edge, and all else

// Thrown by the parser's callback, which has no other way to end the parse; caught in parseChromeJson.
struct StopParsing
{
    Error error;
};

Error cancelled()
{
    Error error;
    error.code = ErrorCode::Cancelled;
    error.message = "the reading of the trace was cancelled";
    return error;
}

// The action of a slice whose stage and microbatch are read already; of all but computes nothing is read off the text.
std::optional<schedule::ActionKind> actionOf(const Event &event, const std::string &text)
{
    if (event.kind != EventKind::Compute)
        return event.action;
    const auto kind = std::find_if(ComputeKinds.begin(), ComputeKinds.end(), [&](schedule::ActionKind one) {
        return schedule::toText(schedule::ActionKey{one, event.stage, event.microbatch}) == text;
    });
    return kind == ComputeKinds.end() ? std::nullopt : std::optional(*kind);
}

// The kind of computation of that name; nullptr where there is none.
const schedule::ActionKind *computeKind(const std::string &name)
{
    const auto *const kind = std::find_if(ComputeKinds.begin(), ComputeKinds.end(),
                                          [&](schedule::ActionKind one) { return schedule::kindName(one) == name; });
    return kind == ComputeKinds.end() ? nullptr : kind;
}

// Takes the trace out of the parser's hands piece by piece, so that no tree of the whole file is made.
class Reader
{
public:
    // Called by the parser for each key, value, begin and end; the answer says whether it keeps the value.
    bool take(int depth, Json::parse_event_t what, const Json &value)
    {
        using Event = Json::parse_event_t;
        if (depth > DeepestNesting)
            refuse("file", "it is nested too deeply");
        if (depth == 0 && what != Event::object_start && what != Event::object_end)
            refuse("file", "it is no JSON object");
        if (depth == 1 && what == Event::key) {
            m_member = value.get<std::string>();
            return m_member == "pipescope" || m_member == "traceEvents";
        }
        if (m_member == "pipescope" && depth == 1)
            return takeOwn(what, value);
        // Before a tree of any number of them is made.
        const bool isValue = what == Event::value || what == Event::array_start || what == Event::object_start;
        if (m_member == "pipescope" && isValue && ++m_ownValues > MostOwnValues)
            refuse("pipescope", fmt::format("it holds more than {} values", MostOwnValues));
        if (m_member == "traceEvents" && (depth == 1 || depth == 2))
            return takeEvents(depth, what, value);
        return true;
    }

    Result<Trace> result() &&
    {
        if (!m_hasOwn || !m_hasEvents)
            return notOurTrace("file",
                               m_hasOwn ? "the list 'traceEvents' is missing" : "the object 'pipescope' is missing");
        if (auto fault = faultOfTracks())
            return *std::move(fault);
        return std::move(m_trace);
    }

private:
    [[noreturn]] static void refuse(const std::string &where, const std::string &what)
    {
        throw StopParsing{notOurTrace(where, what)};
    }

    static void check(const JsonFields &fields)
    {
        if (fields.error())
            throw StopParsing{*fields.error()};
    }

    bool takeOwn(Json::parse_event_t what, const Json &value)
    {
        using Event = Json::parse_event_t;
        if (what == Event::object_start)
            return true;
        if (what != Event::object_end || m_hasOwn)
            refuse("pipescope", m_hasOwn ? "it is there twice" : "it is no object");
        readOwn(value);
        m_hasOwn = true;
        return false;
    }

    bool takeEvents(int depth, Json::parse_event_t what, const Json &value)
    {
        using Event = Json::parse_event_t;
        const bool isList = what == Event::array_start || what == Event::array_end;
        if (depth == 1) {
            if (!isList)
                refuse("traceEvents", "it is no list");
            if (!m_hasOwn)
                refuse("traceEvents", "it stands before the object 'pipescope'");
            m_hasEvents = true;
            return true;
        }
        if (what == Event::object_start)
            return true;
        const std::string where = fmt::format("traceEvents[{}]", m_index++);
        if (what != Event::object_end)
            refuse(where, "it is no object");
        readEvent(value, where);
        return false;
    }

    void readOwn(const Json &own)
    {
        JsonFields fields(own, "pipescope");
        const int version = fields.number("version", 1, MostRanks);
        if (version > FormatVersion)
            fields.fail("version", fmt::format("is {}, newer than the {} this program reads", version, FormatVersion));
        m_trace.title = fields.text("title");
        m_trace.ranks = fields.number("ranks", 0, MostRanks);
        m_trace.stages = fields.number("stages", 0, MostRanks);
        m_trace.microbatches = fields.number("microbatches", 0, MostMicrobatches);
        const auto names = own.find("rank_names");
        const bool isList = names != own.end() && names->is_array();
        if (!isList || !std::all_of(names->begin(), names->end(), [](const Json &name) { return name.is_string(); }))
            fields.fail("rank_names", "is no list of texts");
        readFeeds(own, fields);
        check(fields);
        for (const Json &name : *names) {
            m_trace.rankNames.push_back(name.get<std::string>());
            if (m_trace.rankNames.back().size() > LongestText)
                refuse("pipescope", fmt::format("a name in 'rank_names' is longer than {} bytes", LongestText));
        }
    }

    void readFeeds(const Json &own, JsonFields &fields)
    {
        const auto feeds = own.find("feeds");
        if (feeds == own.end())
            return;
        const auto isPair = [](const Json &pair) {
            return pair.is_array() && pair.size() == 2 && pair[0].is_number_integer() && pair[1].is_number_integer();
        };
        if (!feeds->is_array() || !std::all_of(feeds->begin(), feeds->end(), isPair))
            return fields.fail("feeds", "is no list of pairs of stages");
        if (feeds->size() > MostFeeds)
            return fields.fail("feeds", fmt::format("has more than {} pairs", MostFeeds));
        std::vector<schedule::Feeds::Edge> &edges = m_trace.feeds.emplace();
        for (const Json &pair : *feeds) {
            const auto from = pair[0].get<std::int64_t>();
            const auto to = pair[1].get<std::int64_t>();
            if (from < 0 || to <= from || to >= m_trace.stages)
                return fields.fail(
                    fmt::format("feeds[{}]", edges.size()).c_str(),
                    fmt::format("is {}, not a stage and a later one, of {}", pair.dump(), m_trace.stages));
            edges.push_back({StageId{static_cast<int>(from)}, StageId{static_cast<int>(to)}});
        }
    }

    void readEvent(const Json &entry, const std::string &where)
    {
        JsonFields fields(entry, where);
        const std::string phase = fields.text("ph");
        check(fields);
        if (phase != "X" && phase != "C")
            return;
        const RankId rank{fields.number("pid", 0, m_trace.ranks - 1)};
        const auto arguments = entry.find("args");
        if (arguments == entry.end() || !arguments->is_object())
            fields.fail("args", "is no object");
        check(fields);
        if (phase == "X") {
            const int track = fields.number("tid", 0, static_cast<int>(Tracks.size()) - 1);
            check(fields);
            readSlice(rank, Tracks[static_cast<std::size_t>(track)], *arguments, where);
        } else {
            const std::int64_t time = fields.integer("ns", 0, LargestNumber);
            check(fields);
            readSample({rank, time, 0}, *arguments, where);
        }
    }

    void readSlice(RankId rank, EventKind kind, const Json &arguments, const std::string &where)
    {
        JsonFields fields(arguments, where + ".args");
        Event event;
        event.kind = kind;
        event.rank = rank;
        event.stage = StageId{fields.number("stage", -1, m_trace.stages - 1)};
        event.microbatch = MicrobatchId{fields.number("microbatch", -1, m_trace.microbatches - 1)};
        const auto action = actionOf(event, fields.text("action"));
        if (!action)
            fields.fail("action", "is no computation of the slice's stage and microbatch");
        event.peer = StageId{fields.number("peer", -1, m_trace.stages - 1)};
        event.peerMicrobatch = MicrobatchId{fields.numberIfThere("peer_microbatch", -1, m_trace.microbatches - 1)};
        const auto *const peerAction =
            computeKind(fields.textIfThere("peer_action", schedule::kindName(event.peerAction)));
        if (peerAction == nullptr)
            fields.fail("peer_action", "is no kind of computation");
        else
            event.peerAction = *peerAction;
        event.value = fields.text("value");
        event.bytes = fields.integer("bytes", -LargestNumber, LargestNumber);
        event.beginNs = fields.integer("begin_ns", 0, LargestNumber);
        event.endNs = fields.integer("end_ns", event.beginNs, LargestNumber);
        const std::string name = fields.text("cause");
        const auto cause =
            std::find_if(Causes.begin(), Causes.end(), [&](WaitCause known) { return causeName(known) == name; });
        if (cause == Causes.end())
            fields.fail("cause", "is not known");
        check(fields);
        event.cause = *cause;
        event.action = *action;
        m_trace.events.push_back(std::move(event));
        m_places.push_back(m_index - 1);
    }

    // A rank does one thing of a kind at a time; shares of time would not add up of one that does two.
    [[nodiscard]] std::optional<Error> faultOfTracks() const
    {
        const std::vector<Event> &events = m_trace.events;
        std::vector<std::size_t> order(events.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        const auto key = [&](std::size_t i) {
            return std::tuple(events[i].rank, events[i].kind, events[i].beginNs, events[i].endNs);
        };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
        for (std::size_t i = 1; i < order.size(); ++i) {
            const Event &before = events[order[i - 1]];
            const Event &event = events[order[i]];
            if (event.rank == before.rank && event.kind == before.kind && event.beginNs < before.endNs)
                return notOurTrace(
                    fmt::format("traceEvents[{}].args", m_places[order[i]]),
                    fmt::format("it begins at {} ns, before traceEvents[{}] on the same track ends at {} "
                                "ns",
                                event.beginNs, m_places[order[i - 1]], before.endNs));
        }
        return std::nullopt;
    }

    void readSample(MemorySample sample, const Json &arguments, const std::string &where)
    {
        JsonFields fields(arguments, where + ".args");
        sample.bytes = fields.integer("bytes", -LargestNumber, LargestNumber);
        check(fields);
        m_trace.memory.push_back(sample);
    }

    Trace m_trace;
    std::string m_member; // of the root that is being parsed
    bool m_hasOwn = false;
    bool m_hasEvents = false;
    std::size_t m_ownValues = 0;       // in the object 'pipescope'
    std::size_t m_index = 0;           // in traceEvents
    std::vector<std::size_t> m_places; // by event: in traceEvents
};

} // namespace

Result<Trace> parseChromeJson(std::string_view text, std::size_t limitBytes, const std::stop_token &stop)
{
    if (text.size() > limitBytes)
        return notOurTrace("file", fmt::format("it is longer than {} bytes", limitBytes));
    try {
        Reader reader;
        const auto take = [&](int depth, Json::parse_event_t what, const Json &value) {
            if (stop.stop_requested())
                throw StopParsing{cancelled()};
            return reader.take(depth, what, value);
        };
        if (Json::parse(text, take).is_discarded())
            return notOurTrace("file", "it is no JSON object");
        return std::move(reader).result();
    } catch (const StopParsing &stopped) {
        return stopped.error;
    } catch (const Json::parse_error &problem) {
        return notOurTrace("file", fmt::format("it is no JSON from byte {} on", problem.byte));
    } catch (const Json::out_of_range &) {
        return notOurTrace("file", "a number in it is too large");
    } catch (const std::bad_alloc &) {
        return Error{ErrorCode::OutOfResources, "there is not enough memory for the trace", {}, {}};
    } catch (const std::exception &problem) {
        return notOurTrace("file", problem.what());
    }
}

} // namespace pipescope::trace

#include "trace/check_trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace pipescope::trace {

namespace {

Error wrong(const std::string &what)
{
    return {ErrorCode::InvalidFile, fmt::format("a trace does not hold together: {}", what), {}, {}};
}

template <class Tag>
bool isOneOf(Id<Tag> id, int count)
{
    return id.valid() && id.value < count;
}

/// "" where nothing is wrong.
std::string faultOf(const std::vector<schedule::Feeds::Edge> &feeds, int stages)
{
    if (feeds.size() > MostFeeds)
        return fmt::format("it says {} times that one stage feeds another, more than {}", feeds.size(), MostFeeds);
    for (const auto &[from, to] : feeds) {
        if (!isOneOf(from, stages) || !isOneOf(to, stages))
            return fmt::format("stage {} feeds stage {}, of {}", from.value, to.value, stages);
        if (to <= from)
            return fmt::format("stage {} feeds stage {}, which is no later one", from.value, to.value);
    }
    return "";
}

/// "" where nothing is wrong.
std::string faultOf(const Event &event, const Trace &trace, std::int64_t before)
{
    if (!isOneOf(event.rank, trace.ranks))
        return fmt::format("it is of rank {}, of {}", event.rank.value, trace.ranks);
    if (!isOneOf(event.stage, trace.stages))
        return fmt::format("it is of stage {}, of {}", event.stage.value, trace.stages);
    if (!isOneOf(event.microbatch, trace.microbatches))
        return fmt::format("it is of microbatch {}, of {}", event.microbatch.value, trace.microbatches);
    if (event.peer.valid() && !isOneOf(event.peer, trace.stages))
        return fmt::format("its peer is stage {}, of {}", event.peer.value, trace.stages);
    if (event.peerMicrobatch.valid() && !isOneOf(event.peerMicrobatch, trace.microbatches))
        return fmt::format("its peer's microbatch is {}, of {}", event.peerMicrobatch.value, trace.microbatches);
    if (event.endNs < event.beginNs)
        return fmt::format("it ends at {} ns and begins at {} ns", event.endNs, event.beginNs);
    if (event.beginNs < 0)
        return fmt::format("it begins {} ns before the run", -event.beginNs);
    if (event.endNs > LargestNumber || event.bytes > LargestNumber)
        return "a number in it is too large";
    if (event.value.size() > LongestText)
        return "a text in it is too long";
    for (const schedule::ActionKind action : {event.action, event.peerAction})
        if (std::find(ComputeKinds.begin(), ComputeKinds.end(), action) == ComputeKinds.end())
            return fmt::format("its action {} is no computation", schedule::kindName(action));
    if (event.beginNs < before)
        return "it begins before the one before it";
    return event.bytes < 0 ? "it has less than no bytes" : "";
}

std::string faultOf(const MemorySample &sample, const Trace &trace, std::int64_t before)
{
    if (!isOneOf(sample.rank, trace.ranks))
        return fmt::format("it is of rank {}, of {}", sample.rank.value, trace.ranks);
    const auto [least, most] = std::minmax(sample.timeNs, sample.bytes);
    if (least < -LargestNumber || most > LargestNumber)
        return "a number in it is too large";
    return sample.timeNs < before ? "it is earlier than the one before it" : "";
}

} // namespace

Status checkTrace(const Trace &trace)
{
    if (trace.ranks < 0 || trace.stages < 0 || trace.microbatches < 0)
        return wrong(fmt::format("it has {} ranks, {} stages and {} microbatches", trace.ranks, trace.stages,
                                 trace.microbatches));
    if (std::max(trace.ranks, trace.stages) > MostRanks || trace.microbatches > MostMicrobatches)
        return wrong(fmt::format("it has {} ranks, {} stages and {} microbatches, which is too many", trace.ranks,
                                 trace.stages, trace.microbatches));
    const auto isLong = [](const std::string &text) { return text.size() > LongestText; };
    if (isLong(trace.title) || std::any_of(trace.rankNames.begin(), trace.rankNames.end(), isLong))
        return wrong(fmt::format("a text in it is longer than {} bytes", LongestText));
    if (!trace.rankNames.empty() && trace.rankNames.size() != static_cast<std::size_t>(trace.ranks))
        return wrong(fmt::format("it has {} ranks and names for {}", trace.ranks, trace.rankNames.size()));
    if (trace.feeds)
        if (const std::string fault = faultOf(*trace.feeds, trace.stages); !fault.empty())
            return wrong(fault);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        if (const std::string fault = faultOf(trace.events[i], trace, before); !fault.empty())
            return wrong(fmt::format("event {}: {}", i, fault));
        before = trace.events[i].beginNs;
    }
    before = std::numeric_limits<std::int64_t>::min(); // memory is held from before the start
    for (std::size_t i = 0; i < trace.memory.size(); ++i) {
        if (const std::string fault = faultOf(trace.memory[i], trace, before); !fault.empty())
            return wrong(fmt::format("memory sample {}: {}", i, fault));
        before = trace.memory[i].timeNs;
    }
    return Success{};
}

} // namespace pipescope::trace

#include "timeline/describe.h"

#include "base/text.h"
#include "timeline/cause_chain.h"

#include <fmt/format.h>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

std::string lengthOf(TimeRange time)
{
    return formatSeconds(time.spanNs() * 1e-9);
}

std::string actionsOf(const LaneModel &model, const std::vector<SliceRef> &refs)
{
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, refs.size()); ++i)
        text +=
            fmt::format("{}{} on rank {}", i == 0 ? "" : ", ", model.eventOf(model.at(refs[i])).action, refs[i].lane);
    if (refs.size() > most)
        text += fmt::format(" and {} more", refs.size() - most);
    return text;
}

std::string describeCompute(const LaneModel &model, Spot spot)
{
    const SliceRef ref{spot.lane, spot.slice};
    const Slice &slice = model.at(ref);
    std::string text = fmt::format(
        "\nstage {}, microbatch {}, {}", slice.stage.value, slice.microbatch.value,
        slice.pass == Pass::Forward ? "forward" : (slice.pass == Pass::Backward ? "backward" : "weight gradient"));
    if (const auto producers = model.dependencies().producersOf(model, ref); !producers.empty())
        text += "\nneeds " + actionsOf(model, producers);
    if (const auto consumers = model.dependencies().consumersOf(model, ref); !consumers.empty())
        text += "\nneeded by " + actionsOf(model, consumers);
    return text;
}

/// Only where there is more to tell than what was waited for.
std::string chainText(const LaneModel &model, const Lane &lane, const Bubble &bubble)
{
    const std::vector<SliceRef> chain = chainOf(model, lane, bubble);
    if (chain.size() < 2)
        return {};
    std::string text = "\n";
    for (const SliceRef ref : chain)
        text += model.eventOf(model.at(ref)).action + " → ";
    return text + "here";
}

std::string describeTransfer(const trace::Event &event)
{
    return fmt::format("\n{} for stage {}, microbatch {}", formatBytes(event.bytes),
                       event.kind == EventKind::Send ? event.peer.value : event.stage.value, event.microbatch.value);
}

} // namespace

double waitedNs(const LaneModel &model, SliceRef compute)
{
    double waited = 0;
    for (const Bubble &bubble : bubblesBefore(model, compute))
        waited += bubble.time.spanNs();
    return waited;
}

std::string waitedFor(const LaneModel &model, SliceRef compute)
{
    const std::span<const Bubble> bubbles = bubblesBefore(model, compute);
    const Lane &lane = model.lanes()[static_cast<std::size_t>(compute.lane)];
    if (const Bubble *bubble = longestKnown(bubbles)) {
        const auto awaited = awaitedBy(model, lane, *bubble);
        const std::string fill = bubble->cause == BubbleCause::WarmUp ? " (fill)" : "";
        if (!awaited)
            return fmt::format("stage {}'s microbatch {}{}", bubble->stage.value, bubble->microbatch.value, fill);
        const std::string &action = model.eventOf(model.at(*awaited)).action;
        return fmt::format("{} on rank {}{}", action.empty() ? "compute" : action, awaited->lane, fill);
    }
    for (const Bubble &bubble : bubbles)
        if (bubble.cause == BubbleCause::Credit || bubble.cause == BubbleCause::Device)
            return causeName(bubble.cause);
    return {};
}

double bytesInto(const LaneModel &model, SliceRef compute)
{
    const Slice &slice = model.at(compute);
    double received = 0;
    for (const SliceRef ref : model.dependencies().slicesOf(slice.stage, slice.microbatch)) {
        const Slice &one = model.at(ref);
        if (one.time.beginNs > slice.time.beginNs || ref == compute)
            break;
        // What an earlier pass of the same microbatch took is not this one's.
        if (one.kind == EventKind::Compute)
            received = 0;
        if (one.kind == EventKind::Receive)
            received += static_cast<double>(model.eventOf(one).bytes);
    }
    return received;
}

std::string whenOf(TimeRange time)
{
    return fmt::format("from {} to {}", formatSeconds(static_cast<double>(time.beginNs) * 1e-9),
                       formatSeconds(static_cast<double>(time.endNs) * 1e-9));
}

std::string describeMemory(const Lane &lane, double ns)
{
    return fmt::format("Memory of rank {}: {} at {}\npeak {}", lane.rank.value, formatBytes(lane.memory.at(ns)),
                       formatSeconds(ns * 1e-9), formatBytes(lane.memory.peakBytes()));
}

std::string nameOf(const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return "bubble";
    const trace::Event &event = model.eventOf(model.at({spot.lane, spot.slice}));
    const std::string what = event.value.empty() ? std::string() : " " + event.value;
    switch (event.kind) {
    case EventKind::Compute:
        return event.action.empty() ? "compute" : event.action;
    case EventKind::Send:
        return fmt::format("send{} to stage {}", what, event.peer.value);
    case EventKind::Receive:
        return fmt::format("receive{} from stage {}", what, event.peer.value);
    case EventKind::Wait:
        break;
    }
    return fmt::format("wait ({})", trace::causeName(event.cause));
}

std::string causeName(BubbleCause cause)
{
    switch (cause) {
    case BubbleCause::WarmUp:
        return "fill";
    case BubbleCause::CoolDown:
        return "drain";
    case BubbleCause::Input:
        return "input";
    case BubbleCause::Credit:
        return "credit";
    case BubbleCause::Device:
        return "device";
    case BubbleCause::Runtime:
        break;
    }
    return "between actions";
}

std::string causeOf(const LaneModel &model, const Bubble &bubble)
{
    std::string awaited;
    if (bubble.stage.valid()) {
        awaited = fmt::format("waiting for stage {}'s microbatch {}", bubble.stage.value, bubble.microbatch.value);
        if (bubble.wait >= 0)
            if (const auto &value = model.trace().events[static_cast<std::size_t>(bubble.wait)].value; !value.empty())
                awaited += fmt::format(" ({})", value);
    }
    switch (bubble.cause) {
    case BubbleCause::WarmUp:
        return awaited.empty() ? "fill: nothing to compute yet" : "fill: " + awaited;
    case BubbleCause::CoolDown:
        return "drain: nothing left to compute";
    case BubbleCause::Input:
        return awaited.empty() ? "waiting for input" : awaited;
    case BubbleCause::Credit:
        return "waiting for credit: too many microbatches under way";
    case BubbleCause::Device:
        return "waiting for device: another rank held it";
    case BubbleCause::Runtime:
        break;
    }
    return "between two actions";
}

std::string describe(const LaneModel &model, Spot spot)
{
    const Lane &lane = model.lanes()[static_cast<std::size_t>(spot.lane)];
    if (spot.slice < 0) {
        const Bubble &bubble = lane.bubbles[static_cast<std::size_t>(spot.bubble)];
        const double run = model.run().spanNs();
        return fmt::format("Bubble on rank {}, {} ({:.3g} % of the run)\n{}{}\n{}", spot.lane, lengthOf(bubble.time),
                           run > 0 ? 100 * bubble.time.spanNs() / run : 0, causeOf(model, bubble),
                           chainText(model, lane, bubble), whenOf(bubble.time));
    }
    const Slice &slice = model.at({spot.lane, spot.slice});
    std::string text = fmt::format("{} on rank {}, {}", nameOf(model, spot), spot.lane, lengthOf(slice.time));
    if (slice.kind == EventKind::Compute)
        text += describeCompute(model, spot);
    else if (slice.kind != EventKind::Wait)
        text += describeTransfer(model.eventOf(slice));
    return text + "\n" + whenOf(slice.time);
}

} // namespace pipescope::timeline

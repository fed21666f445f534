#include "trace/event.h"

namespace pipescope::trace {

std::string_view kindName(EventKind kind)
{
    switch (kind) {
    case EventKind::Compute:
        return "compute";
    case EventKind::Send:
        return "send";
    case EventKind::Wait:
        return "wait";
    case EventKind::Receive:
        break;
    }
    return "receive";
}

std::string_view causeName(WaitCause cause)
{
    switch (cause) {
    case WaitCause::Input:
        return "input";
    case WaitCause::Credit:
        return "credit";
    case WaitCause::Device:
        return "device";
    case WaitCause::None:
        break;
    }
    return "none";
}

schedule::ActionKey keyOf(const Event &compute)
{
    return {compute.action, compute.stage, compute.microbatch};
}

schedule::ActionKey giverKeyOf(const Event &creditWait)
{
    return {creditWait.peerAction, creditWait.peer, creditWait.peerMicrobatch};
}

bool isCreditWait(const Event &event)
{
    return event.kind == EventKind::Wait && event.cause == WaitCause::Credit && event.peer.valid() &&
           event.peerMicrobatch.valid();
}

bool hasRank(const Trace &trace, RankId rank)
{
    return rank.valid() && rank.value < trace.ranks;
}

double secondsBetween(std::int64_t beginNs, std::int64_t endNs)
{
    return (static_cast<double>(endNs) - static_cast<double>(beginNs)) * 1e-9;
}

double secondsOf(const Event &event)
{
    return secondsBetween(event.beginNs, event.endNs);
}

} // namespace pipescope::trace

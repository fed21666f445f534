// What of a trace and its statistics is sent: everything, events and memory samples without keys. Private to protocol/.
#pragma once

#include "protocol/codec.h"
#include "trace/trace_part.h"
#include "trace/trace_stats.h"

namespace pipescope::protocol {

template <>
inline constexpr int EnumSize<trace::EventKind> = 4;
template <>
inline constexpr int EnumSize<trace::WaitCause> = 4;
template <>
inline constexpr int EnumSize<schedule::ActionKind> = 15;
template <>
inline constexpr bool WithoutKeys<trace::Event> = true;
template <>
inline constexpr bool WithoutKeys<trace::MemorySample> = true;

void fields(auto &visit, Is<trace::Event> auto &event)
{
    visit("kind", event.kind);
    visit("rank", event.rank);
    visit("stage", event.stage);
    visit("microbatch", event.microbatch);
    visit("action", event.action);
    visit("beginNs", event.beginNs);
    visit("endNs", event.endNs);
    visit("peer", event.peer);
    visit("value", event.value);
    visit("bytes", event.bytes);
    visit("cause", event.cause);
    visit("peerMicrobatch", event.peerMicrobatch);
    visit("peerAction", event.peerAction);
}

void fields(auto &visit, Is<trace::MemorySample> auto &sample)
{
    visit("rank", sample.rank);
    visit("timeNs", sample.timeNs);
    visit("bytes", sample.bytes);
}

void fields(auto &visit, Is<schedule::Feeds::Edge> auto &edge)
{
    visit("from", edge.from);
    visit("to", edge.to);
}

void fields(auto &visit, Is<trace::Trace> auto &trace)
{
    visit("title", trace.title);
    visit("ranks", trace.ranks);
    visit("stages", trace.stages);
    visit("microbatches", trace.microbatches);
    visit("rankNames", trace.rankNames);
    visit("feeds", trace.feeds);
    visit("events", trace.events);
    visit("memory", trace.memory);
}

void fields(auto &visit, Is<trace::KindStats> auto &stats)
{
    visit("kind", stats.kind);
    visit("seconds", stats.seconds);
    visit("medianSeconds", stats.medianSeconds);
    visit("runs", stats.runs);
}

void fields(auto &visit, Is<trace::TracePart> auto &part)
{
    visit("run", part.run);
    visit("number", part.number);
    visit("trace", part.trace);
}

void fields(auto &visit, Is<trace::TraceExtent> auto &extent)
{
    visit("run", extent.run);
    visit("parts", extent.parts);
    visit("events", extent.events);
    visit("samples", extent.samples);
}

void fields(auto &visit, Is<trace::RankStats> auto &stats)
{
    visit("busySeconds", stats.busySeconds);
    visit("kinds", stats.kinds);
    visit("sendSeconds", stats.sendSeconds);
    visit("receiveSeconds", stats.receiveSeconds);
    visit("waitSeconds", stats.waitSeconds);
    visit("warmUpSeconds", stats.warmUpSeconds);
    visit("coolDownSeconds", stats.coolDownSeconds);
    visit("waitInputSeconds", stats.waitInputSeconds);
    visit("waitCreditSeconds", stats.waitCreditSeconds);
    visit("waitDeviceSeconds", stats.waitDeviceSeconds);
    visit("notRunningSeconds", stats.notRunningSeconds);
    visit("betweenActionsSeconds", stats.betweenActionsSeconds);
    visit("spanSeconds", stats.spanSeconds);
    visit("peakBytes", stats.peakBytes);
}

void fields(auto &visit, Is<trace::StageStats> auto &stats)
{
    visit("seconds", stats.seconds);
    visit("runs", stats.runs);
    visit("kinds", stats.kinds);
}

void fields(auto &visit, Is<trace::Stats> auto &stats)
{
    visit("makespanSeconds", stats.makespanSeconds);
    visit("boundSeconds", stats.boundSeconds);
    visit("bubbleShare", stats.bubbleShare);
    visit("bubbleShareOfSpan", stats.bubbleShareOfSpan);
    visit("imbalance", stats.imbalance);
    visit("ranks", stats.ranks);
    visit("stages", stats.stages);
    visit("sentBytes", stats.sentBytes);
}

} // namespace pipescope::protocol

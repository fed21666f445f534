#include "trace/trace_collector.h"

#include "trace/time_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>
#include <utility>

namespace pipescope::trace {

namespace {

auto frameOf(const Trace &trace)
{
    return std::tie(trace.title, trace.ranks, trace.stages, trace.microbatches, trace.rankNames, trace.feeds);
}

/// Of its events and samples.
std::size_t memoryBytes(const Trace &trace)
{
    std::size_t bytes = trace.events.size() * sizeof(Event) + trace.memory.size() * sizeof(MemorySample);
    for (const Event &event : trace.events)
        bytes += event.value.size();
    return bytes;
}

template <class Item>
void append(std::vector<Item> &items, std::vector<Item> &&more)
{
    items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

} // namespace

void TraceCollector::add(TracePart part)
{
    if (part.number == 0 && part.run != m_run)
        *this = TraceCollector(m_mostBytes);
    if (!m_fault.empty())
        return;
    if (std::string fault = faultOf(part); !fault.empty())
        return fail(std::move(fault));
    m_events += static_cast<std::int64_t>(part.trace.events.size());
    m_samples += static_cast<std::int64_t>(part.trace.memory.size());
    Trace more;
    more.events = std::exchange(part.trace.events, {});
    more.memory = std::exchange(part.trace.memory, {});
    if (m_parts++ == 0) {
        m_run = part.run;
        m_trace = std::move(part.trace);
    }
    keep(std::move(more));
}

/// Nothing after a part that was not kept: the trace is whole up to its end.
void TraceCollector::keep(Trace &&more)
{
    const std::size_t bytes = memoryBytes(more);
    m_isCutShort = m_isCutShort || bytes > m_mostBytes - m_bytes;
    if (m_isCutShort)
        return;
    m_bytes += bytes;
    append(m_trace.events, std::move(more.events));
    append(m_trace.memory, std::move(more.memory));
}

Result<Trace> TraceCollector::take(const TraceExtent &whole)
{
    TraceCollector taken = std::exchange(*this, TraceCollector(m_mostBytes));
    const std::string fault = taken.m_fault.empty() ? taken.faultOf(whole) : taken.m_fault;
    if (!fault.empty())
        return Error{ErrorCode::InvalidFile,
                     fmt::format("the run has ended, but its trace has not arrived whole: {}; run it again", fault),
                     {},
                     {}};
    sortByTime(taken.m_trace.events);
    sortByTime(taken.m_trace.memory);
    return std::move(taken.m_trace);
}

/// "" where it is the next one.
std::string TraceCollector::faultOf(const TracePart &part) const
{
    if (m_parts > 0 && part.run != m_run)
        return fmt::format("a part of run {} came amid those of run {}", part.run, m_run);
    if (part.number < m_parts)
        return fmt::format("part {} came twice, or too late", part.number);
    if (part.number > m_parts)
        return m_parts + 1 == part.number
                   ? fmt::format("part {} is missing", m_parts)
                   : fmt::format("the parts from {} to {} are missing", m_parts, part.number - 1);
    if (m_parts > 0 && frameOf(part.trace) != frameOf(m_trace))
        return fmt::format("part {} is of another trace", part.number);
    return "";
}

std::string TraceCollector::faultOf(const TraceExtent &whole) const
{
    if (m_parts > 0 && whole.run != m_run)
        return fmt::format("it is of run {}, and what came last is of run {}", whole.run, m_run);
    if (m_parts != whole.parts)
        return fmt::format("there were {} parts, but {} came", whole.parts, m_parts);
    if (m_events != whole.events || m_samples != whole.samples)
        return fmt::format("there were {} events and {} memory samples, but {} and {} came", whole.events,
                           whole.samples, m_events, m_samples);
    return "";
}

void TraceCollector::fail(std::string what)
{
    if (m_fault.empty())
        m_fault = std::move(what);
    m_trace = {};
}

} // namespace pipescope::trace

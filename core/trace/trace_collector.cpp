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

template <class Item>
void append(std::vector<Item> &items, std::vector<Item> &&more)
{
    items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

} // namespace

void TraceCollector::add(TracePart part)
{
    if (part.number == 0 && part.run != m_run)
        *this = TraceCollector(m_most);
    if (!m_fault.empty())
        return;
    if (std::string fault = faultOf(part); !fault.empty())
        return fail(std::move(fault));
    if (m_parts++ == 0) {
        m_run = part.run;
        m_trace = std::move(part.trace);
        return;
    }
    append(m_trace.events, std::move(part.trace.events));
    append(m_trace.memory, std::move(part.trace.memory));
}

Result<Trace> TraceCollector::take(const TraceExtent &whole)
{
    TraceCollector taken = std::exchange(*this, TraceCollector(m_most));
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
    const std::size_t count = m_trace.events.size() + m_trace.memory.size();
    return part.trace.events.size() + part.trace.memory.size() > m_most - count
               ? fmt::format("it has more than {} events", m_most)
               : "";
}

std::string TraceCollector::faultOf(const TraceExtent &whole) const
{
    if (m_parts > 0 && whole.run != m_run)
        return fmt::format("it is of run {}, and what came last is of run {}", whole.run, m_run);
    if (m_parts != whole.parts)
        return fmt::format("there were {} parts, but {} came", whole.parts, m_parts);
    if (std::cmp_not_equal(m_trace.events.size(), whole.events) ||
        std::cmp_not_equal(m_trace.memory.size(), whole.samples))
        return fmt::format("there were {} events and {} memory samples, but {} and {} came", whole.events,
                           whole.samples, m_trace.events.size(), m_trace.memory.size());
    return "";
}

void TraceCollector::fail(std::string what)
{
    if (m_fault.empty())
        m_fault = std::move(what);
    m_trace = {};
}

} // namespace pipescope::trace

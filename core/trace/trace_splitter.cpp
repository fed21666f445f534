#include "trace/trace_splitter.h"

#include <utility>

namespace pipescope::trace {

namespace {

// Its numbers at their longest.
constexpr std::size_t EventBytes = 128;
constexpr std::size_t SampleBytes = 32;
constexpr std::size_t EdgeBytes = 24;

std::size_t bytesOf(const Event &event)
{
    return EventBytes + event.value.size();
}

std::size_t bytesOf(const MemorySample &)
{
    return SampleBytes;
}

std::size_t frameBytes(const Trace &trace)
{
    std::size_t bytes = EventBytes + trace.title.size();
    for (const std::string &name : trace.rankNames)
        bytes += name.size() + 8;
    if (trace.feeds)
        bytes += trace.feeds->size() * EdgeBytes;
    return bytes;
}

} // namespace

TraceSplitter::TraceSplitter(Out out, std::size_t mostBytes)
    : m_out(std::move(out))
    , m_mostBytes(mostBytes)
{
}

void TraceSplitter::add(int run, Trace piece)
{
    if (std::exchange(m_run, run) != run)
        m_parts = 0;
    std::vector<Event> events = std::exchange(piece.events, {});
    std::vector<MemorySample> samples = std::exchange(piece.memory, {});
    const std::size_t frame = frameBytes(piece);
    std::size_t bytes = frame;
    const auto addTo = [&](auto &items, auto &item) {
        if (bytes > frame && bytes + bytesOf(item) > m_mostBytes) {
            send(piece);
            bytes = frame;
        }
        bytes += bytesOf(item);
        items.push_back(std::move(item));
    };
    for (Event &event : events)
        addTo(piece.events, event);
    for (MemorySample &sample : samples)
        addTo(piece.memory, sample);
    if (bytes > frame || m_parts == 0)
        send(piece);
}

/// What is in `trace`, which is empty then but for its title, counts and names.
void TraceSplitter::send(Trace &trace)
{
    TracePart part{m_run, m_parts++, std::move(trace)};
    m_out(part);
    trace = std::move(part.trace);
    trace.events.clear();
    trace.memory.clear();
}

} // namespace pipescope::trace

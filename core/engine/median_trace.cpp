#include "engine/median_trace.h"

#include "base/error.h"
#include "trace/trace_stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pipescope::engine {

namespace {

std::vector<std::size_t> byValue(const std::vector<double> &values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    return order;
}

} // namespace

std::size_t medianIndex(const std::vector<double> &values)
{
    return byValue(values)[(values.size() - 1) / 2];
}

MedianTrace::MedianTrace(int runs, std::size_t mostKept)
    : m_runs(runs)
    , m_mostKept(mostKept)
{
}

void MedianTrace::add(trace::Trace trace)
{
    const int run = static_cast<int>(m_makespans.size());
    m_makespans.push_back(trace::makespanSeconds(trace));
    m_kept.push_back({run, std::move(trace)});
    dropOthers();
}

void MedianTrace::dropOthers()
{
    // A run moves up by one place for each shorter one that is still to come: it may become the median unless it is
    // beyond that place already, or cannot reach it any more.
    const std::size_t middle = (static_cast<std::size_t>(m_runs) - 1) / 2;
    const std::size_t toCome = static_cast<std::size_t>(m_runs) - m_makespans.size();
    std::vector<std::size_t> place(m_makespans.size());
    const std::vector<std::size_t> order = byValue(m_makespans);
    for (std::size_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    std::erase_if(m_kept, [&](const Reported &kept) {
        const std::size_t at = place[static_cast<std::size_t>(kept.run)];
        return at > middle || at + toCome < middle;
    });
    while (m_kept.size() > 1 && size() > m_mostKept)
        m_kept.erase(std::max_element(m_kept.begin(), m_kept.end(), [this](const Reported &a, const Reported &b) {
            return distance(a) < distance(b);
        }));
}

double MedianTrace::distance(const Reported &kept) const
{
    return std::abs(m_makespans[static_cast<std::size_t>(kept.run)] - m_makespans[medianIndex(m_makespans)]);
}

std::size_t MedianTrace::size() const
{
    return std::accumulate(m_kept.begin(), m_kept.end(), std::size_t{0}, [](std::size_t sum, const Reported &kept) {
        return sum + kept.trace.events.size() + kept.trace.memory.size();
    });
}

MedianTrace::Reported MedianTrace::take()
{
    const std::size_t median = medianIndex(m_makespans);
    auto nearest = std::find_if(m_kept.begin(), m_kept.end(), [median](const Reported &kept) {
        return static_cast<std::size_t>(kept.run) == median;
    });
    if (nearest == m_kept.end())
        nearest = std::min_element(m_kept.begin(), m_kept.end(),
                                   [this](const Reported &a, const Reported &b) { return distance(a) < distance(b); });
    PIPESCOPE_ASSERT(nearest != m_kept.end());
    Reported reported = std::move(*nearest);
    m_kept.clear();
    return reported;
}

} // namespace pipescope::engine

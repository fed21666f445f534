#include "timeline/memory_curve.h"

#include <algorithm>
#include <cmath>

namespace pipescope::timeline {

namespace {

bool isEarlier(const MemoryCurve::Sample &one, const MemoryCurve::Sample &other)
{
    return one.timeNs < other.timeNs;
}

} // namespace

MemoryCurve::MemoryCurve(std::vector<Sample> samples)
    : m_samples(std::move(samples))
{
    if (!std::is_sorted(m_samples.begin(), m_samples.end(), isEarlier))
        std::stable_sort(m_samples.begin(), m_samples.end(), isEarlier);
    std::vector<std::int64_t> below;
    below.reserve(m_samples.size());
    for (Sample &sample : m_samples) {
        sample.bytes = std::max<std::int64_t>(0, sample.bytes);
        below.push_back(sample.bytes);
    }
    while (below.size() > 1) {
        std::vector<std::int64_t> level;
        level.reserve((below.size() + Branches - 1) / Branches);
        for (std::size_t first = 0; first < below.size(); first += Branches) {
            const std::size_t last = std::min(first + Branches, below.size());
            level.push_back(*std::max_element(below.begin() + static_cast<std::ptrdiff_t>(first),
                                              below.begin() + static_cast<std::ptrdiff_t>(last)));
        }
        m_levels.push_back(level);
        below = std::move(level);
    }
}

std::int64_t MemoryCurve::peakBytes() const
{
    return mostOf(0, m_samples.size());
}

std::size_t MemoryCurve::countUntil(double ns) const
{
    const auto after = std::upper_bound(m_samples.begin(), m_samples.end(), ns, [](double time, const Sample &sample) {
        return time < static_cast<double>(sample.timeNs);
    });
    return static_cast<std::size_t>(after - m_samples.begin());
}

std::int64_t MemoryCurve::mostOf(std::size_t first, std::size_t last) const
{
    std::int64_t most = 0;
    while (first < last && first % Branches != 0)
        most = std::max(most, m_samples[first++].bytes);
    while (first < last && last % Branches != 0)
        most = std::max(most, m_samples[--last].bytes);
    for (const std::vector<std::int64_t> &level : m_levels) {
        first /= Branches;
        last /= Branches;
        while (first < last && first % Branches != 0)
            most = std::max(most, level[first++]);
        while (first < last && last % Branches != 0)
            most = std::max(most, level[--last]);
    }
    return most;
}

std::int64_t MemoryCurve::at(double ns) const
{
    const std::size_t count = countUntil(ns);
    return count == 0 ? 0 : m_samples[count - 1].bytes;
}

std::int64_t MemoryCurve::mostBetween(double beginNs, double endNs) const
{
    const std::size_t first = countUntil(beginNs);
    const std::size_t last = std::max(first, countUntil(endNs));
    return mostOf(first == 0 ? 0 : first - 1, last);
}

std::vector<std::int64_t> MemoryCurve::columns(const Coordinates &seen) const
{
    const auto width = static_cast<std::size_t>(std::max(0.0, std::ceil(seen.width)));
    std::vector<std::int64_t> columns(width);
    std::size_t first = countUntil(seen.beginNs);
    for (std::size_t x = 0; x < width; ++x) {
        const std::size_t last = std::max(first, countUntil(seen.toTime(static_cast<double>(x + 1))));
        columns[x] = mostOf(first == 0 ? 0 : first - 1, last);
        first = last;
    }
    return columns;
}

} // namespace pipescope::timeline

// Times of many repeats, and what is said of them.
#pragma once

#include "table.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cstddef>
#include <ctime>
#include <fmt/format.h>
#include <vector>

namespace pipescope::bench {

/// The smallest of the samples that at least `share` of them do not exceed. Not of none.
[[nodiscard]] inline double quantile(std::vector<double> samples, double share)
{
    std::sort(samples.begin(), samples.end());
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(samples.size()));
    return samples[std::min(rank, samples.size() - 1)];
}

[[nodiscard]] inline double median(std::vector<double> samples)
{
    return quantile(std::move(samples), 0.5);
}

/// Milliseconds that `work` takes.
template <typename Work>
[[nodiscard]] double millisecondsOf(const Work &work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// Frames painted one after another, by the clock and by the processor time of all threads: the clock tells less where
/// several share the work, and more where other programs take part of the machine.
class Frames
{
public:
    template <typename Paint>
    void add(const Paint &paint)
    {
        const double before = processorMilliseconds();
        m_clock.push_back(millisecondsOf(paint));
        m_processor.push_back(processorMilliseconds() - before);
    }

    /// Median and 99th percentile beside what a screen of 60 pictures a second leaves.
    [[nodiscard]] std::vector<Row> rows(const std::string &what) const
    {
        return {row(what + ": median frame", 0.5), row(what + ": 99th percentile", 0.99)};
    }

private:
    static double processorMilliseconds()
    {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    [[nodiscard]] Row row(std::string what, double share) const
    {
        return rowAtMost(std::move(what), quantile(m_clock, share), "ms", 16,
                         fmt::format("processor time {:.3g} ms", quantile(m_processor, share)));
    }

    std::vector<double> m_clock;
    std::vector<double> m_processor;
};

} // namespace pipescope::bench

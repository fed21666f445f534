// Of runs that are repeated, the trace of the one that is reported: the one with the median makespan, of two the
// shorter one. Which run that is shows at the end only, so the traces of those that may still be it are kept, and no
// more of them than fit. Private to engine/.
#pragma once

#include "trace/event.h"

#include <cstddef>
#include <vector>

namespace pipescope::engine {

/// Position of the median; of the lower one of two. Not of nothing.
[[nodiscard]] std::size_t medianIndex(const std::vector<double> &values);

class MedianTrace
{
public:
    /// Events and memory samples that the kept traces may have together. Where they have more, those are let go whose
    /// makespans are farthest from the median so far, all but one.
    static constexpr std::size_t MostKept = 1'000'000;

    /// `runs` is how many there will be.
    explicit MedianTrace(int runs, std::size_t mostKept = MostKept);

    /// The next run's.
    void add(trace::Trace trace);
    /// Seconds, by run.
    [[nodiscard]] const std::vector<double> &makespans() const { return m_makespans; }
    /// How many traces are kept.
    [[nodiscard]] std::size_t kept() const { return m_kept.size(); }

    struct Reported
    {
        int run = 0;
        trace::Trace trace;
    };
    /// Once all runs are added: of those that are kept the one nearest to the median, which is the median itself unless
    /// more traces had to be kept than fit.
    [[nodiscard]] Reported take();

private:
    void dropOthers();
    [[nodiscard]] double distance(const Reported &kept) const;
    [[nodiscard]] std::size_t size() const;

    const int m_runs;
    const std::size_t m_mostKept;
    std::vector<double> m_makespans;
    std::vector<Reported> m_kept; ///< in the order of their runs
};

} // namespace pipescope::engine

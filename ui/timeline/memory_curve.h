// How much memory a rank held over time: a step curve with levels of detail, so that many samples cost as little to
// look at as few.
#pragma once

#include "timeline/coordinates.h"

#include <cstdint>
#include <vector>

namespace pipescope::timeline {

class MemoryCurve
{
public:
    struct Sample
    {
        std::int64_t timeNs = 0;
        std::int64_t bytes = 0;
    };

    MemoryCurve() = default;
    /// In any order; what is below zero counts as zero.
    explicit MemoryCurve(std::vector<Sample> samples);

    [[nodiscard]] bool isEmpty() const { return m_samples.empty(); }
    /// The most of all.
    [[nodiscard]] std::int64_t peakBytes() const;
    /// Held since the last sample up to a time; 0 before the first.
    [[nodiscard]] std::int64_t at(double ns) const;
    /// The most held from one time up to another.
    [[nodiscard]] std::int64_t mostBetween(double beginNs, double endNs) const;
    /// The most held in each pixel column of what is seen, from left to right.
    [[nodiscard]] std::vector<std::int64_t> columns(const Coordinates &seen) const;

private:
    static constexpr std::size_t Branches = 8;

    /// How many samples there are up to a time.
    [[nodiscard]] std::size_t countUntil(double ns) const;
    [[nodiscard]] std::int64_t mostOf(std::size_t first, std::size_t last) const;

    std::vector<Sample> m_samples;                   // by time
    std::vector<std::vector<std::int64_t>> m_levels; // [0] the most of each group of samples, and so on
};

} // namespace pipescope::timeline

// Which lengths occur among a million, in no more room than among ten: to a tenth of each, which is enough to know
// whether anything of a size is there.
#pragma once

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstddef>

namespace pipescope::timeline {

class LengthSet
{
public:
    void add(double ns) { m_steps.set(stepOf(ns)); }
    /// Whether one is in [fromNs, toNs]; one that is less than a tenth outside of it counts too.
    [[nodiscard]] bool hasBetween(double fromNs, double toNs) const
    {
        std::size_t step = stepOf(fromNs);
        while (step < stepOf(toNs) && !m_steps.test(step))
            ++step;
        return m_steps.test(step);
    }

private:
    static constexpr std::size_t PerDoubling = 8;
    static constexpr std::size_t Steps = 64 * PerDoubling; // as many as a time has bits

    static std::size_t stepOf(double ns)
    {
        return std::min(static_cast<std::size_t>(PerDoubling * std::log2(std::max(ns, 1.0))), Steps - 1);
    }

    std::bitset<Steps> m_steps;
};

} // namespace pipescope::timeline

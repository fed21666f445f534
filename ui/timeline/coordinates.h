// Between time and pixels: pure functions and values. The view owns one Coordinates and replaces it; what may be seen
// at most, and how closely, is decided here too.
#pragma once

#include "timeline/spot.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace pipescope::timeline {

/// What is seen: `spanNs` of time across `width` pixels. Both are above zero.
struct Coordinates
{
    double beginNs = 0;
    double spanNs = 1;
    double width = 1;

    [[nodiscard]] double endNs() const { return beginNs + spanNs; }
    [[nodiscard]] double pixelsPerNs() const { return width / spanNs; }
    [[nodiscard]] double toPixel(double ns) const { return (ns - beginNs) * pixelsPerNs(); }
    [[nodiscard]] double toPixel(std::int64_t ns) const { return toPixel(static_cast<double>(ns)); }
    [[nodiscard]] double toTime(double pixel) const { return beginNs + pixel / pixelsPerNs(); }

    friend bool operator==(const Coordinates &, const Coordinates &) = default;
};

/// Clocks tell no less than nanoseconds: nothing is to be seen closer than this across the whole width.
inline constexpr double LeastSpanNs = 100;

/// Room right of the run's end, as a share of what is seen.
inline constexpr double FitMargin = 0.03;

/// All of `range` and a little room to its right.
[[nodiscard]] inline Coordinates fitted(trace::TimeRange range, double width)
{
    const double span = range.spanNs() / (1 - FitMargin);
    return {static_cast<double>(range.beginNs), std::max(LeastSpanNs, span), std::max(1.0, width)};
}

/// Moved and scaled as little as needed, so that no more than `range` as fitted is seen, and not closer than can be.
[[nodiscard]] inline Coordinates clamped(Coordinates coordinates, trace::TimeRange range)
{
    const Coordinates most = fitted(range, coordinates.width);
    coordinates.spanNs = std::clamp(coordinates.spanNs, LeastSpanNs, most.spanNs);
    // Far from zero, sums round: what is left of the run may come out below nothing.
    const double last = std::max(most.beginNs, most.endNs() - coordinates.spanNs);
    coordinates.beginNs = std::clamp(coordinates.beginNs, most.beginNs, last);
    return coordinates;
}

/// `factor` above 1 shows less, closer. The time under `pixel` stays there.
[[nodiscard]] inline Coordinates zoomedAt(Coordinates coordinates, double pixel, double factor)
{
    const double still = coordinates.toTime(pixel);
    coordinates.spanNs = std::max(LeastSpanNs, coordinates.spanNs / factor);
    coordinates.beginNs = still - pixel / coordinates.pixelsPerNs();
    return coordinates;
}

/// What stands at `pixels` comes to 0.
[[nodiscard]] inline Coordinates panned(Coordinates coordinates, double pixels)
{
    coordinates.beginNs += pixels / coordinates.pixelsPerNs();
    return coordinates;
}

/// The times between two pixels, in either order, across the whole width.
[[nodiscard]] inline Coordinates between(const Coordinates &coordinates, double one, double other)
{
    const double begin = coordinates.toTime(std::min(one, other));
    const double end = coordinates.toTime(std::max(one, other));
    return {begin, std::max(LeastSpanNs, end - begin), coordinates.width};
}

/// Where one has been before each jump. Small steps that follow each other (a turn of the wheel) count as one jump:
/// the caller leaves them out.
class ZoomHistory
{
public:
    void push(const Coordinates &coordinates)
    {
        if (!m_steps.empty() && m_steps.back() == coordinates)
            return;
        if (m_steps.size() == Most)
            m_steps.erase(m_steps.begin());
        m_steps.push_back(coordinates);
    }
    [[nodiscard]] std::optional<Coordinates> takeBack()
    {
        if (m_steps.empty())
            return std::nullopt;
        const Coordinates last = m_steps.back();
        m_steps.pop_back();
        return last;
    }
    [[nodiscard]] bool isEmpty() const { return m_steps.empty(); }
    void clear() { m_steps.clear(); }

private:
    static constexpr std::size_t Most = 64;
    std::vector<Coordinates> m_steps;
};

} // namespace pipescope::timeline

// Levels of detail of one lane: groups of slices, groups of groups and so on, each with what fills most of it. A lane
// of any length is told in a few bars per pixel column, found by descending only where there is more to see.
#pragma once

#include "timeline/coordinates.h"
#include "timeline/spot.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pipescope::timeline {

/// One rectangle to paint.
struct Bar
{
    double left = 0; ///< pixels; may reach beyond what is seen
    double right = 0;
    trace::EventKind kind = trace::EventKind::Compute;
    schedule::ActionKind action = schedule::ActionKind::Forward; ///< of a compute
    StageId stage;
    int slice = -1;   ///< index in the lane's slices; -1 where several narrow ones became one bar
    int quarters = 4; ///< how much of the bar's time is filled, rounded up: 4 is all

    friend bool operator==(const Bar &, const Bar &) = default;
};

/// Computes and waits, or sends and receives: the two are painted over each other, and neither may hide the other.
enum class Track { Work, Transfer };

[[nodiscard]] constexpr Track trackOf(trace::EventKind kind)
{
    const bool works = kind == trace::EventKind::Compute || kind == trace::EventKind::Wait;
    return works ? Track::Work : Track::Transfer;
}

class SlicePyramid
{
public:
    SlicePyramid() = default;
    /// Of the slices (by begin) that belong to `track`; a wait of no time is none. Time n.
    SlicePyramid(std::span<const trace::Slice> slices, Track track);

    /// Appends the bars of what is seen, from left to right. Slices of a pixel or more have their own; narrower ones
    /// share one per pixel column, which looks like what fills most of it.
    void collect(const Coordinates &seen, std::vector<Bar> &bars) const;

private:
    struct Leaf
    {
        double beginNs = 0;
        double endNs = 0;
        std::uint32_t look = 0; // kind, action and stage in one number
        std::uint32_t slice = 0;
    };
    struct Node
    {
        double beginNs = 0;
        double endNs = 0; // the last of its slices
        double filledNs = 0;
        double lookNs = 0; // filled by what looks like `look`; for higher nodes at least this
        std::uint32_t look = 0;
    };
    class Tally;
    class Collector;

    static constexpr std::size_t Branches = 4;

    void addLevel(std::size_t count, const auto &partOf);

    std::vector<Leaf> m_leaves;
    std::vector<std::vector<Node>> m_levels; // [0] groups of leaves; the last has one node
};

} // namespace pipescope::timeline

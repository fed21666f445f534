// Painted lanes, kept for as long as nothing about them changes: a pointer that moves over a million slices, and a way
// back to where one has been, cost a copy.
#pragma once

#include "timeline/lane_geometry.h"

#include <QPixmap>
#include <functional>
#include <vector>

namespace pipescope::timeline {

class LanesCache
{
public:
    struct Key
    {
        Coordinates seen;
        LaneGeometry geometry;
        double devicePixelRatio = 1;

        friend bool operator==(const Key &, const Key &) = default;
    };

    /// Paints only what is not kept. The reference is good until the next call.
    const QPixmap &lanes(const Key &key, const std::function<void(QPixmap &)> &paint);
    /// Runs, colours or fonts are others now.
    void clear() { m_entries.clear(); }

private:
    struct Entry
    {
        Key key;
        QPixmap lanes;
    };
    // A whole screen at twice the resolution takes 30 MB.
    static constexpr std::size_t Most = 3;

    std::vector<Entry> m_entries; // the last used one at the end
};

} // namespace pipescope::timeline

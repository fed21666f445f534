// One run's row of a lane, ready to be painted: narrow bars as an image, wide ones by themselves.
#pragma once

#include "timeline/column_image.h"
#include "timeline/scene.h"

#include <array>
#include <limits>
#include <span>

namespace pipescope::timeline {

class LaneRow
{
public:
    static constexpr int GapFrom = 3;       ///< wider bars end a pixel early, so that neighbours can be told apart
    static constexpr int PatternedFrom = 4; ///< narrower bars have no room for a pattern

    /// Of a lane that the run has. `scene` outlives the use of what is found.
    void stand(const Scene &scene, int lane, int run);
    /// Finds all of what is seen there, in place of what was found before. Several rows may do so at once, each in a
    /// thread of its own.
    void collect();

    [[nodiscard]] int lane() const { return m_lane; }
    [[nodiscard]] int run() const { return m_run; }
    [[nodiscard]] QRect body() const { return m_body; }
    /// All bars that are not, wide ones of transfers neither, are in the image.
    [[nodiscard]] const ColumnImage &columns() const { return m_columns; }
    /// Wider than GapFrom, from left to right.
    [[nodiscard]] std::span<const Bar> bars(Track track) const { return m_bars[static_cast<std::size_t>(track)]; }
    /// In whole pixels; little more than what is seen of it.
    [[nodiscard]] QRect rectOf(const Bar &bar) const;
    [[nodiscard]] QColor colourOf(const Bar &bar) const;

private:
    /// Of a bar of several slices.
    [[nodiscard]] QRect columnsOf(const Bar &bar) const;
    [[nodiscard]] QRgb rgbOf(const Bar &bar);
    void take(const Bar &bar, std::vector<Bar> &wide);

    struct Rgb
    {
        int key = std::numeric_limits<int>::min();
        QRgb rgb = 0;
    };

    const Scene *m_scene = nullptr; // not null once it stands
    int m_lane = 0;
    int m_run = 0;
    QRect m_body;
    std::array<QRect, 4> m_strips; // by trace::EventKind
    std::array<std::vector<Bar>, 2> m_bars;
    int m_taken = 0; // up to there slices of a pixel or more stand: several narrow ones leave them their last pixel
    ColumnImage m_columns;
    std::array<Rgb, 16> m_rgbs; // of the looks that were asked for last
};

/// In whole pixels, so that neighbours meet.
[[nodiscard]] QRect wholePixels(const QRectF &rect);

} // namespace pipescope::timeline

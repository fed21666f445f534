// The picture of many cells at once, pixel by pixel: what it costs follows the pixels. Bands of less than a pixel are
// stripes in the colours of all ranks that may be in them.
#pragma once

#include "shardview/shard_frame.h"
#include "style/theme.h"

#include <QImage>
#include <vector>

namespace pipescope::shardview {

/// What is seen of both sides.
struct SeenBands
{
    std::vector<AxisBand> rows;
    std::vector<AxisBand> columns;
};

/// More cells than this are drawn as a mosaic.
inline constexpr std::size_t MostCells = 4096;

[[nodiscard]] bool needsMosaic(const SeenBands &bands);

/// Of one sheet, in the size of the frame's plot, with so many pixels a unit. Padding is transparent.
[[nodiscard]] QImage mosaicOf(const ShardScene &scene, const ShardFrame &frame, const SeenBands &bands, int sheet,
                              const style::Theme &theme, double ratio);

} // namespace pipescope::shardview

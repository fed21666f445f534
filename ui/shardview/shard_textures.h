// Tiles for the picture's grounds on a screen: a tile is copied, which costs a tenth of what Qt's patterns and lines of
// its own cost.
#pragma once

#include "base/ids.h"
#include "style/theme.h"

#include <QPixmap>

namespace pipescope::shardview {

/// Between two lines of the hatching, from left to right.
inline constexpr double HatchStep = 8;

/// The ink of the hatching of Partial values.
[[nodiscard]] QColor hatchInk(const style::Theme &theme);
/// The ink of a rank's pattern.
[[nodiscard]] QColor patternInk(const style::Theme &theme);

/// A rank's colour under its pattern, opaque; for ranks that have one.
[[nodiscard]] QPixmap rankTile(const style::Theme &theme, RankId rank, double devicePixelRatio);
/// The lines alone.
[[nodiscard]] QPixmap hatchTile(const style::Theme &theme, double devicePixelRatio);

} // namespace pipescope::shardview

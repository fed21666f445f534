// Tiles of hatching. Qt's own brush patterns are made of device pixels, too fine on dense screens, and slow to fill
// large grounds with; a tile is copied.
#pragma once

#include "style/theme.h"

#include <QPixmap>

namespace pipescope::timeline {

enum class Hatch {
    Rising,  ///< bubbles
    Falling, ///< waits: the other way round and denser
};

/// Opaque, on the canvas's colour, to be tiled from the widget's corner.
[[nodiscard]] QPixmap hatchTile(const style::Theme &theme, Hatch hatch, double devicePixelRatio);

} // namespace pipescope::timeline

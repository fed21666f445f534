// The fonts of the graph view, and how wide texts are in them, measured once so that any thread can ask.
#pragma once

#include "graphview/box_sizes.h"

#include <QFont>

namespace pipescope::graphview {

struct GraphFonts
{
    QFont title;
    QFont detail;
    QFont value;

    /// From a widget's font; sizes are the visual language's, in pixels.
    explicit GraphFonts(const QFont &base);

    [[nodiscard]] const QFont &of(TextRole role) const;
    /// Keeps tables of advances, not the fonts. To be called on the window's thread.
    [[nodiscard]] TextWidth widths() const;
};

} // namespace pipescope::graphview

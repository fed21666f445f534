// What was drawn for one place of the viewport, moved along when it pans: only the borders that come into sight are
// drawn anew.
#pragma once

#include "graphview/viewport.h"

#include <QPixmap>
#include <functional>

class QPainter;

namespace pipescope::graphview {

class GroundCache
{
public:
    /// Draws the part that `part` shows, to the painter's (0, 0), on nothing; what lies outside is cut off.
    using Draw = std::function<void(QPainter &painter, const Viewport &part)>;

    /// What is drawn has changed.
    void reset() { m_pixmap = {}; }
    /// `around`: how far, in pixels, what belongs to a place may reach out of it. Where zoom, size and resolution are
    /// as before and the way is one of whole pixels, most is there already.
    void paint(QPainter &painter, const Viewport &viewport, double around, const Draw &draw);

private:
    void drawPart(const QRect &pixels, const Viewport &viewport, double around, const Draw &draw);

    QPixmap m_pixmap;
    Viewport m_at;
};

} // namespace pipescope::graphview

// Narrow bars of a lane, filled straight into an image that is painted once: a hundred thousand calls of a painter for
// rectangles a pixel wide would take longer than a frame may.
#pragma once

#include <QImage>
#include <QRect>

class QPainter;

namespace pipescope::timeline {

class ColumnImage
{
public:
    /// Where bars may be; transparent until filled.
    void begin(const QRect &area);
    /// What lies outside the area is left out.
    void fill(const QRect &rect, QRgb colour);
    /// Does nothing where nothing was filled.
    void paint(QPainter &painter) const;

private:
    QImage m_image;
    QRgb *m_pixels = nullptr; // of the image: asking it for them each time costs more than a bar
    qsizetype m_stride = 0;
    QRect m_area;
    bool m_isEmpty = true;
};

} // namespace pipescope::timeline

#include "timeline/column_image.h"

#include <QPainter>
#include <algorithm>

namespace pipescope::timeline {

void ColumnImage::begin(const QRect &area)
{
    if (m_image.size() != area.size()) {
        m_image = QImage(area.size(), QImage::Format_ARGB32_Premultiplied);
        m_isEmpty = false;
    }
    if (!m_isEmpty)
        m_image.fill(0U);
    m_isEmpty = true;
    m_corner = area.topLeft();
}

void ColumnImage::fill(const QRect &rect, const QColor &colour)
{
    const QRect inside = rect.translated(-m_corner) & m_image.rect();
    if (inside.isEmpty())
        return;
    const QRgb rgb = colour.rgb();
    const qsizetype stride = m_image.bytesPerLine() / qsizetype{sizeof(QRgb)};
    QRgb *row = reinterpret_cast<QRgb *>(m_image.bits()) + inside.top() * stride + inside.left();
    for (int y = 0; y < inside.height(); ++y, row += stride)
        std::fill_n(row, inside.width(), rgb);
    m_isEmpty = false;
}

void ColumnImage::paint(QPainter &painter) const
{
    if (!m_isEmpty)
        painter.drawImage(m_corner, m_image);
}

} // namespace pipescope::timeline

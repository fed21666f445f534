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
    m_area = area;
    m_pixels = reinterpret_cast<QRgb *>(m_image.bits());
    m_stride = m_image.bytesPerLine() / qsizetype{sizeof(QRgb)};
}

void ColumnImage::fill(const QRect &rect, QRgb colour)
{
    const int left = std::max(rect.left(), m_area.left());
    const int end = std::min(rect.right(), m_area.right()) + 1;
    const int top = std::max(rect.top(), m_area.top());
    const int bottom = std::min(rect.bottom(), m_area.bottom());
    if (left >= end || top > bottom)
        return;
    QRgb *row = m_pixels + (top - m_area.top()) * m_stride + (left - m_area.left());
    for (int y = top; y <= bottom; ++y, row += m_stride)
        for (int x = 0; x < end - left; ++x)
            row[x] = colour;
    m_isEmpty = false;
}

void ColumnImage::paint(QPainter &painter) const
{
    if (!m_isEmpty)
        painter.drawImage(m_area.topLeft(), m_image);
}

} // namespace pipescope::timeline

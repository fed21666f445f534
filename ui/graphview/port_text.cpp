// What is written at a port, and where.
#include "graphview/graph_painter.h"

#include <algorithm>

namespace pipescope::graphview {

QString portText(const Picture &picture, const ScenePort &port)
{
    constexpr std::size_t most = 3;
    QString text = port.side == ScenePort::Side::Takes ? QStringLiteral("↥ ") : QStringLiteral("↧ ");
    for (std::size_t i = 0; i < std::min(most, port.values.size()); ++i) {
        const std::string &name = picture.graph->value(port.values[i]).name;
        // A result is named after its node, whose last part says enough here.
        const std::size_t slash = name.rfind('/');
        text += (i > 0 ? QStringLiteral(", ") : QString()) +
                QString::fromStdString(slash == std::string::npos ? name : name.substr(slash + 1));
    }
    return port.values.size() > most ? text + QStringLiteral(" and %1 more").arg(port.values.size() - most) : text;
}

QRectF portRect(const ScenePort &port, QSizeF text)
{
    const double y = port.side == ScenePort::Side::Takes ? -text.height() - 4 : 4;
    return {port.at + QPointF(8 - text.width(), y), text};
}

} // namespace pipescope::graphview

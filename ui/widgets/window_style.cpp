#include "widgets/window_style.h"

#include <QAbstractItemView>

namespace pipescope::widgets {

WindowStyle::WindowStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    // A cell's text stands one pixel further in than this.
    if (metric == PM_FocusFrameHMargin && qobject_cast<const QAbstractItemView *>(widget) != nullptr)
        return CellMargin - 1;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                           QStyleHintReturn *answer) const
{
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, answer);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                const QWidget *widget) const
{
    // The line that tabs stand on would run through what stands beside them.
    if (element != PE_FrameTabBarBase)
        QProxyStyle::drawPrimitive(element, option, painter, widget);
}

} // namespace pipescope::widgets

// How Qt's own widgets are drawn: as Fusion, the one style that takes all its colours from the palette, but flat and
// with room around what stands in a cell. What a style sheet can say is in style/theme.h.
#pragma once

#include <QProxyStyle>

namespace pipescope::widgets {

class WindowStyle : public QProxyStyle
{
    Q_OBJECT

public:
    static constexpr int CellMargin = 8; ///< left and right of a cell's text, as headers have it

    WindowStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    /// Buttons of dialogs have no icons: those of the platform are dark ones also where the ground is.
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *answer) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
};

} // namespace pipescope::widgets

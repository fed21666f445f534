#include "widgets/plot.h"

#include "widgets/number_text.h"
#include "widgets/plot_library.h"

#include <QPicture>
#include <cmath>

namespace pipescope::widgets {

namespace {

constexpr int SmallText = 11;

class NumberTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override
    {
        // What rounding leaves of nothing is nothing.
        return numberText(std::abs(tick) < m_step * 1e-9 ? 0 : tick, 4);
    }
    double getTickStep(const QCPRange &range) override
    {
        m_step = QCPAxisTicker::getTickStep(range);
        return m_step;
    }

private:
    double m_step = 0;
};

void dressAxis(QCPAxis &axis, const QPalette &palette)
{
    const QPen line(palette.color(QPalette::Mid));
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setTickLength(0, 3);
    axis.setTickLabelPadding(2);
    axis.setSubTicks(false);
    axis.grid()->setPen(line);
    axis.grid()->setZeroLinePen(Qt::NoPen);
    axis.grid()->setAntialiased(false);
    axis.setAntialiased(false);
    QFont font = axis.parentPlot()->font();
    font.setPixelSize(SmallText);
    axis.setTickLabelFont(font);
    axis.setLabelFont(font);
    axis.setTickLabelColor(palette.color(QPalette::PlaceholderText));
    axis.setLabelColor(palette.color(QPalette::PlaceholderText));
}

} // namespace

void dressPlot(QCustomPlot &plot, const QPalette &palette)
{
    plot.setBackground(QBrush(palette.color(QPalette::Window)));
    for (QCPAxisRect *rect : plot.axisRects()) {
        rect->setAutoMargins(QCP::msNone);
        rect->setMinimumMargins({});
        rect->setMinimumSize(0, 0);
        for (QCPAxis *axis : rect->axes())
            dressAxis(*axis, palette);
    }
}

QSharedPointer<QCPAxisTicker> numberTicker()
{
    return QSharedPointer<NumberTicker>::create();
}

void drawPlot(QCustomPlot &plot, QPainter &painter, const QSizeF &size)
{
    // The library draws with a painter of its own kind only, and no device takes two at once.
    QPicture picture;
    QCPPainter onto(&picture);
    onto.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&onto, static_cast<int>(std::ceil(size.width())), static_cast<int>(std::ceil(size.height())));
    onto.end();
    painter.drawPicture(0, 0, picture);
}

} // namespace pipescope::widgets

#include "inspector/histogram.h"

#include "widgets/export_actions.h"
#include "widgets/number_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

namespace pipescope::inspector {

namespace {

constexpr QSize Preferred(240, 96);
constexpr double Gap = 1; ///< between bars

} // namespace

QRectF barOf(const Bins &bins, std::size_t bin, const QSizeF &size, double axisHeight)
{
    const std::int64_t most = *std::max_element(bins.counts.begin(), bins.counts.end());
    const double ground = size.height() - axisHeight;
    const double width = size.width() / static_cast<double>(bins.counts.size());
    double height = most > 0 ? ground * static_cast<double>(bins.counts[bin]) / static_cast<double>(most) : 0;
    if (bins.counts[bin] > 0)
        height = std::max(height, 1.0);
    const double gap = width > 3 * Gap ? Gap : 0;
    return {static_cast<double>(bin) * width, ground - height, width - gap, height};
}

QString binText(const Bins &bins, std::size_t bin)
{
    const double width = (bins.largest - bins.smallest) / static_cast<double>(bins.counts.size());
    const double from = bins.smallest + width * static_cast<double>(bin);
    const auto all = std::accumulate(bins.counts.begin(), bins.counts.end(), std::int64_t{0});
    return Histogram::tr("%1 … %2: %3 (%4)")
        .arg(widgets::numberText(from), widgets::numberText(from + width), widgets::countText(bins.counts[bin]),
             widgets::shareText(static_cast<double>(bins.counts[bin]), static_cast<double>(all)));
}

Histogram::Histogram(QWidget *parent)
    : QWidget(parent)
{
    setObjectName("histogram");
    setAccessibleName(tr("Histogram"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    widgets::addDrawingActions(*this, *this);
}

void Histogram::show(const Bins &bins)
{
    m_bins = bins;
    m_chosen = -1;
    setAccessibleDescription(
        m_bins.counts.empty()
            ? tr("empty")
            : tr("%1 bins from %2 to %3, the fullest is %4")
                  .arg(m_bins.counts.size())
                  .arg(widgets::numberText(m_bins.smallest), widgets::numberText(m_bins.largest),
                       binText(m_bins, static_cast<std::size_t>(std::distance(
                                           m_bins.counts.begin(),
                                           std::max_element(m_bins.counts.begin(), m_bins.counts.end()))))));
    update();
}

QSizeF Histogram::drawnSize() const
{
    return m_bins.counts.empty() ? QSizeF() : QSizeF(size());
}

void Histogram::draw(QPainter &painter) const
{
    painter.fillRect(rect(), palette().color(QPalette::Window));
    paint(painter, -1);
}

QString Histogram::drawnName() const
{
    return QStringLiteral("histogram");
}

QSize Histogram::sizeHint() const
{
    return Preferred;
}

bool Histogram::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto &help = static_cast<const QHelpEvent &>(*event); // by its type
    const int bin = binAt(help.pos().x());
    if (bin < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help.globalPos(), binText(m_bins, static_cast<std::size_t>(bin)), this);
    return true;
}

void Histogram::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paint(painter, m_chosen);
}

void Histogram::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_bins.counts.size()) - 1;
    if (event->key() == Qt::Key_Escape && m_chosen >= 0)
        return choose(-1);
    const bool steps = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (!steps || last < 0)
        return QWidget::keyPressEvent(event);
    const int step = event->key() == Qt::Key_Left ? -1 : 1;
    choose(m_chosen < 0 ? (step > 0 ? 0 : last) : std::clamp(m_chosen + step, 0, last));
}

void Histogram::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        choose(binAt(event->position().x()));
}

double Histogram::axisHeight() const
{
    return fontMetrics().height() + 2;
}

int Histogram::binAt(double x) const
{
    const auto bins = static_cast<int>(m_bins.counts.size());
    const int bin = bins == 0 ? -1 : static_cast<int>(x * bins / std::max(width(), 1));
    return x >= 0 && bin < bins ? bin : -1;
}

void Histogram::choose(int bin)
{
    m_chosen = bin;
    if (bin >= 0)
        setAccessibleDescription(binText(m_bins, static_cast<std::size_t>(bin)));
    update();
}

void Histogram::paint(QPainter &painter, int chosen) const
{
    if (m_bins.counts.empty())
        return;
    const QColor bar = palette().color(QPalette::Link);
    for (std::size_t bin = 0; bin < m_bins.counts.size(); ++bin)
        if (m_bins.counts[bin] > 0)
            painter.fillRect(barOf(m_bins, bin, size(), axisHeight()),
                             static_cast<int>(bin) == chosen ? palette().color(QPalette::Text) : bar);
    const double ground = height() - axisHeight();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(QPointF(0, ground), QPointF(width(), ground));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRectF axis(0, ground + 2, width(), axisHeight() - 2);
    if (chosen >= 0)
        return painter.drawText(axis, Qt::AlignCenter, binText(m_bins, static_cast<std::size_t>(chosen)));
    painter.drawText(axis, Qt::AlignLeft | Qt::AlignTop, widgets::numberText(m_bins.smallest));
    painter.drawText(axis, Qt::AlignRight | Qt::AlignTop, widgets::numberText(m_bins.largest));
}

} // namespace pipescope::inspector

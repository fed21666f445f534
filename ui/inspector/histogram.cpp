#include "inspector/histogram.h"

#include "widgets/export_actions.h"
#include "widgets/number_text.h"
#include "widgets/plot.h"
#include "widgets/plot_library.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pipescope::inspector {

namespace {

constexpr QSize Preferred(240, 96);
constexpr double Gap = 1; ///< between bars, in pixels

/// The axis from the smallest to the largest; a bin's number where these are too near or too far apart to be one.
QCPRange axisOf(const Bins &bins)
{
    const QCPRange range(bins.smallest, bins.largest);
    return QCPRange::validRange(range) ? range : QCPRange(0, static_cast<double>(bins.counts.size()));
}

} // namespace

double edgeOf(const Bins &bins, std::size_t bin)
{
    const auto all = static_cast<double>(bins.counts.size());
    const auto before = static_cast<double>(bin);
    const double width = (bins.largest - bins.smallest) / all;
    return std::isfinite(width) ? bins.smallest + width * before
                                : std::lerp(bins.smallest, bins.largest, before / all); // too far apart for a number
}

int digitsOf(const Bins &bins, int least)
{
    constexpr int all = std::numeric_limits<double>::max_digits10;
    const auto count = static_cast<double>(bins.counts.size());
    const double width = bins.largest / count - bins.smallest / count; // finite, however far apart they are
    const double magnitude = std::max(std::abs(bins.smallest), std::abs(bins.largest));
    if (!(width > 0)) // nor is there a difference to be told
        return least;
    // One digit more than the first in which they differ, for that one is rounded.
    const double digits = std::floor(std::log10(magnitude)) - std::floor(std::log10(width)) + 2;
    return static_cast<int>(std::clamp<double>(digits, least, all));
}

QString binText(const Bins &bins, std::size_t bin)
{
    const int digits = digitsOf(bins, 3);
    const auto all = std::accumulate(bins.counts.begin(), bins.counts.end(), std::int64_t{0});
    return Histogram::tr("%1 … %2: %3 (%4)")
        .arg(widgets::numberText(edgeOf(bins, bin), digits), widgets::numberText(edgeOf(bins, bin + 1), digits),
             widgets::countText(bins.counts[bin]),
             widgets::shareText(static_cast<double>(bins.counts[bin]), static_cast<double>(all)));
}

Histogram::Histogram(QWidget *parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_bars(new QCPBars(m_plot->xAxis, m_plot->yAxis))
{
    setObjectName("histogram");
    setAccessibleName(tr("Histogram"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    widgets::addDrawingActions(*this, *this);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->xAxis->setTicker(widgets::numberTicker());
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setVisible(false);
    m_bars->setAntialiased(false);
    m_bars->setAntialiasedFill(false);
    m_bars->setPen(Qt::NoPen);
    m_bars->setSelectable(QCP::stSingleData);
    m_bars->selectionDecorator()->setPen(Qt::NoPen);
    dress();
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
    plot();
}

QSizeF Histogram::drawnSize() const
{
    return m_bins.counts.empty() ? QSizeF() : QSizeF(size());
}

void Histogram::draw(QPainter &painter) const
{
    fill(); // for a size that the screen may not have seen yet
    mark(-1);
    widgets::drawPlot(*m_plot, painter, size());
    mark(m_chosen);
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

void Histogram::resizeEvent(QResizeEvent *)
{
    if (rect().isEmpty()) // nothing can be plotted into nothing
        return;
    m_plot->setGeometry(rect());
    plot();
}

void Histogram::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        dress();
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
    mark(bin);
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void Histogram::dress()
{
    widgets::dressPlot(*m_plot, palette());
    m_bars->setBrush(palette().color(QPalette::Link));
    m_bars->selectionDecorator()->setBrush(palette().color(QPalette::Text));
    m_plot->axisRect()->setMargins({0, 0, 0, fontMetrics().height() + 6});
    plot();
}

void Histogram::plot()
{
    fill();
    mark(m_chosen);
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void Histogram::fill() const
{
    const QCPRange range = axisOf(m_bins);
    const double bin = range.size() / static_cast<double>(std::max<std::size_t>(1, m_bins.counts.size()));
    const double pixel = range.size() / std::max(1, width());
    const auto most = static_cast<double>(
        m_bins.counts.empty() ? 1 : std::max<std::int64_t>(1, *std::ranges::max_element(m_bins.counts)));
    // What is not empty is a pixel high at the least.
    const double least = most / std::max(1, height() - m_plot->axisRect()->margins().bottom());
    QVector<QCPBarsData> bars;
    for (const std::int64_t count : m_bins.counts)
        bars.append({range.lower + bin * (static_cast<double>(bars.size()) + 0.5),
                     count > 0 ? std::max(least, static_cast<double>(count)) : 0});
    m_bars->data()->set(bars, true);
    m_bars->setWidth(bin > 3 * Gap * pixel ? bin - Gap * pixel : bin);
    m_plot->xAxis->setRange(range);
    m_plot->yAxis->setRange(0, most);
    m_plot->axisRect()->setVisible(!m_bins.counts.empty());
}

void Histogram::mark(int bin) const
{
    const bool isAxis = QCPRange::validRange(m_bins.smallest, m_bins.largest);
    m_bars->setSelection(bin < 0 ? QCPDataSelection() : QCPDataSelection(QCPDataRange(bin, bin + 1)));
    m_plot->xAxis->setTickLabels(isAxis && bin < 0);
    m_plot->xAxis->setLabel(bin >= 0 ? binText(m_bins, static_cast<std::size_t>(bin))
                            : isAxis ? QString()
                                     : widgets::numberText(m_bins.smallest));
}

} // namespace pipescope::inspector

#include "timeline/timeline_plot.h"

#include "timeline/ruler.h"
#include "widgets/plot.h"
#include "widgets/plot_library.h"

#include <QCoreApplication>
#include <QPalette>
#include <utility>

namespace pipescope::timeline {

using style::Token;

/// Times as rulerOf() writes them.
class RulerTicker : public QCPAxisTicker
{
public:
    void setWidth(double width) { m_width = width; }

    void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks, QVector<double> *,
                  QVector<QString> *labels) override
    {
        ticks.clear();
        if (labels != nullptr)
            labels->clear();
        for (const Tick &tick : rulerOf({range.lower, range.size(), m_width}).ticks) {
            ticks.append(tick.ns);
            if (labels != nullptr)
                labels->append(QString::fromStdString(tick.text));
        }
    }

private:
    double m_width = 1;
};

namespace {

/// A painter's clip is a pixel higher than what is asked for.
QRect wholeOf(const QCustomPlot &plot)
{
    return plot.viewport().adjusted(0, 0, 0, 1);
}

class LanesPlottable : public QCPAbstractPlottable
{
public:
    LanesPlottable(QCPAxis *time, QCPAxis *lanes, std::function<Scene()> scene)
        : QCPAbstractPlottable(time, lanes)
        , m_scene(std::move(scene))
    {
        setAntialiased(false);
    }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; } // the view's to tell
    QCPRange getKeyRange(bool &isFound, QCP::SignDomain) const override
    {
        const trace::TimeRange time = m_scene().runs.time();
        isFound = true;
        return {static_cast<double>(time.beginNs), static_cast<double>(time.endNs)};
    }
    QCPRange getValueRange(bool &isFound, QCP::SignDomain, const QCPRange &) const override
    {
        isFound = false;
        return {};
    }

protected:
    [[nodiscard]] QRect clipRect() const override { return wholeOf(*mParentPlot); } // headers lie beside the axis
    void draw(QCPPainter *painter) override
    {
        const Scene scene = m_scene();
        if (scene.runs.laneCount() > 0) {
            LanePainter(scene, *painter).paintLanes(m_rows);
            return;
        }
        painter->setPen(scene.theme.colour(Token::Dim));
        painter->drawText(
            mParentPlot->viewport(), Qt::AlignCenter,
            QCoreApplication::translate("TimelinePlot", "No run yet. Run the plan to see what each rank did."));
    }
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    std::function<Scene()> m_scene;
    LaneRows m_rows;
};

class OverlayLayerable : public QCPLayerable
{
public:
    OverlayLayerable(QCustomPlot *plot, const TimelinePlot::Shown &shown)
        : QCPLayerable(plot, QStringLiteral("overlay"))
        , m_shown(shown)
    {
    }

protected:
    [[nodiscard]] QRect clipRect() const override { return wholeOf(*mParentPlot); }
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override
    {
        const Scene scene = m_shown.scene();
        if (scene.runs.laneCount() > 0)
            LanePainter(scene, *painter).paintOverlay(m_shown.overlay());
    }

private:
    TimelinePlot::Shown m_shown;
};

} // namespace

TimelinePlot::TimelinePlot(Shown shown)
    : m_shown(std::move(shown))
    , m_plot(new QCustomPlot)
    , m_ticker(new RulerTicker)
{
    m_plot->setFocusPolicy(Qt::NoFocus);
    for (QCPAxis *axis : m_plot->axisRect()->axes()) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    QCPAxis *time = m_plot->xAxis2;
    time->setTicker(QSharedPointer<QCPAxisTicker>(m_ticker));
    time->grid()->setVisible(true);
    new LanesPlottable(time, m_plot->yAxis, m_shown.scene); // the plot has both
    new OverlayLayerable(m_plot, m_shown);
    QObject::connect(m_plot, &QCustomPlot::beforeReplot, m_plot, [this] { followScene(m_shown.scene()); });
}

QWidget *TimelinePlot::widget() const
{
    return m_plot;
}

void TimelinePlot::setTheme(const style::Theme &theme)
{
    widgets::dressPlot(*m_plot, theme.palette());
    m_plot->setBackground(QBrush(theme.colour(Token::Canvas)));
    m_plot->axisRect()->setMargins(
        {static_cast<int>(LaneGeometry::HeaderWidth), static_cast<int>(LaneGeometry::RulerHeight), 0, 0});
    QCPAxis *time = m_plot->xAxis2;
    time->setBasePen(Qt::NoPen); // it goes on below the headers' part of the ruler, and is theirs
    time->setTickLength(0);
    time->setTickLabelPadding(6);
    time->grid()->setPen(theme.colour(Token::Grid));
    changeLanes();
}

void TimelinePlot::followScene(const Scene &scene) const
{
    m_ticker->setWidth(scene.seen.width);
    m_plot->xAxis2->setRange(scene.seen.beginNs, scene.seen.endNs());
    m_plot->xAxis2->setVisible(scene.runs.laneCount() > 0);
}

void TimelinePlot::changeLanes()
{
    m_stale = Stale::All;
    m_plot->update();
}

void TimelinePlot::changeOverlay()
{
    m_stale = std::max(m_stale, Stale::Overlay);
    m_plot->update();
}

void TimelinePlot::resize()
{
    if (!m_plot->rect().isEmpty()) // nothing can be plotted into nothing
        m_plot->setViewport(m_plot->rect());
    changeLanes();
}

void TimelinePlot::plotChanges()
{
    if (const double ratio = m_plot->devicePixelRatioF(); ratio != m_plot->bufferDevicePixelRatio()) {
        m_plot->setBufferDevicePixelRatio(ratio);
        m_stale = Stale::All;
    }
    const Stale stale = std::exchange(m_stale, Stale::Nothing);
    if (stale == Stale::All)
        m_plot->replot(QCustomPlot::rpQueuedRefresh);
    else if (stale == Stale::Overlay)
        m_plot->layer(QStringLiteral("overlay"))->replot();
}

void TimelinePlot::draw(QPainter &painter, const Scene &scene) const
{
    // Lanes are painted where they are to be, for its resolution.
    // Their layer must stay: the axes' layout is on it too.
    QCPAbstractPlottable *lanes = m_plot->plottable(0);
    QCPLayer *overlay = m_plot->layer(QStringLiteral("overlay"));
    lanes->setVisible(false);
    overlay->setVisible(false);
    followScene(scene);
    widgets::drawPlot(*m_plot, painter, {scene.geometry.width, scene.geometry.height});
    LanePainter(scene, painter).paintLanes();
    followScene(m_shown.scene());
    lanes->setVisible(true);
    overlay->setVisible(true);
}

} // namespace pipescope::timeline

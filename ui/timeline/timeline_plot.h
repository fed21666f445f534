// The timeline as a plot: lanes are a plottable of ours on an axis of time, which is the ruler; what changes while a
// pointer moves is a layer of its own, so that it alone is plotted anew. Nothing is plotted before it is to be painted.
#pragma once

#include "timeline/lane_painter.h"

#include <functional>

class QCustomPlot;
class QWidget;

namespace pipescope::timeline {

class RulerTicker;

class TimelinePlot
{
public:
    /// What is shown now: asked whenever something is plotted. Without any runs only a sentence is.
    struct Shown
    {
        std::function<Scene()> scene;
        std::function<Overlay()> overlay;
    };
    explicit TimelinePlot(Shown shown);

    /// That it is shown in; belongs to whom it is given to.
    [[nodiscard]] QWidget *widget() const;

    void setTheme(const style::Theme &theme);
    /// All is out of date, or what lies over the lanes is.
    void changeLanes();
    void changeOverlay();
    /// The widget has another size.
    void resize();
    /// To be called before the widget is painted. It asks for another painting meanwhile, which is of no use.
    void plotChanges();

    /// Another scene, without an overlay, in its geometry's size.
    void draw(QPainter &painter, const Scene &scene) const;

private:
    enum class Stale { Nothing, Overlay, All };

    void followScene(const Scene &scene) const;

    Shown m_shown;
    QCustomPlot *m_plot;   // not owned, nor is what stands on it
    RulerTicker *m_ticker; // the axis has it
    Stale m_stale = Stale::All;
};

} // namespace pipescope::timeline

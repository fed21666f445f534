#include "first_paint.h"

#include "graphview/graph_canvas.h"
#include "tell.h"

#include <QCoreApplication>
#include <QEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace pipescope::app {

namespace {

/// Late: it can fail before there is an event loop to end.
void endLate(QObject *context, int code)
{
    QTimer::singleShot(0, context, [code] { QCoreApplication::exit(code); });
}

bool hasBoxes(const graphview::Picture &picture)
{
    const std::vector<graphview::Box> &boxes = picture.scene.tree.boxes;
    return std::any_of(boxes.begin(), boxes.end(), [](const graphview::Box &box) {
        return box.parent >= 0 && box.begin < box.end; // neither the model itself nor an argument or a result
    });
}

class Watch : public QObject
{
public:
    Watch(QWidget &watched, mainwindow::MainWindow &window, const graphview::GraphCanvas *canvas, Painted what)
        : QObject(&watched)
        , m_window(window)
        , m_canvas(canvas)
        , m_what(what)
    {
        watched.installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Paint || (m_canvas && !showsWanted()))
            return false;
        watched->removeEventFilter(this);
        if (m_canvas && !hasBoxes(*m_canvas->picture())) {
            tellError("the picture of the model has no box");
            endLate(this, 2);
            return false;
        }
        // The event is handled after its filters, and what it paints is shown with it.
        QTimer::singleShot(0, this, [] {
            std::puts("painted");
            std::fflush(stdout);
            QCoreApplication::exit(0);
        });
        return false;
    }

private:
    [[nodiscard]] bool showsWanted() const
    {
        const auto model = m_window.document().model();
        const graphview::Picture *picture = m_canvas->picture();
        if (!model || !picture || picture->graph.get() != &model->graph)
            return false;
        return m_what == Painted::Structure || !model->structureOnly || model->loadRefused;
    }

    mainwindow::MainWindow &m_window;
    const graphview::GraphCanvas *m_canvas; // null where any picture will do
    Painted m_what;
};

} // namespace

void endAfterFirstPaint(mainwindow::MainWindow &window, Painted what)
{
    auto *canvas = what == Painted::Window ? nullptr : window.findChild<graphview::GraphCanvas *>();
    // Owned by what it watches.
    new Watch(canvas ? static_cast<QWidget &>(*canvas) : window, window, canvas, what);
    const auto fail = [&window](const Error &error) {
        tellError(error.message);
        endLate(&window, 2);
    };
    QObject::connect(&window, &mainwindow::MainWindow::openFailed, &window, fail);
    QObject::connect(&window.controller(), &session::RunController::failed, &window,
                     [&window, fail] { fail(*window.controller().lastError()); });
}

} // namespace pipescope::app
